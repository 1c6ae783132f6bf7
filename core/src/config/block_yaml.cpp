// SPDX-License-Identifier: Apache-2.0
#include "railwright/core/config/block_yaml.hpp"

#include <fmt/format.h>

#include "railwright/core/config/writer.hpp"

namespace railwright::core {

namespace {

void write_block(const Node& mapping, const std::map<std::string, std::string>& comments,
                 const std::string& path, std::size_t depth, std::string& out) {
  for (const Entry& entry : mapping.entries) {
    const std::string here = fmt::format("{}{}{}", path, path.empty() ? "" : ".", entry.key);
    const bool is_nested = entry.value.is_mapping() && !entry.value.entries.empty();
    out += fmt::format("{:{}}{}:", "", 2 * depth, to_yaml(text_node(entry.key)));
    if (!is_nested) out += fmt::format(" {}", to_yaml(entry.value));
    if (const auto comment = comments.find(here); comment != comments.end()) {
      out += fmt::format("  # {}", comment_text(comment->second));
    }
    out += '\n';
    if (is_nested) write_block(entry.value, comments, here, depth + 1, out);
  }
}

}  // namespace

std::string comment_text(std::string_view text) {
  std::string line;
  for (const char c : text) line += c >= ' ' && c <= '~' ? c : '?';
  return line;
}

std::string to_block_yaml(const Node& mapping, const std::map<std::string, std::string>& comments) {
  std::string out;
  write_block(mapping, comments, "", 0, out);
  return out;
}

}  // namespace railwright::core
