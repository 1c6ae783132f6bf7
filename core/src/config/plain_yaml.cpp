// SPDX-License-Identifier: Apache-2.0
#include "config/plain_yaml.hpp"

#include <algorithm>
#include <string>

#include "config/tree_builder.hpp"

namespace railwright::core {

namespace {

constexpr std::size_t kNone = std::string_view::npos;
constexpr unsigned char kLastAscii = 0x7f;
constexpr std::size_t kLongestKey = 1000;  // yaml-cpp refuses longer ones than 1024

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}
bool is_key_letter(char c) { return is_word(c) || c == '.' || c == '-' || c == '/' || c == '+'; }

/// Whether yaml-cpp takes a text for null.
bool is_null(std::string_view text) {
  return text == "null" || text == "Null" || text == "NULL" || text == "~";
}

class PlainYaml {
 public:
  PlainYaml(std::string_view text, TreeBuilder& builder) : text_(text), builder_(builder) {}

  bool read() {
    if (!skip_to_text() || column() != 0) return false;
    builder_.OnDocumentStart(mark());
    if (!block(0)) return false;
    return !skip_to_text();
  }

 private:
  [[nodiscard]] bool is_at_end() const { return at_ >= text_.size(); }
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\n';
  }
  [[nodiscard]] int column() const { return static_cast<int>(at_ - line_begin_); }
  [[nodiscard]] YAML::Mark mark() const {
    YAML::Mark here;
    here.pos = static_cast<int>(at_);
    here.line = line_;
    here.column = column();
    return here;
  }

  void skip_spaces() {
    while (peek() == ' ') ++at_;
  }
  /// Skips spaces and a comment, which needs a space before it or begins the line.
  bool skip_to_line_end() {
    const std::size_t before = at_;
    skip_spaces();
    if (peek() == '#' && (at_ > before || column() == 0)) {
      at_ = std::min(text_.find('\n', at_), text_.size());
    }
    return peek() == '\n';
  }
  void next_line() {
    at_ = std::min(at_ + 1, text_.size());
    line_begin_ = at_;
    ++line_;
  }
  /// Goes to the next text on this or a later line; false if there is none.
  bool skip_to_text() {
    while (!is_at_end() && skip_to_line_end()) {
      if (!is_at_end()) next_line();
    }
    return !is_at_end();
  }

  [[nodiscard]] bool is_item() const { return peek() == '-' && (peek(1) == ' '); }
  /// Returns the length of a key before a colon that ends it, 0 if there is none.
  [[nodiscard]] std::size_t key_length() const {
    if (!is_word(peek())) return 0;
    std::size_t length = 1;
    while (length < kLongestKey && is_key_letter(peek(length))) ++length;
    const bool ends = peek(length) == ':' && (peek(length + 1) == ' ' || peek(length + 1) == '\n');
    return ends && !is_null(text_.substr(at_, length)) ? length : 0;
  }

  void scalar(std::size_t length, const char* tag) {
    builder_.OnScalar(mark(), tag, 0, std::string(text_.substr(at_, length)));
    at_ += length;
  }

  /// Reads a mapping or sequence whose first line begins here, in this column.
  bool block(int indent) {
    if (is_item()) return sequence(indent);
    return key_length() > 0 && mapping(indent);
  }

  bool mapping(int indent) {
    builder_.OnMapStart(mark(), "?", 0, YAML::EmitterStyle::Block);
    do {
      const std::size_t length = key_length();
      if (length == 0) return false;
      scalar(length, "?");
      ++at_;
      if (!value_of_key(indent)) return false;
    } while (skip_to_text() && column() == indent);
    if (!is_at_end() && column() > indent) return false;
    builder_.OnMapEnd();
    return true;
  }

  bool value_of_key(int indent) {
    if (!skip_to_line_end()) return value(indent);
    if (!skip_to_text()) return false;
    if (column() > indent || (column() == indent && is_item())) return block(column());
    return false;
  }

  bool sequence(int indent) {
    builder_.OnSequenceStart(mark(), "?", 0, YAML::EmitterStyle::Block);
    do {
      if (!is_item()) break;
      ++at_;
      skip_spaces();
      const bool is_mapping = key_length() > 0;
      if (!(is_mapping ? mapping(column()) : value(indent))) return false;
    } while (skip_to_text() && column() == indent);
    if (!is_at_end() && column() > indent) return false;
    builder_.OnSequenceEnd();
    return true;
  }

