// SPDX-License-Identifier: Apache-2.0
// parse_yaml: checks the bytes, then lets yaml-cpp drive the TreeBuilder over one document.
#include <fmt/format.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <sstream>
#include <string>

#include "config/tree_builder.hpp"
#include "railwright/core/config/text_file.hpp"
#include "railwright/core/config/tree.hpp"

namespace railwright::core {

namespace {

/// Returns the length of the well-formed UTF-8 sequence at `at`, or 0.
std::size_t utf8_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0U;
  };
  const auto continues = [&](std::size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
  const unsigned lead = byte(0);
  if (lead < 0x80U) return 1;
  if (lead >= 0xC2U && lead <= 0xDFU) return continues(1) ? 2 : 0;
  if (lead >= 0xE0U && lead <= 0xEFU) {
    const unsigned low = lead == 0xE0U ? 0xA0U : 0x80U;
    const unsigned high = lead == 0xEDU ? 0x9FU : 0xBFU;  // no surrogates
    return byte(1) >= low && byte(1) <= high && continues(2) ? 3 : 0;
  }
  if (lead >= 0xF0U && lead <= 0xF4U) {
    const unsigned low = lead == 0xF0U ? 0x90U : 0x80U;
    const unsigned high = lead == 0xF4U ? 0x8FU : 0xBFU;
    return byte(1) >= low && byte(1) <= high && continues(2) && continues(3) ? 4 : 0;
  }
  return 0;
}

}  // namespace

/// Rejects bytes that yaml-cpp misreads: it takes byte 4 for the end of the file and guesses at
/// other encodings.
void check_bytes(std::string_view text, const std::string& name) {
  Location where{name, 1, 1};
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    const std::size_t length = utf8_length(text, i);
    if (length == 0) throw ConfigError({{where, "", "not valid UTF-8", "save it as UTF-8"}});
    const bool control = c >= 0 && c < ' ' && c != '\n' && c != '\t' && c != '\r';
    if (control || c == '\x7f') {
      throw ConfigError({{where, "",
                          c == '\0' ? "a NUL character is not allowed"
                                    : fmt::format("control character 0x{:02x} is not allowed",
                                                  static_cast<unsigned char>(c)),
                          ""}});
    }
    i += length;
    if (c == '\n') {
      ++where.line;
      where.column = 1;
    } else {
      where.column += static_cast<int>(length);
    }
  }
}

Node parse_yaml(std::string_view text, std::string_view name, const YamlLimits& limits) {
  const std::string file(name);
  if (text.size() > limits.max_bytes) {
    throw ConfigError({{{file},
                        "",
                        fmt::format("larger than {} bytes", limits.max_bytes),
                        "a scenario is small; is this the right file?"}});
  }
  check_bytes(text, file);
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  TreeBuilder builder(file, text, limits);
  std::istringstream stream{std::string(text)};
  try {
    YAML::Parser parser(stream);
    // Not a loop, because a text that starts with a comma yields endless "documents".
    parser.HandleNextDocument(builder);
    if (builder.has_document()) parser.HandleNextDocument(builder);
  } catch (const YAML::Exception& error) {
    Location where{file};
    if (!error.mark.is_null()) {
      where.line = error.mark.line + 1;
      where.column = error.mark.column + 1;
    }
    throw ConfigError({{where, "", "not valid YAML: " + error.msg, ""}});
  }
  if (!builder.has_document()) throw ConfigError({{{file}, "", "empty: it holds no values", ""}});
  return builder.take();
}

}  // namespace railwright::core
