// SPDX-License-Identifier: Apache-2.0
#include "shell_branches.hpp"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <utility>

#include "findings.hpp"
#include "railwright/core/config/text_file.hpp"
#include "railwright/core/error.hpp"

namespace railwright::importers {

namespace {

constexpr std::size_t kMaxNested = 64;

ShellTruth truth_of(bool is_true) { return is_true ? ShellTruth::kYes : ShellTruth::kNo; }

ShellTruth negated(ShellTruth one) {
  if (one == ShellTruth::kUnknown) return one;
  return truth_of(one == ShellTruth::kNo);
}

ShellTruth both(ShellTruth one, ShellTruth other) {
  if (one == ShellTruth::kNo || other == ShellTruth::kNo) return ShellTruth::kNo;
  return one == ShellTruth::kYes ? other : one;
}

ShellTruth either(ShellTruth one, ShellTruth other) {
  return negated(both(negated(one), negated(other)));
}

bool is_known(std::string_view text) { return text.find('$') == std::string_view::npos; }

/// Returns NAME of "$NAME", "${NAME}" and "${NAME:-}"; "" of other words.
std::string_view name_in(std::string_view word) {
  if (!word.starts_with('$')) return {};
  word.remove_prefix(word.starts_with("${") ? 2 : 1);
  std::size_t end = 0;
  while (end < word.size() &&
         (std::isalnum(static_cast<unsigned char>(word[end])) != 0 || word[end] == '_')) {
    ++end;
  }
  const std::string_view rest = word.substr(end);
  const bool is_alone = rest.empty() || rest == "}" || rest == ":-}" || rest == "-}";
  return is_alone ? word.substr(0, end) : std::string_view();
}

class ShellTest {
 public:
  ShellTest(const std::function<std::string(std::string_view)>& resolved,
            const std::function<bool(std::string_view)>& is_unset)
      : resolved_(resolved), is_unset_(is_unset) {}

  ShellTruth of(const ShellCommand& command) {
    std::vector<std::string> words;
    for (const ShellWord& word : command.words) words.push_back(word.text);
    bool is_negated = false;
    std::span<const std::string> rest(words);
    while (!rest.empty() &&
           (rest[0] == "!" || rest[0] == "[" || rest[0] == "[[" || rest[0] == "test")) {
      if (rest[0] == "!") is_negated = !is_negated;
      is_test_ = is_test_ || rest[0] != "!";
      rest = rest.subspan(1);
    }
    if (!rest.empty() && (rest.back() == "]" || rest.back() == "]]")) {
      is_test_ = true;
      rest = rest.first(rest.size() - 1);
    }
    const ShellTruth value = test(rest);
    return is_negated ? negated(value) : value;
  }

 private:
  ShellTruth test(std::span<const std::string> words) {
    if (words.size() == 1) {
      const std::string word = resolved_(words[0]);
      if (is_test_) return is_empty(words[0], word, true);
      if (word == "true" || word == ":") return ShellTruth::kYes;
      return word == "false" ? ShellTruth::kNo : ShellTruth::kUnknown;
    }
    if (!is_test_) return ShellTruth::kUnknown;
    if (words.size() == 2 && (words[0] == "-z" || words[0] == "-n")) {
      return is_empty(words[1], resolved_(words[1]), words[0] == "-n");
    }
    return words.size() == 3 ? compared(resolved_(words[0]), words[1], resolved_(words[2]))
                             : ShellTruth::kUnknown;
  }

  /// Whether a word is empty, or with `otherwise` whether it is not.
  [[nodiscard]] ShellTruth is_empty(std::string_view word, std::string_view value,
                                    bool otherwise) const {
    if (is_known(value)) return truth_of(value.empty() != otherwise);
    const std::string_view name = name_in(word);
    return !name.empty() && is_unset_(name) ? truth_of(!otherwise) : ShellTruth::kUnknown;
  }

  static ShellTruth compared(const std::string& left, std::string_view sign,
                             const std::string& right) {
    if (!is_known(left) || !is_known(right)) return ShellTruth::kUnknown;
    if (sign == "=" || sign == "==") return truth_of(shell_matches(right, left));
    if (sign == "!=") return truth_of(!shell_matches(right, left));
    const double one = core::number_of(left);
    const double two = core::number_of(right);
    if (!(one == one && two == two)) return ShellTruth::kUnknown;
    if (sign == "-eq") return truth_of(one == two);
    if (sign == "-ne") return truth_of(one != two);
    if (sign == "-gt") return truth_of(one > two);
    if (sign == "-ge") return truth_of(one >= two);
    if (sign == "-lt") return truth_of(one < two);
    return sign == "-le" ? truth_of(one <= two) : ShellTruth::kUnknown;
  }

