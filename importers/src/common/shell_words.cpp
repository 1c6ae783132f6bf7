// SPDX-License-Identifier: Apache-2.0
#include "shell_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>

#include "findings.hpp"

namespace railwright::importers {

namespace {

constexpr std::size_t kMaxOptions = 5000;
constexpr std::size_t kMaxValue = 4096;  ///< characters of a value after expanding its variables

struct Word {
  std::string text;
  core::Location where;
  bool ends_command = false;  ///< a line end or separator instead of a word
};

bool is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Splits a script into words; `first_line` is the line of the file at which the text starts.
class Words {
 public:
  Words(std::string_view text, const std::string& file, int first_line)
      : text_(text), file_(file), line_(first_line) {}

  std::vector<Word> all() {
    while (at_ < text_.size()) step();
    flush();
    return std::move(words_);
  }

 private:
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  void next_line() {
    ++line_;
    line_start_ = at_ + 1;
  }

  void begin() {
    if (is_open_) return;
    is_open_ = true;
    word_.where = {file_, line_, static_cast<int>(at_ - line_start_) + 1};
  }

  void flush() {
    if (is_open_) words_.push_back(std::move(word_));
    word_ = {};
    is_open_ = false;
  }

  void end_command() {
    flush();
    words_.push_back({.text = {}, .where = {file_, line_, 1}, .ends_command = true});
  }

  void step() {
    const char c = peek();
    if (c == '\\' && (peek(1) == '\n' || (peek(1) == '\r' && peek(2) == '\n'))) {
      flush();
      at_ += peek(1) == '\r' ? 2 : 1;
      next_line();
    } else if (c == '\n') {
      end_command();
      next_line();
    } else if (c == ' ' || c == '\t' || c == '\r') {
      flush();
    } else if (c == '#' && !is_open_) {
      while (at_ + 1 < text_.size() && peek(1) != '\n') ++at_;
    } else if (c == '"' || c == '\'') {
      quoted(c);
    } else if (c == '$' && peek(1) == '(') {
      begin();
      substitution();
    } else if (c == '(' || c == ')' || c == ';' || c == '|' || c == '&') {
      end_command();
    } else {
      begin();
      if (c == '\\') ++at_;
      word_.text += peek();
    }
    ++at_;
  }

  void quoted(char quote) {
    begin();
    for (++at_; at_ < text_.size() && peek() != quote; ++at_) {
      if (peek() == '\n') next_line();
      if (quote == '"' && peek() == '\\' && at_ + 1 < text_.size()) {
        ++at_;
        if (peek() == '\n') {
          next_line();
          word_.text += ' ';
          continue;
        }
      }
      word_.text += peek();
    }
  }

  /// Keeps `$(...)` as it is: nothing is run.
  void substitution() {
    int depth = 0;
    for (; at_ < text_.size(); ++at_) {
      if (peek() == '\n') next_line();
      if (peek() == '(') ++depth;
      word_.text += peek();
      if (peek() == ')' && --depth == 0) return;
    }
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
  std::size_t line_start_ = 0;
  int line_;
  bool is_open_ = false;
  Word word_;
  std::vector<Word> words_;
};

class ShellReading {
 public:
  ShellReading(const std::string& file, std::span<const std::string_view> short_names)
      : file_(file), short_names_(short_names) {
    result_.options.kind = core::Node::Kind::kMapping;
    result_.options.where = {file};
  }

  void read(std::string_view text, int first_line, int depth) {
    std::optional<Word> option;
    std::vector<Word> values;
    std::vector<std::string> operands;
    for (const Word& word : Words(text, file_, first_line).all()) {
      const bool is_option = !word.ends_command && names_option(word.text);
      if (is_option || word.ends_command) {
        if (option) put(*option, values);
        option.reset();
        values.clear();
        if (is_option) {
          std::ranges::move(operands, std::back_inserter(result_.operands));
          // `--key=value` has its value, `--key` takes the words behind it.
          if (word.text.find('=') != std::string::npos) {
            put(word, {});
          } else {
            option = word;
          }
        }
        operands.clear();
      } else if (assign(word, depth)) {
        continue;
      } else if (option) {
        values.push_back(word);
      } else if (word.text.find("--") != std::string::npos && depth == 0) {
        read(word.text, word.where.line, depth + 1);
      } else if (result_.operands.size() + operands.size() < kMaxOptions) {
        operands.push_back(resolved(word.text));
      }
    }
    if (option) put(*option, values);
  }

  ShellOptions take() { return std::move(result_); }

 private:
  [[nodiscard]] bool names_option(std::string_view word) const {
    if (word.find(' ') != std::string_view::npos) return false;
    return (word.starts_with("--") && word.size() > 2) ||
           std::ranges::count(short_names_, word.substr(0, word.find('='))) > 0;
  }

