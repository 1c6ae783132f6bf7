// SPDX-License-Identifier: Apache-2.0
#include "shell_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <map>
#include <optional>
#include <set>

#include "findings.hpp"
#include "shell_arithmetic.hpp"

namespace railwright::importers {

namespace {

constexpr std::size_t kMaxOptions = 5000;
constexpr std::size_t kMaxText = 65536;  ///< characters of a variable that grows by `+=`
constexpr std::size_t kMaxValue = 4096;  ///< characters of a value after expanding its variables

/// Ends of names that people give to variables of options.
constexpr auto kNamesOfOptions =
    std::to_array<std::string_view>({"ARGS", "ARG", "OPTS", "OPTIONS", "FLAGS", "PARAMS", "EXTRA"});

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
    } else if (c == '>' || (c == '&' && peek(1) == '>')) {
      redirection();
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

  /// Passes over `2>&1`, `&> file` and the like, with the number before and the file behind.
  void redirection() {
    const bool is_number =
        std::ranges::all_of(word_.text, [](char c) { return c >= '0' && c <= '9'; });
    if (is_open_ && is_number) {
      word_ = {};
      is_open_ = false;
    }
    flush();
    while (peek() == '>' || peek() == '&' || peek() == '|') ++at_;
    while (peek() == ' ' || peek() == '\t') ++at_;
    const std::string_view ends = " \t\r\n;|&()";
    while (at_ < text_.size() && ends.find(peek()) == std::string_view::npos) ++at_;
    --at_;  // step() goes on by one
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
    result_.variables.kind = core::Node::Kind::kMapping;
    result_.variables.where = {file};
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

  ShellOptions take() {
    for (auto& [name, text] : variables_) {
      if (text.find('$') == std::string::npos) {
        core::add_entry(result_.variables, name, core::text_node(text));
      } else {
        result_.unset_variables.push_back(
            {.name = name, .option = shown(name), .value = text, .where = {file_}});
      }
    }
    return std::move(result_);
  }

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
    const std::string_view before = std::string_view(word.text).substr(0, equals);
    if (!std::ranges::all_of(before.substr(0, before.find('+')), is_name_char) ||
        before.find('+') < before.size() - 1) {
      return false;
    }
    std::string name = word.text.substr(0, equals);
    const bool appends = name.ends_with('+');
    if (appends) name.pop_back();
    const std::string value = word.text.substr(equals + 1);
    if (value.starts_with("--") || value.find(" --") != std::string::npos ||
        value.find("\n--") != std::string::npos) {
      of_options_.insert(name);
      if (depth == 0) read(value, word.where.line, depth + 1);
    } else if (value.empty()) {
      of_options_.insert(name);  // an array stands behind it, or nothing
    } else {
      std::string text = resolved(value);
      if (appends) text.insert(0, variables_[name]);
      if (variables_.size() < kMaxOptions && text.size() <= kMaxText) {
        variables_[name] = std::move(text);
      }
    }
    return true;
  }

  /// Appends the value of `$((N * 8))` or `$(expr N / 8)` at this place. Returns the place behind
  /// it; `at` where there is none that can be evaluated.
  std::size_t add_arithmetic(std::string_view text, std::size_t at, std::string& result) const {
    const bool is_expr = text.substr(at).starts_with("$(expr ");
    if (!is_expr && !text.substr(at).starts_with("$((")) return at;
    const std::size_t start = at + (is_expr ? 7 : 3);
    std::size_t end = start;
    for (int depth = 1; end < text.size(); ++end) {
      depth += text[end] == '(' ? 1 : text[end] == ')' ? -1 : 0;
      if (depth == 0) break;
    }
    const std::size_t behind = end + (is_expr ? 1 : 2);
    if (behind > text.size() || (!is_expr && text[end + 1] != ')')) return at;
    const auto value = shell_arithmetic(text.substr(start, end - start),
                                        [&](const std::string& name) -> std::optional<std::string> {
                                          const auto known = variables_.find(name);
                                          if (known == variables_.end()) return {};
                                          return known->second;
                                        });
    if (!value) return at;
    result += std::to_string(*value);
    return behind;
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
      if (const std::size_t end = add_arithmetic(text, at, result); end > at) {
        at = end;
        continue;
      }
      const bool braces = text[at + 1] == '{';
      const std::size_t start = at + (braces ? 2 : 1);
      std::size_t end = start;
      while (end < text.size() && is_name_char(text[end])) ++end;
      const std::string name(text.substr(start, end - start));
      std::size_t behind = end;
      std::optional<std::string> fallback;
      bool assigns = false;  // "${NAME:=4}"
      if (braces) {
        const std::size_t close = text.find('}', end);
        if (close == std::string_view::npos) return std::string(text);
        const std::string_view modifier = text.substr(end, close - end);
        const std::size_t sign = modifier.starts_with(':') ? 1 : 0;
        if (modifier.size() > sign && (modifier[sign] == '-' || modifier[sign] == '=')) {
          fallback = std::string(modifier.substr(sign + 1));
          assigns = modifier[sign] == '=';
        }
        behind = close + 1;
      }
      const auto known = variables_.find(name);
      if (known != variables_.end() && known->second.find('$') == std::string::npos) {
        result += known->second;
      } else if (fallback && !fallback->empty() && fallback->find('$') == std::string::npos) {
        result += *fallback;
        result_.defaults.push_back(fmt::format("{} {}", shown(name), shown(*fallback)));
        if (assigns && variables_.size() < kMaxOptions) variables_[name] = *fallback;
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
    // A list of Megatron's YAML: "--num-layers: 32".
    if (name.ends_with(':')) name.pop_back();
    cut_at_program(values);
    std::erase_if(values, [&](const Word& word) { return holds_options(word.text); });
    core::Node node = node_of(values, option.where);
    const std::string text = core::to_yaml(node);
    if (text.find('$') != std::string::npos) {
      std::erase_if(result_.options.entries,
                    [&](const core::Entry& entry) { return entry.key == name; });
      result_.unset.push_back({.name = std::move(name),
                               .option = shown(option.text.substr(0, equals)),
                               .value = shown(text),
                               .where = option.where});
      return;
    }
    std::erase_if(result_.unset, [&](const UnsetOption& one) { return one.name == name; });
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

  /// Moves what is behind an option's values to the operands: the program that a launcher starts.
  void cut_at_program(std::vector<Word>& values) {
    const auto program = std::ranges::find_if(values, [](const Word& word) {
      return word.text == "-m" || word.text.ends_with(".py") || word.text.ends_with(".sh");
    });
    if (program == values.begin() || program == values.end()) return;
    for (auto word = program; word != values.end(); ++word) {
      if (result_.operands.size() < kMaxOptions) result_.operands.push_back(resolved(word->text));
    }
    values.erase(program, values.end());
  }

  /// Whether a word is a variable or an array of further options, by what the file sets it to or by
  /// its name. Says so where the file does not set it.
  bool holds_options(std::string_view word) {
    if (!word.starts_with('$') || word.starts_with("$(")) return false;
    std::string name(word.substr(1));
    std::erase_if(name, [](char c) { return c == '{' || c == '}'; });
    const bool is_array = name.ends_with("[@]") || name.ends_with("[*]");
    if (is_array) name.resize(name.size() - 3);
    if (name.empty() || !std::ranges::all_of(name, is_name_char)) return false;
    if (of_options_.contains(name)) return true;
    if (variables_.contains(name)) return false;
    std::string upper = name;
    std::ranges::transform(upper, upper.begin(), [](unsigned char c) { return std::toupper(c); });
    const bool is_named_so =
        is_array || std::ranges::any_of(kNamesOfOptions,
                                        [&](std::string_view end) { return upper.ends_with(end); });
    if (is_named_so) result_.outside.push_back(shown(word));
    return is_named_so;
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
  std::set<std::string> of_options_;  ///< variables that the file sets to options
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