  /// Reads a value that ends with its line, or a flow collection; what follows is not indented
  /// deeper.
  bool value(int indent) {
    const char first = peek();
    if (first == '{' || first == '[') {
      if (!flow()) return false;
    } else if (first == '"' || first == '\'') {
      if (!quoted()) return false;
    } else if (!plain("")) {
      return false;
    }
    if (!skip_to_line_end()) return false;
    return !skip_to_text() || column() <= indent;
  }

  bool quoted() {
    const char quote = peek();
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == kNone) return false;
    const std::string_view inside = text_.substr(at_ + 1, end - at_ - 1);
    if (inside.find_first_of("\\\n") != kNone || text_.substr(end + 1, 1) == "'") return false;
    builder_.OnScalar(mark(), "!", 0, std::string(inside));
    at_ = end + 1;
    return true;
  }

  /// Reads a plain scalar up to the line's end, a comment or one of the letters that end it.
  bool plain(std::string_view ends) {
    const bool begins = is_word(peek()) || peek() == '.' || peek() == '/' || peek() == '+' ||
                        (peek() == '-' && (is_word(peek(1)) || peek(1) == '.'));
    if (!begins || text_.substr(at_, 3) == "...") return false;
    std::size_t end = at_;
    for (; end < text_.size() && text_[end] != '\n'; ++end) {
      const char c = text_[end];
      if (ends.find(c) != kNone) break;
      if (c == '#' && text_[end - 1] == ' ') break;
      // In flow style these letters mean something too.
      if (!ends.empty() && (c == '?' || c == '[' || c == '{')) return false;
      if (c != ':') continue;
      const char next = end + 1 < text_.size() ? text_[end + 1] : '\n';
      if (next == ' ' || next == '\n' || next == ',' || next == ']' || next == '}') return false;
    }
    while (end > at_ && text_[end - 1] == ' ') --end;
    if (end == at_ || is_null(text_.substr(at_, end - at_))) return false;
    scalar(end - at_, "?");
    return true;
  }

  bool flow() {
    const bool is_map = peek() == '{';
    const char close = is_map ? '}' : ']';
    if (is_map) {
      builder_.OnMapStart(mark(), "?", 0, YAML::EmitterStyle::Flow);
    } else {
      builder_.OnSequenceStart(mark(), "?", 0, YAML::EmitterStyle::Flow);
    }
    ++at_;
    if (!skip_to_text()) return false;
    for (bool is_first = true; peek() != close || is_first; is_first = false) {
      if (peek() == close) break;
      if (is_map && !key_in_flow()) return false;
      if (!value_in_flow()) return false;
      if (!skip_to_text()) return false;
      if (peek() == close) break;
      if (peek() != ',') return false;
      ++at_;
      if (!skip_to_text() || peek() == close) return false;
    }
    ++at_;
    if (is_map) {
      builder_.OnMapEnd();
    } else {
      builder_.OnSequenceEnd();
    }
    return true;
  }

  bool key_in_flow() {
    const std::size_t length = key_length();
    if (length == 0) return false;
    scalar(length, "?");
    ++at_;
    return skip_to_text();
  }

  bool value_in_flow() {
    const char first = peek();
    if (first == '{' || first == '[') return flow();
    if (first == '"' || first == '\'') return quoted();
    if (!plain(",]}")) return false;
    // Text on the next line would belong to the same scalar.
    if (!skip_to_text()) return false;
    return peek() == ',' || peek() == ']' || peek() == '}';
  }

  std::string_view text_;
  TreeBuilder& builder_;
  std::size_t at_ = 0;
  std::size_t line_begin_ = 0;
  int line_ = 0;
};

/// Whether the text has letters only that are known here.
bool is_known(std::string_view text) {
  return std::ranges::none_of(text, [](char c) {
    return c == '\t' || c == '\r' || static_cast<unsigned char>(c) > kLastAscii;
  });
}

}  // namespace

bool read_plain_yaml(std::string_view text, TreeBuilder& builder) {
  return is_known(text) && PlainYaml(text, builder).read();
}

}  // namespace railwright::core
