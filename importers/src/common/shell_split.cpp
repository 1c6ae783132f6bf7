// SPDX-License-Identifier: Apache-2.0
#include "shell_split.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "railwright/core/config/text_file.hpp"
#include "railwright/core/error.hpp"

namespace railwright::importers {

namespace {

constexpr std::size_t kMaxEndless = 64;  ///< here-documents whose missing end is looked for

class ShellSplitter {
 public:
  ShellSplitter(std::string_view text, const std::string& file, int first_line, bool is_script)
      : text_(text), file_(file), line_(first_line), is_script_(is_script) {}

  std::vector<ShellCommand> all() {
    while (at_ < text_.size()) step();
    flush();
    if (!command_.words.empty()) end_command('\n');
    return std::move(commands_);
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
    if (is_open_) command_.words.push_back(std::move(word_));
    word_ = {};
    is_open_ = false;
  }

  void end_command(char end) {
    flush();
    command_.end = end;
    command_.is_document = at_ < document_end_;
    commands_.push_back(std::move(command_));
    command_ = {};
  }

  void step() {
    const char c = peek();
    if (c == '\\' && (peek(1) == '\n' || (peek(1) == '\r' && peek(2) == '\n'))) {
      flush();
      at_ += peek(1) == '\r' ? 2 : 1;
      next_line();
    } else if (c == '\n') {
      end_command(c);
      next_line();
      begin_document();
    } else if (c == ' ' || c == '\t' || c == '\r') {
      flush();
    } else if (c == '#' && !is_open_) {
      while (at_ + 1 < text_.size() && peek(1) != '\n') ++at_;
    } else if (c == '"' || c == '\'') {
      quoted(c);
    } else if (c == '`') {
      begin();
      backticks();
    } else if (c == '$' && peek(1) == '(') {
      begin();
      substitution();
    } else if (c == '>' || (c == '&' && peek(1) == '>')) {
      redirection();
    } else if (c == '<' && peek(1) == '<' && peek(2) != '<' && !is_open_) {
      name_document();
    } else if (c == '(' || c == ')' || c == ';' || c == '|' || c == '&') {
      end_command(c);
    } else {
      begin();
      if (c == '\\') ++at_;
      word_.text += peek();
    }
    ++at_;
  }

  /// Returns the place of the quote that ends the text which begins here, or where the line or the
  /// file ends before it.
  [[nodiscard]] std::size_t end_of_quoted(char quote, bool goes_over_lines) const {
    std::size_t end = at_ + 1;
    while (end < text_.size() && text_[end] != quote && (goes_over_lines || text_[end] != '\n')) {
      const bool is_pair = quote == '"' && text_[end] == '\\' &&
                           (goes_over_lines || text_.substr(end + 1, 1) != "\n");
      end += is_pair ? 2 : 1;
    }
    return std::min(end, text_.size());
  }

  void quoted(char quote) {
    const bool goes_over_lines = is_script_ && at_ >= document_end_;
    const std::size_t end = end_of_quoted(quote, goes_over_lines);
    if (end == text_.size() && goes_over_lines) {
      throw core::ConfigError({{{file_, line_, static_cast<int>(at_ - line_start_) + 1},
                                "",
                                "a quote that never ends",
                                ""}});
    }
    if (end == text_.size() || text_[end] != quote) {
      begin();
      word_.text += quote;
      return;
    }
    if (!is_open_) word_.is_quoted = true;
    begin();
    for (++at_; at_ < end; ++at_) {
      if (peek() == '\n') next_line();
      if (quote == '"' && peek() == '`' && text_.find('`', at_ + 1) < end) {
        backticks();
        continue;
      }
      if (quote == '"' && peek() == '\\') {
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

  /// Passes over `2>&1`, `&> file` and the like, with the number before and the file after.
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

  /// Writes `command` as $(command).
  void backticks() {
    word_.text += "$(";
    for (++at_; at_ < text_.size() && peek() != '`'; ++at_) {
      if (peek() == '\n') next_line();
      word_.text += peek();
    }
    word_.text += ')';
  }

  /// Reads the word after `<<`, with which a here-document ends.
  void name_document() {
    at_ += 2;
    if (peek() == '-') ++at_;
    while (peek() == ' ') ++at_;
    const std::size_t start = at_;
    while (at_ < text_.size() &&
           std::string_view(" \t\r\n;|&<>()").find(peek()) == std::string_view::npos) {
      ++at_;
    }
    document_word_ = text_.substr(start, at_ - start);
    std::erase_if(document_word_, [](char c) { return c == '"' || c == '\'' || c == '\\'; });
    --at_;  // step() goes on by one
  }

  void begin_document() {
    // A here-document begins none within it.
    if (at_ < document_end_ || num_endless_ > kMaxEndless) document_word_.clear();
    if (document_word_.empty()) return;
    for (std::size_t start = at_ + 1; start < text_.size();) {
      const std::size_t end = std::min(text_.find('\n', start), text_.size());
      std::string_view line = text_.substr(start, end - start);
      line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
      line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
      if (line == document_word_) {
        document_end_ = end + 1;
        document_word_.clear();
        return;
      }
      start = end + 1;
    }
    ++num_endless_;
    document_word_.clear();
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
  std::size_t line_start_ = 0;
  int line_;
  bool is_script_;
  bool is_open_ = false;
  ShellWord word_;
  ShellCommand command_;
  std::string document_word_;     ///< of a here-document that begins on the next line
  std::size_t num_endless_ = 0;   ///< here-documents without an end
  std::size_t document_end_ = 0;  ///< place after the here-document
  std::vector<ShellCommand> commands_;
};

}  // namespace

bool is_script(std::string_view text) {
  for (std::string_view line : core::lines_of(text)) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (line.empty() || line.starts_with("---") || (line[0] == '#' && !line.starts_with("#!"))) {
      continue;
    }
    const std::size_t colon = line.find(':');
    const bool is_key = colon != std::string_view::npos && colon > 0 &&
                        (colon + 1 == line.size() || line[colon + 1] == ' ') &&
                        line.substr(0, colon).find_first_of(" =$") == std::string_view::npos;
    return !is_key && line[0] != '[' && line[0] != '{';
  }
  return false;
}

std::vector<ShellCommand> shell_commands(std::string_view text, const std::string& file,
                                         int first_line, bool is_script) {
  return ShellSplitter(text, file, first_line, is_script).all();
}

bool has_outer_blank(std::string_view word) {
  int depth = 0;
  for (std::size_t i = 0; i < word.size(); ++i) {
    const bool opens = word[i] == '(' && (depth > 0 || (i > 0 && word[i - 1] == '$'));
    depth += opens ? 1 : word[i] == ')' && depth > 0 ? -1 : 0;
    if (word[i] == ' ' && depth == 0) return true;
  }
  return false;
}

bool starts_program(std::span<const ShellWord> words) {
  static constexpr auto kSetters =
      std::to_array<std::string_view>({"export", "declare", "local", "readonly", "set"});
  static constexpr std::string_view kNameLetters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_+";
  for (const ShellWord& word : words) {
    const std::string& text = word.text;
    if (word.is_quoted || text.empty() || text[0] == '-' || text[0] == '$') return false;
    const std::size_t end = text.find_first_not_of(kNameLetters);
    const bool is_assignment = end != std::string::npos && end > 0 && text[end] == '=';
    if (!is_assignment) return std::ranges::count(kSetters, text) == 0;
  }
  return false;
}

}  // namespace railwright::importers