  /// Reads NAME=value, where the value may itself hold options.
  bool assign(const Word& word, int depth) {
    const std::size_t equals = word.text.find('=');
    if (equals == std::string::npos || equals == 0 || word.text.front() == '-') return false;
    if (!std::all_of(word.text.begin(), word.text.begin() + static_cast<std::ptrdiff_t>(equals),
                     is_name_char)) {
      return false;
    }
    const std::string name = word.text.substr(0, equals);
    const std::string value = word.text.substr(equals + 1);
    if (value.starts_with("--") || value.find(" --") != std::string::npos ||
        value.find("\n--") != std::string::npos) {
      if (depth == 0) read(value, word.where.line, depth + 1);
    } else if (!value.empty()) {
      if (variables_.size() < kMaxOptions) variables_[name] = resolved(value);
    }
    return true;
  }

  /// Expands the variables that have a value, and keeps the others.
  std::string resolved(std::string_view text) {
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
      if (result.size() > kMaxValue) return std::string(text.substr(0, kMaxValue));
      if (text[at] != '$' || at + 1 == text.size()) {
        result += text[at++];
        continue;
      }
      const bool braces = text[at + 1] == '{';
      const std::size_t start = at + (braces ? 2 : 1);
      std::size_t end = start;
      while (end < text.size() && is_name_char(text[end])) ++end;
      const std::string name(text.substr(start, end - start));
      std::size_t behind = end;
      std::optional<std::string> fallback;
      if (braces) {
        const std::size_t close = text.find('}', end);
        if (close == std::string_view::npos) return std::string(text);
        const std::string_view modifier = text.substr(end, close - end);
        if (modifier.starts_with(":-")) fallback = std::string(modifier.substr(2));
        behind = close + 1;
      }
      const auto known = variables_.find(name);
      if (known != variables_.end() && known->second.find('$') == std::string::npos) {
        result += known->second;
      } else if (fallback && !fallback->empty() && fallback->find('$') == std::string::npos) {
        result += *fallback;
        result_.defaults.push_back(fmt::format("{} {}", shown(name), shown(*fallback)));
      } else {
        result += text.substr(at, behind - at);
      }
      at = std::max(behind, at + 1);
    }
    return result;
  }

  void put(const Word& option, std::vector<Word> values) {
    const std::size_t equals = option.text.find('=');
    std::string name = option.text.substr(0, equals);
    name.erase(0, name.find_first_not_of('-'));
    if (equals != std::string::npos) {
      values.insert(values.begin(),
                    {.text = option.text.substr(equals + 1), .where = option.where});
    }
    std::ranges::replace(name, '-', '_');
    // Drops arrays of further options, which are no value of this one.
    std::erase_if(values, [](const Word& word) {
      return word.text.starts_with("${") && word.text.ends_with("[@]}");
    });
    core::Node node = node_of(values, option.where);
    const std::string text = core::to_yaml(node);
    if (text.find('$') != std::string::npos) {
      result_.unset.push_back(fmt::format("{} {}", shown(option.text), shown(text)));
      return;
    }
    core::Node* old = result_.options.find(name);
    if (old == nullptr) {
      if (result_.options.entries.size() >= kMaxOptions) {
        throw core::ConfigError(
            {{option.where, "", fmt::format("more than {} options", kMaxOptions), ""}});
      }
      result_.options.entries.push_back({std::move(name), option.where, std::move(node)});
      return;
    }
    if (core::to_yaml(*old) != text) {
      result_.doubled.push_back(fmt::format("{} {}, then {}", shown(option.text),
                                            shown(core::to_yaml(*old)), shown(text)));
    }
    *old = std::move(node);
  }

  core::Node node_of(const std::vector<Word>& values, const core::Location& where) {
    const auto scalar = [&](const std::string& text, const core::Location& place) {
      core::Node node;
      node.kind = core::Node::Kind::kScalar;
      node.text = text;
      node.where = place;
      return node;
    };
    if (values.empty()) return scalar("true", where);
    if (values.size() == 1) return scalar(resolved(values[0].text), values[0].where);
    core::Node list;
    list.kind = core::Node::Kind::kSequence;
    list.where = where;
    for (const Word& value : values)
      list.items.push_back(scalar(resolved(value.text), value.where));
    return list;
  }

  std::string file_;
  std::span<const std::string_view> short_names_;
  std::map<std::string, std::string> variables_;
  ShellOptions result_;
};

}  // namespace

ShellOptions shell_options(std::string_view text, const std::string& file,
                           std::span<const std::string_view> short_names) {
  ShellReading reading(file, short_names);
  reading.read(text, 1, 0);
  return reading.take();
}

}  // namespace railwright::importers
