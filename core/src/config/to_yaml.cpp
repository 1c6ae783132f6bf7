// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <string>
#include <string_view>

#include "railwright/core/config/tree.hpp"

namespace railwright::core {

namespace {

bool is_plain_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == '/' || c == '+' || c == '-' || c == '*' || c == ' ' || c == '(' ||
         c == ')' || c == '%' || c == '$';
}

void write_text(std::string_view text, bool quote, std::string& out) {
  if (!quote && reads_back_plain(text)) {
    out += text;
    return;
  }
  out += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (byte < 0x20U || byte == 0x7FU) {
      out += fmt::format("\\x{:02X}", byte);
    } else {
      out += c;
    }
  }
  out += '"';
}

void write(const Node& node, std::string& out) {
  switch (node.kind) {
    case Node::Kind::kNull:
      out += "null";
      return;
    case Node::Kind::kScalar:
      write_text(node.text, node.quoted, out);
      return;
    case Node::Kind::kSequence: {
      out += '[';
      const char* separator = "";
      for (const Node& item : node.items) {
        out += separator;
        write(item, out);
        separator = ", ";
      }
      out += ']';
      return;
    }
    case Node::Kind::kMapping: {
      out += '{';
      const char* separator = "";
      for (const Entry& entry : node.entries) {
        out += separator;
        write_text(entry.key, entry.key == "<<", out);
        out += ": ";
        write(entry.value, out);
        separator = ", ";
      }
      out += '}';
      return;
    }
  }
}

}  // namespace

bool reads_back_plain(std::string_view text) {
  if (text.empty() || text == "null" || text == "Null" || text == "NULL") return false;
  const char first = text.front();
  if (first == ' ' || first == '*' || first == '%' || text.back() == ' ') return false;
  if (text == "-" || text.starts_with("- ") || text.starts_with("---")) return false;
  if (text.starts_with("...")) return false;
  for (const char c : text) {
    if (!is_plain_letter(c)) return false;
  }
  return true;
}

std::string to_yaml(const Node& node) {
  std::string text;
  write(node, text);
  return text;
}

}  // namespace railwright::core
