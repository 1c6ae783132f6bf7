# SPDX-License-Identifier: Apache-2.0
# Everything comes from the system; cmake/railwrightConfig.cmake.in repeats what a consumer needs.
# Targets: Boost::headers Eigen3::Eigen yaml-cpp CLI11::CLI11 nlohmann_json::nlohmann_json
#          fmt::fmt SQLite::SQLite3 pugixml::pugixml protozero::protozero tomlplusplus::headers Threads::Threads GTest::gtest_main benchmark::benchmark_main
find_package(Threads REQUIRED)
find_package(Boost 1.74 REQUIRED)  # headers only: Boost.Graph needs no library here
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(yaml-cpp 0.7 REQUIRED)
find_package(CLI11 2.1 REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(fmt 9 REQUIRED)
find_package(SQLite3 3.34 REQUIRED)
find_package(pugixml 1.13 REQUIRED)

# yaml-cpp 0.7 exports plain `yaml-cpp`, later versions `yaml-cpp::yaml-cpp`; we say yaml-cpp.
if(NOT TARGET yaml-cpp)
  add_library(yaml-cpp INTERFACE IMPORTED)
  target_link_libraries(yaml-cpp INTERFACE yaml-cpp::yaml-cpp)
endif()

# Headers alone, used to build and not by a consumer. Debian's have no CMake config.
find_path(PROTOZERO_INCLUDE_DIR protozero/pbf_writer.hpp REQUIRED
          DOC "protozero 1.7, Debian's libprotozero-dev")
mark_as_advanced(PROTOZERO_INCLUDE_DIR)
add_library(protozero::protozero INTERFACE IMPORTED)
target_include_directories(protozero::protozero SYSTEM INTERFACE "${PROTOZERO_INCLUDE_DIR}")

find_path(TOMLPLUSPLUS_INCLUDE_DIR toml++/toml.h REQUIRED
          DOC "toml++ 3.3, Debian's libtomlplusplus-dev")
mark_as_advanced(TOMLPLUSPLUS_INCLUDE_DIR)
add_library(tomlplusplus::headers INTERFACE IMPORTED)
target_include_directories(tomlplusplus::headers SYSTEM INTERFACE "${TOMLPLUSPLUS_INCLUDE_DIR}")

# The server of `railwright serve`, which says what is missing where this is not there. Debian's has no
# CMake config.
find_package(httplib CONFIG QUIET)
if(NOT TARGET httplib::httplib)
  find_package(PkgConfig QUIET)
  if(PkgConfig_FOUND)
    pkg_check_modules(httplib QUIET IMPORTED_TARGET cpp-httplib)
  endif()
  if(TARGET PkgConfig::httplib)
    add_library(httplib::httplib ALIAS PkgConfig::httplib)
  else()
    message(STATUS "No cpp-httplib: `railwright serve` will refuse. Debian has it in libcpp-httplib-dev")
  endif()
endif()

if(RAILWRIGHT_BUILD_TESTS)
  find_package(GTest 1.12 REQUIRED)
endif()
if(RAILWRIGHT_BUILD_BENCHMARKS)
  find_package(benchmark 1.7 REQUIRED)
endif()
