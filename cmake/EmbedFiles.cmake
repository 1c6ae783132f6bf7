# SPDX-License-Identifier: Apache-2.0
# Text files as C++ data, each with the hash that a Content-Security-Policy names it by.
# Included: railwright_embed_files(<target> <cpp file> NAMESPACE <ns> NAMES ... PATHS ...), NAMES and PATHS in
# pairs; the file defines railwright::<ns>::page_files().
# Run by the build as cmake -DOUTPUT=... -DLIST=... -DNAMESPACE=... -P EmbedFiles.cmake.
if(NOT CMAKE_SCRIPT_MODE_FILE)
  set(railwright_embed_script "${CMAKE_CURRENT_LIST_FILE}")
  function(railwright_embed_files target output)
    cmake_parse_arguments(PARSE_ARGV 2 arg "" "NAMESPACE" "NAMES;PATHS")
    set(lines "")
    foreach(name path IN ZIP_LISTS arg_NAMES arg_PATHS)
      string(APPEND lines "${name}\n${path}\n")
    endforeach()
    set(list "${output}.list")
    file(CONFIGURE OUTPUT "${list}" CONTENT "${lines}" @ONLY)
    add_custom_command(
      OUTPUT "${output}"
      COMMAND "${CMAKE_COMMAND}" "-DOUTPUT=${output}" "-DLIST=${list}"
              "-DNAMESPACE=${arg_NAMESPACE}" -P "${railwright_embed_script}"
      DEPENDS "${railwright_embed_script}" "${list}" ${arg_PATHS}
      COMMENT "Embedding the files of the web pages"
      VERBATIM)
    target_sources(${target} PRIVATE "${output}")
    set_source_files_properties("${output}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endfunction()
  return()
endif()

# RFC 4648, of the 64 hexadecimal digits of a SHA-256.
function(base64_of_sha256 digits result)
  set(letters "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
  set(text "")
  string(APPEND digits "00")  # to 33 bytes: eleven groups of three, the last letter being padding
  foreach(group RANGE 10)
    math(EXPR at "6 * ${group}")
    string(SUBSTRING "${digits}" ${at} 6 three)
    math(EXPR bits "0x${three}")
    foreach(shift IN ITEMS 18 12 6 0)
      math(EXPR letter "(${bits} >> ${shift}) & 63")
      string(SUBSTRING "${letters}" ${letter} 1 one)
      string(APPEND text "${one}")
    endforeach()
  endforeach()
  string(SUBSTRING "${text}" 0 43 text)
  set(${result} "${text}=" PARENT_SCOPE)
endfunction()

file(STRINGS "${LIST}" lines)
set(entries "")
while(lines)
  list(POP_FRONT lines name path)
  file(READ "${path}" bytes HEX)
  string(REGEX REPLACE "(..)" "\\\\x\\1" literal "${bytes}")
  file(SHA256 "${path}" digits)
  base64_of_sha256("${digits}" hash)
  string(APPEND entries "    {\"${name}\", \"${literal}\"sv, \"${hash}\"},\n")
endwhile()
file(WRITE "${OUTPUT}" "// Made by cmake/EmbedFiles.cmake.
#include \"railwright/${NAMESPACE}/html/page_files.hpp\"

namespace railwright::${NAMESPACE} {

namespace {

using namespace std::string_view_literals;

constexpr output::PageFile kFiles[] = {
${entries}};

}  // namespace

std::span<const output::PageFile> page_files() { return kFiles; }

}  // namespace railwright::${NAMESPACE}
")
