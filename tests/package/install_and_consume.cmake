# SPDX-License-Identifier: Apache-2.0
set(prefix "${WORK_DIR}/prefix")
file(REMOVE_RECURSE "${WORK_DIR}")

function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

run(${CMAKE_COMMAND} --install "${BUILD_DIR}" --prefix "${WORK_DIR}/staging")
# Installed files must survive being moved, and name neither the sources nor the build.
file(RENAME "${WORK_DIR}/staging" "${prefix}")
file(GLOB_RECURSE configs "${prefix}/*.cmake")
foreach(config IN LISTS configs)
  file(STRINGS "${config}" lines)
  string(FIND "${lines}" "${SOURCE_DIR}" position)
  if(NOT position EQUAL -1)
    message(FATAL_ERROR "${config} names ${SOURCE_DIR}")
  endif()
endforeach()

run(${CMAKE_COMMAND} -S "${CMAKE_CURRENT_LIST_DIR}/consumer" -B "${WORK_DIR}/build" -G Ninja
  "-DCMAKE_PREFIX_PATH=${prefix}" "-DCMAKE_CXX_COMPILER=${CXX}" "-DCMAKE_BUILD_TYPE=${BUILD_TYPE}")
run(${CMAKE_COMMAND} --build "${WORK_DIR}/build")
run("${WORK_DIR}/build/consumer" "${prefix}/share/railwright/catalogue"
  "${SOURCE_DIR}/examples/neutral-llama-2-7b.yaml")
# What simulates needs no database, XML, protobuf or HTTP.
execute_process(COMMAND ldd "${WORK_DIR}/build/consumer" OUTPUT_VARIABLE libraries
                COMMAND_ERROR_IS_FATAL ANY)
if(libraries MATCHES "sqlite|pugixml|protobuf|httplib|ssl")
  message(FATAL_ERROR "a program that simulates links ${libraries}")
endif()
run("${prefix}/bin/railwright" --version)
foreach(file share/bash-completion/completions/railwright share/zsh/site-functions/_railwright
        share/fish/vendor_completions.d/railwright.fish share/man/man1/railwright.1)
  file(SIZE "${prefix}/${file}" size)
  if(size LESS 200)
    message(FATAL_ERROR "${file} is empty")
  endif()
endforeach()
