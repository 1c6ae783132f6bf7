# SPDX-License-Identifier: Apache-2.0
# How our own sources are compiled. Every target links it privately, so nothing leaks to users:
#   target_link_libraries(railwright_core PRIVATE $<BUILD_INTERFACE:railwright_options>)
add_library(railwright_options INTERFACE)
target_compile_features(railwright_options INTERFACE cxx_std_20)
target_compile_options(railwright_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
  # Designated initializers leave out, on purpose, what keeps its default.
  -Wno-missing-field-initializers
  # The same numbers on every machine: no fused multiply-add behind our back.
  -ffp-contract=off
  $<$<BOOL:${RAILWRIGHT_WERROR}>:-Werror>
  # False alarms of g++ 12 inside std::string at -O3 (GCC bugs 105651 and 105562).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
  $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>
  # Sources compiled alone: g++ frees memory less often, a tenth of the time for a fifth more of it.
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<CONFIG:Debug>>:--param=ggc-min-expand=400>
  # ccache finds what a source depends on behind its precompiled headers.
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<BOOL:${RAILWRIGHT_PRECOMPILE}>>:-fpch-preprocess>)
target_compile_definitions(railwright_options INTERFACE $<$<CONFIG:Debug>:_GLIBCXX_ASSERTIONS>)

if(RAILWRIGHT_SANITIZE)
  target_compile_options(railwright_options INTERFACE -O1 -g1
    -fno-omit-frame-pointer -fsanitize=${RAILWRIGHT_SANITIZE} -fno-sanitize-recover=all)
  target_link_options(railwright_options INTERFACE -fsanitize=${RAILWRIGHT_SANITIZE})
endif()
if(RAILWRIGHT_BUILD_FUZZERS)
  target_compile_options(railwright_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(RAILWRIGHT_COVERAGE)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "RAILWRIGHT_COVERAGE wants clang: -DCMAKE_CXX_COMPILER=clang++-19")
  endif()
  target_compile_options(railwright_options INTERFACE -fprofile-instr-generate -fcoverage-mapping)
  target_link_options(railwright_options INTERFACE -fprofile-instr-generate)
endif()

# For what arranges the work and does little of it, tests too: half as long to compile as with -O3.
# Under sanitizers all has -O1: at -O0 tests lost more than compilation won.
add_library(railwright_quick_options INTERFACE)
target_link_libraries(railwright_quick_options INTERFACE railwright_options)
target_compile_options(railwright_quick_options INTERFACE $<$<CONFIG:Release>:-O1>)

if(PROJECT_IS_TOP_LEVEL AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(RAILWRIGHT_CCACHE ccache)
  mark_as_advanced(RAILWRIGHT_CCACHE)
  if(RAILWRIGHT_CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER "${RAILWRIGHT_CCACHE}")
    if(RAILWRIGHT_PRECOMPILE)
      # Without these ccache refuses sources with precompiled headers.
      list(PREPEND CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
        CCACHE_SLOPPINESS=pch_defines,time_macros)
    endif()
  endif()
endif()
