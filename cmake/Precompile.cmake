# SPDX-License-Identifier: Apache-2.0
# Headers of others that many sources include, compiled once: for builds that compile each source
# alone. No header of ours is among them, so a change of one compiles no more than without.
set(RAILWRIGHT_STANDARD_HEADERS
  <algorithm> <array> <cmath> <cstdint> <functional> <limits> <map> <memory> <numeric> <optional>
  <set> <span> <string> <string_view> <utility> <variant> <vector>)

# railwright_precompile(TARGET MODEL HEADERS...): `target` takes the precompiled headers of `model`,
# which is itself or is compiled with the same options. g++ refuses them where it lacks a macro of
# the model's command line.
function(railwright_precompile target model)
  if(NOT RAILWRIGHT_PRECOMPILE)
    return()
  endif()
  if(target STREQUAL model)
    target_precompile_headers(${target} PRIVATE ${ARGN})
  else()
    target_precompile_headers(${target} REUSE_FROM ${model})
  endif()
endfunction()

# The model of the libraries.
if(RAILWRIGHT_PRECOMPILE)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/precompiled.cpp CONTENT "")
  add_library(railwright_precompiled OBJECT ${PROJECT_BINARY_DIR}/precompiled.cpp)
  target_link_libraries(railwright_precompiled PRIVATE fmt::fmt railwright_options)
  railwright_precompile(railwright_precompiled railwright_precompiled
    ${RAILWRIGHT_STANDARD_HEADERS} <fmt/format.h>)
endif()
