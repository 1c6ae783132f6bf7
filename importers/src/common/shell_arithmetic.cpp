// SPDX-License-Identifier: Apache-2.0
#include "shell_arithmetic.hpp"

#include <charconv>

namespace railwright::importers {

namespace {

using Number = std::optional<std::int64_t>;
constexpr int kMaxParentheses = 32;
constexpr std::size_t kMaxExpression = 1000;  ///< characters

bool is_of_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

class Arithmetic {
 public:
  Arithmetic(std::string_view text,
             const std::function<std::optional<std::string>(const std::string&)>& value_of)
      : text_(text), value_of_(value_of) {}

  Number all() {
    const Number value = sum(0);
    skip_blanks();
    return at_ == text_.size() ? value : std::nullopt;
  }

 private:
  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }

  char sign() {
    skip_blanks();
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  Number sum(int depth) {
    Number left = product(depth);
    for (char c = sign(); left && (c == '+' || c == '-'); c = sign()) {
      ++at_;
      left = combined(c, left, product(depth));
    }
    return left;
  }

  Number product(int depth) {
    Number left = factor(depth);
    for (char c = sign(); left && (c == '*' || c == '/' || c == '%'); c = sign()) {
      ++at_;
      left = combined(c, left, factor(depth));
    }
    return left;
  }

  static Number combined(char c, Number left, Number right) {
    if (!left || !right) return {};
    std::int64_t result = 0;
    if (c == '+' && !__builtin_add_overflow(*left, *right, &result)) return result;
    if (c == '-' && !__builtin_sub_overflow(*left, *right, &result)) return result;
    if (c == '*' && !__builtin_mul_overflow(*left, *right, &result)) return result;
    if (*right <= 0) return {};
    if (c == '/') return *left / *right;
    if (c == '%') return *left % *right;
    return {};
  }

  Number factor(int depth) {
    skip_blanks();
    if (at_ == text_.size() || depth > kMaxParentheses) return {};
    if (text_[at_] == '(') {
      ++at_;
      const Number value = sum(depth + 1);
      if (sign() != ')') return {};
      ++at_;
      return value;
    }
    if (text_[at_] == '$') ++at_;
    const bool has_braces = at_ < text_.size() && text_[at_] == '{';
    if (has_braces) ++at_;
    const std::size_t start = at_;
    while (at_ < text_.size() && is_of_name(text_[at_])) ++at_;
    const std::string word(text_.substr(start, at_ - start));
    if (has_braces) {
      if (at_ == text_.size() || text_[at_] != '}') return {};
      ++at_;
    }
    if (word.empty()) return {};
    if (word.front() >= '0' && word.front() <= '9') return number(word);
    const auto value = value_of_(word);
    return value ? number(*value) : std::nullopt;
  }

  static Number number(std::string_view word) {
    // A leading zero is octal in a shell; no count is written so.
    if (word.size() > 1 && word.front() == '0') return {};
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size()) return {};
    return value;
  }

  std::string_view text_;
  const std::function<std::optional<std::string>(const std::string&)>& value_of_;
  std::size_t at_ = 0;
};

}  // namespace

std::optional<std::int64_t> shell_arithmetic(
    std::string_view expression,
    const std::function<std::optional<std::string>(const std::string&)>& value_of) {
  if (expression.size() > kMaxExpression) return {};
  return Arithmetic(expression, value_of).all();
}

}  // namespace railwright::importers
