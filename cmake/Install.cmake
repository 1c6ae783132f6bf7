# SPDX-License-Identifier: Apache-2.0
# Default: libraries, headers, program, catalogues, package config.
# Component `python` (what a wheel takes): extension, program and catalogues inside the package.
include(CMakePackageConfigHelpers)

set(railwright_share "${CMAKE_INSTALL_DATADIR}/railwright")
set(railwright_config_dir "${CMAKE_INSTALL_LIBDIR}/cmake/railwright")

# Not web, which the program and the Python package alone have.
foreach(folder core topologies models simulation workloads planner validation importers output)
  target_compile_features(railwright_${folder} PUBLIC cxx_std_20)
  set_target_properties(railwright_${folder} PROPERTIES EXPORT_NAME ${folder})
  install(TARGETS railwright_${folder} EXPORT railwrightTargets
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
    INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/${folder}/include/"
    DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.hpp")
endforeach()
install(TARGETS railwright_cli RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")

# simulation/src/scenario/data_path.cpp looks here: one catalogue, whichever folder an entry is from.
function(railwright_install_data folder place)
  if(NOT EXISTS "${PROJECT_SOURCE_DIR}/${folder}")
    return()
  endif()
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/${folder}/"
    DESTINATION "${railwright_share}/${place}")
  if(RAILWRIGHT_BUILD_PYTHON)
    install(DIRECTORY "${PROJECT_SOURCE_DIR}/${folder}/"
      DESTINATION "railwright/share/railwright/${place}" COMPONENT python EXCLUDE_FROM_ALL)
  endif()
endfunction()
railwright_install_data(models/catalogue catalogue)
railwright_install_data(topologies/catalogue catalogue)
railwright_install_data(validation/data validation)

if(RAILWRIGHT_BUILD_PYTHON)
  install(TARGETS railwright_cli
    RUNTIME DESTINATION railwright/bin COMPONENT python EXCLUDE_FROM_ALL)
endif()

configure_package_config_file(cmake/railwrightConfig.cmake.in railwrightConfig.cmake
  INSTALL_DESTINATION "${railwright_config_dir}")
write_basic_package_version_file(railwrightConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(EXPORT railwrightTargets NAMESPACE railwright:: DESTINATION "${railwright_config_dir}")
install(FILES
  "${CMAKE_CURRENT_BINARY_DIR}/railwrightConfig.cmake"
  "${CMAKE_CURRENT_BINARY_DIR}/railwrightConfigVersion.cmake"
  DESTINATION "${railwright_config_dir}")

# The shells' completions and the manual page, which the program itself tells.
if(NOT CMAKE_CROSSCOMPILING)
  find_program(RAILWRIGHT_MAN_PYTHON NAMES python3)
  mark_as_advanced(RAILWRIGHT_MAN_PYTHON)
  foreach(place
      "bash:${CMAKE_INSTALL_DATADIR}/bash-completion/completions:railwright"
      "zsh:${CMAKE_INSTALL_DATADIR}/zsh/site-functions:_railwright"
      "fish:${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d:railwright.fish"
      "man:${CMAKE_INSTALL_MANDIR}/man1:railwright.1")
    string(REPLACE ":" ";" words "${place}")
    list(GET words 0 shell)
    list(GET words 1 folder)
    list(GET words 2 file)
    set(command "\"$<TARGET_FILE:railwright_cli>\" completion ${shell}")
    if(shell STREQUAL "man")
      if(NOT RAILWRIGHT_MAN_PYTHON)
        continue()
      endif()
      set(script "${PROJECT_SOURCE_DIR}/scripts/write_man_page.py")
      set(command "\"${RAILWRIGHT_MAN_PYTHON}\" -B \"${script}\" \"$<TARGET_FILE:railwright_cli>\"")
    endif()
    set(made "${PROJECT_BINARY_DIR}/shells/${file}")
    install(CODE "file(MAKE_DIRECTORY \"${PROJECT_BINARY_DIR}/shells\")
execute_process(COMMAND ${command} OUTPUT_FILE \"${made}\" COMMAND_ERROR_IS_FATAL ANY)")
    install(FILES "${made}" DESTINATION "${folder}")
  endforeach()
endif()