  const std::function<std::string(std::string_view)>& resolved_;
  const std::function<bool(std::string_view)>& is_unset_;
  bool is_test_ = false;  ///< within [ ] or [[ ]], which may go over several commands
};

/// Whether all that a variable holds is an argument of the script: "$1", "${2}".
bool is_argument(const ShellValue& value) {
  if (!value.text) return false;
  std::string_view word = *value.text;
  if (!word.starts_with('$')) return false;
  word.remove_prefix(word.starts_with("${") ? 2 : 1);
  if (word.ends_with('}')) word.remove_suffix(1);
  return !word.empty() && std::ranges::all_of(word, [](char c) { return c >= '0' && c <= '9'; });
}

std::string in_words(const ShellValue& value) {
  if (value.text) return value.text->empty() ? "empty" : shown(*value.text);
  if (value.node) return shown(core::to_yaml(*value.node));
  return "not set";
}

}  // namespace

bool shell_matches(const std::string& pattern, const std::string& word) {
  return fnmatch(pattern.c_str(), word.c_str(), 0) == 0;
}

ShellTruth shell_truth(ShellCondition condition,
                       const std::function<std::string(std::string_view)>& resolved,
                       const std::function<bool(std::string_view)>& is_unset) {
  ShellTest test(resolved, is_unset);
  ShellTruth value = ShellTruth::kUnknown;
  char joint = '\0';  // '&' and '|' stand twice, with no words between
  bool is_first = true;
  for (std::size_t i = 0; i < condition.size(); ++i) {
    const ShellCommand& one = condition[i];
    if (one.end == '(' || one.end == ')') return ShellTruth::kUnknown;
    if (one.words.empty()) continue;
    const ShellTruth next = test.of(one);
    const bool is_pipe =
        one.end == '|' && (i + 1 == condition.size() || !condition[i + 1].words.empty());
    if (is_pipe) return ShellTruth::kUnknown;
    value = is_first       ? next
            : joint == '&' ? both(value, next)
            : joint == '|' ? either(value, next)
                           : next;
    is_first = false;
    joint = one.end;
  }
  return value;
}

bool ShellValue::operator==(const ShellValue& other) const {
  const auto written = [](const ShellValue& one) {
    return one.node ? core::to_yaml(*one.node) : std::string();
  };
  return text == other.text && reason == other.reason &&
         node.has_value() == other.node.has_value() && written(*this) == written(other);
}

void ShellBranches::begin(const core::Location& where) {
  if (frames_.size() >= kMaxNested) {
    throw core::ConfigError({{where, "", "conditions are nested too deep", ""}});
  }
  frames_.push_back({.where = where});
}

void ShellBranches::branch(ShellTruth truth, const std::string& why) {
  if (frames_.empty()) return;
  Frame& frame = frames_.back();
  finish(frame);
  if (frame.is_decided || truth == ShellTruth::kNo) {
    frame.run = Run::kSkip;
    return;
  }
  frame.is_decided = truth == ShellTruth::kYes;
  if (frame.is_decided && !frame.is_maybe) {
    frame.run = Run::kSure;
    return;
  }
  if (!frame.is_maybe) frame.why = why;
  frame.is_maybe = true;
  frame.run = Run::kMaybe;
}

void ShellBranches::leave() {
  if (!frames_.empty()) frames_.back().leaves = true;
}

void ShellBranches::end() {
  if (frames_.empty()) return;
  finish(frames_.back());
  const Frame frame = std::move(frames_.back());
  frames_.pop_back();
  for (const auto& [key, after] : frame.after) {
    std::vector<ShellValue> values = after;
    if (after.size() < frame.num_branches || !frame.is_decided) {
      values.push_back(frame.original.at(key));
    }
    ShellValue value = joined(values, frame);
    touch(key);
    set_(key, std::move(value));
  }
}

void ShellBranches::touch(const std::string& key) {
  for (auto frame = frames_.rbegin(); frame != frames_.rend(); ++frame) {
    if (frame->run != Run::kMaybe) continue;
    if (!frame->before.contains(key)) frame->before.emplace(key, get_(key));
    return;
  }
}

bool ShellBranches::is_skipped() const {
  return std::ranges::any_of(frames_, [](const Frame& one) { return one.run == Run::kSkip; });
}

bool ShellBranches::is_reached() const {
  return std::ranges::none_of(frames_.begin(), frames_.empty() ? frames_.end() : frames_.end() - 1,
                              [](const Frame& one) { return one.run == Run::kSkip; });
}

bool ShellBranches::is_open() const {
  return std::ranges::any_of(frames_, [](const Frame& one) { return one.run == Run::kMaybe; });
}

void ShellBranches::finish(Frame& frame) {
  const bool leaves = std::exchange(frame.leaves, false);
  if (frame.run != Run::kMaybe) return;
  if (!leaves) ++frame.num_branches;
  for (auto& [key, before] : frame.before) {
    if (!leaves) {
      frame.after[key].push_back(get_(key));
      frame.original.try_emplace(key, before);
    }
    set_(key, before);
  }
  frame.before.clear();
  frame.run = Run::kSkip;
}

ShellValue ShellBranches::joined(const std::vector<ShellValue>& values, const Frame& frame) {
  // A default that an argument of the script may replace stays, as that of "${TP:-8}".
  std::vector<ShellValue> told;
  for (const ShellValue& value : values) {
    if (!is_argument(value) && std::ranges::count(told, value) == 0) told.push_back(value);
  }
  if (told.empty()) return values.front();
  const bool is_default = told.size() == 1 && told[0].text;
  if (told.size() == 1 && (is_default || std::ranges::none_of(values, is_argument))) return told[0];
  ShellValue result;
  result.where = values.front().where;
  std::string all;
  std::vector<std::string> said;
  for (const ShellValue& value : values) {
    const std::string word = in_words(value);
    if (std::ranges::count(said, word) > 0) continue;
    said.push_back(word);
    all += (all.empty() ? "" : " or ") + word;
  }
  result.reason = fmt::format("{}, by {} of line {}", all, frame.why, frame.where.line);
  return result;
}

}  // namespace railwright::importers
