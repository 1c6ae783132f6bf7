# SPDX-License-Identifier: Apache-2.0
include(GoogleTest)

# The Python that tests run: the system's, where there is one.
find_program(RAILWRIGHT_PYTHON NAMES python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(RAILWRIGHT_PYTHON NAMES python3 REQUIRED)
mark_as_advanced(RAILWRIGHT_PYTHON)

# railwright_add_test(<name> SOURCES ... LIBRARIES ... [LABELS ...] [TIMEOUT s] [ONE_CTEST])
# One GoogleTest program; every TEST becomes a ctest of the same name, prefixed with <name>.
# Labels in use: slow (left out under sanitizers), threads (run under the thread sanitizer).
# Where several sources are compiled at a time, a program's tests are too: helpers of one program have
# names of their own.
# ONE_CTEST runs the whole program as one ctest, for programs of very many small tests.
function(railwright_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "ONE_CTEST" "TIMEOUT" "SOURCES;LIBRARIES;LABELS")
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
    if(RAILWRIGHT_SANITIZE)  # up to forty times as long
      set(arg_TIMEOUT 600)
    endif()
  endif()
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} GTest::gtest_main railwright_quick_options)
  target_compile_definitions(${name} PRIVATE
    RAILWRIGHT_SOURCE_DIR="${PROJECT_SOURCE_DIR}" RAILWRIGHT_BINARY_DIR="${PROJECT_BINARY_DIR}")
  get_property(first GLOBAL PROPERTY RAILWRIGHT_FIRST_TEST)
  if(NOT first)
    set(first ${name})
    set_property(GLOBAL PROPERTY RAILWRIGHT_FIRST_TEST ${name})
  endif()
  railwright_precompile(${name} ${first} <gtest/gtest.h> ${RAILWRIGHT_STANDARD_HEADERS})
  set(properties TIMEOUT ${arg_TIMEOUT})
  if(arg_LABELS)
    # gtest_discover_tests cannot carry a list; ctest -L is a regular expression and needs none.
    list(JOIN arg_LABELS "+" label)
    list(APPEND properties LABELS ${label})
  endif()
  if(arg_ONE_CTEST)
    add_test(NAME ${name} COMMAND ${name})
    set_tests_properties(${name} PROPERTIES ${properties})
  else()
    # PRE_TEST: listing happens when ctest runs, so a loaded machine cannot time a build out.
    gtest_discover_tests(${name} TEST_PREFIX "${name}." NO_PRETTY_VALUES DISCOVERY_MODE PRE_TEST
      DISCOVERY_TIMEOUT 60 PROPERTIES ${properties})
  endif()
endfunction()
