// SPDX-License-Identifier: Apache-2.0
#include "shell_flow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "findings.hpp"
#include "railwright/core/error.hpp"

namespace railwright::importers {

namespace {

/// Far more than scripts have; functions beyond these are followed where they stand.
constexpr std::size_t kMostFunctions = 1000;
constexpr std::size_t kMostCommands = 20000;  ///< of a function
constexpr int kMostCalls = 32;                ///< within one another

bool is_test(const ShellCommand& command) {
  if (command.words.empty() || command.is_document) return false;
  const ShellWord& first = command.words[0];
  return !first.is_quoted && (first.text == "[" || first.text == "[[" || first.text == "test");
}

std::string shown_condition(ShellCondition condition) {
  std::string text;
  for (const ShellCommand& part : condition) {
    for (const ShellWord& word : part.words) text += (text.empty() ? "" : " ") + word.text;
  }
  return "'" + shown(text) + "'";
}

ShellTruth opposite(ShellTruth truth) {
  if (truth == ShellTruth::kUnknown) return truth;
  return truth == ShellTruth::kYes ? ShellTruth::kNo : ShellTruth::kYes;
}

/// Whether a word stands for as many arguments as there are: "$@", "${ARGS[@]}".
bool is_spread(const ShellWord& word) {
  static constexpr auto kForms =
      std::to_array<std::string_view>({"$@", "$*", "${@", "${*", "[@]", "[*]"});
  return std::ranges::any_of(
      kForms, [&](std::string_view form) { return word.text.find(form) != std::string::npos; });
}

/// Whether a command changes which argument is the first: `shift`, `set -- 8`.
bool moves_arguments(const ShellCommand& command) {
  if (command.is_document) return false;
  for (std::size_t i = 0; i < command.words.size(); ++i) {
    const std::string& text = command.words[i].text;
    if (text == "shift") return true;
    if (text != "set") continue;
    for (std::size_t k = i + 1; k < command.words.size(); ++k) {
      const std::string& word = command.words[k].text;
      const bool is_flag = word.starts_with('-') || word.starts_with('+');
      const bool is_name_of_flag = k > i + 1 && command.words[k - 1].text.ends_with('o');
      if (word == "--" || (!is_flag && !is_name_of_flag)) return true;
    }
  }
  return false;
}

}  // namespace

void ShellFlow::all() {
  find_functions();
  follow(0, commands_.size());
  // Perhaps called by a name that a variable holds: nothing of theirs changes what stood before.
  for (std::size_t i = 0; i < uncalled_.size(); ++i) call(*uncalled_[i], {}, true);
  if (blocks_.empty()) return;
  throw core::ConfigError(
      {{blocks_.back().where, "", fmt::format("'{}' without its end", blocks_.back().word), ""}});
}

void ShellFlow::follow(std::size_t begin, std::size_t end) {
  for (std::size_t at = begin; at < end;) {
    Function* function = defined_at(at);
    const bool is_read_here =
        function != nullptr && function->num_calls > 1 && call_depth_ < kMostCalls;
    if (is_read_here) call(*function, {}, true);
    if (function != nullptr && function->num_calls == 0) uncalled_.push_back(function);
    if (is_read_here || (function != nullptr && function->num_calls <= 1)) {
      at = function->end;
      continue;
    }
    if (ends_script(at)) return;
    const std::size_t after = guarded(at);
    if (after == at) command(at);
    at = std::max(after, at + 1);
  }
}

/// Whether `exit` stands at the beginning of a line, outside of conditions and functions.
bool ShellFlow::ends_script(std::size_t at) const {
  const ShellCommand& one = commands_[at];
  if (one.words.empty() || one.is_document || !branches_.is_empty()) return false;
  const ShellWord& word = one.words[0];
  const bool is_success = one.words.size() == 1 || one.words[1].text == "0";
  return word.text == "exit" && !word.is_quoted && word.where.column == 1 && is_success &&
         !is_of_function_[at];
}

/// Finds `name() {` and `function name {`, and counts the commands that call each.
void ShellFlow::find_functions() {
  is_of_function_.assign(commands_.size(), false);
  std::size_t num_seen = 0;
  for (std::size_t at = 0; at + 1 < commands_.size() && num_seen < kMostFunctions; ++at) {
    const ShellCommand& one = commands_[at];
    if (one.is_document || one.words.empty()) continue;
    const bool has_word = one.words[0].text == "function" && one.words.size() > 1;
    const bool has_brackets = one.end == '(' && commands_[at + 1].words.empty() &&
                              commands_[at + 1].end == ')' &&
                              one.words.size() == (has_word ? 2U : 1U);
    const bool has_brace = has_word && one.words.size() == 3 && one.words[2].text == "{";
    if (!has_brackets && !has_brace) continue;
    ++num_seen;
    const std::size_t begin = has_brackets ? at + 2 : at;
    const std::size_t end = end_of_function(begin);
    if (end == 0) continue;
    by_name_.try_emplace(one.words[has_word ? 1 : 0].text, functions_.size());
    functions_.push_back({.defined = at, .begin = has_brackets ? begin : at + 1, .end = end});
    for (std::size_t i = begin; i < end; ++i) is_of_function_[i] = true;
  }
  for (std::size_t at = 0; at < commands_.size(); ++at) {
    if (defined_at(at) != nullptr) continue;
    std::span<const ShellWord> words(commands_[at].words);
    while (!words.empty() && (words[0].text == "then" || words[0].text == "do" ||
                              words[0].text == "else" || words[0].text == "{")) {
      words = words.subspan(1);
    }
    if (Function* called = function_of(words)) ++called->num_calls;
  }
}

/// Returns the place after the brace that closes a function; 0 for one without braces.
std::size_t ShellFlow::end_of_function(std::size_t begin) const {
  int depth = 0;
  const std::size_t last = std::min(commands_.size(), begin + kMostCommands);
  for (std::size_t at = begin; at < last; ++at) {
    const bool is_other = at > begin && depth == 0;
    if (is_other) return 0;
    for (const ShellWord& word : commands_[at].words) {
      if (word.is_quoted) continue;
      depth += word.text == "{" ? 1 : word.text == "}" ? -1 : 0;
    }
    const bool is_closed =
        depth == 0 && !commands_[at].words.empty() && commands_[at].words.back().text == "}";
    if (is_closed) return at + 1;
  }
  return 0;
}

ShellFlow::Function* ShellFlow::defined_at(std::size_t at) {
  const auto found = std::ranges::lower_bound(functions_, at, {}, &Function::defined);
  return found == functions_.end() || found->defined != at ? nullptr : &*found;
}

ShellFlow::Function* ShellFlow::function_of(std::span<const ShellWord> words) {
  if (words.empty() || words[0].is_quoted) return nullptr;
  const auto found = by_name_.find(words[0].text);
  return found == by_name_.end() ? nullptr : &functions_[found->second];
}

/// Follows a function with these arguments, open where they are not known.
void ShellFlow::call(Function& function, std::span<const ShellWord> arguments, bool are_open) {
  const bool moves = std::ranges::any_of(
      commands_.subspan(function.begin, function.end - function.begin), moves_arguments);
  const bool passes_all =
      arguments.size() == 1 && (arguments[0].text == "$@" || arguments[0].text == "$*");
  // The arguments of the script itself are not known anyway.
  const bool keeps = passes_all && (!moves || call_depth_ == 0);
  if (!keeps) {
    runner_.enter(arguments, are_open || moves || std::ranges::any_of(arguments, is_spread));
  }
  function.is_running = true;
  ++call_depth_;
  const std::size_t num_blocks = blocks_.size();
  follow(function.begin, function.end);
  while (blocks_.size() > num_blocks) {
    blocks_.pop_back();
    branches_.end();
  }
  --call_depth_;
  function.is_running = false;
  if (!keeps) runner_.leave();
}

/// Returns '&' for `&&` after a command, '|' for `||`.
char ShellFlow::joint(std::size_t at) const {
  const char end = commands_[at].end;
  if ((end != '&' && end != '|') || at + 1 >= commands_.size()) return '\0';
  const ShellCommand& next = commands_[at + 1];
  return next.words.empty() && next.end == end ? end : '\0';
}

/// Follows `[ test ] && command || command`. Returns the place after; `at` for other commands.
std::size_t ShellFlow::guarded(std::size_t at) {
  if (is_in(Phase::kCondition) || is_in(Phase::kPattern)) return at;
  if (!is_test(commands_[at]) || joint(at) == '\0') return at;
  const bool is_double = commands_[at].words[0].text == "[[";
  std::size_t last = at;  // of the tests; "[[ A && B ]]" is split too
  while (joint(last) != '\0' && last + 2 < commands_.size()) {
    const ShellCommand& part = commands_[last];
    const bool is_open = is_double && (part.words.empty() || part.words.back().text != "]]");
    if (!is_open && !is_test(commands_[last + 2])) break;
    last += 2;
  }
  if (joint(last) == '\0') return at;
  const ShellCondition condition = commands_.subspan(at, last - at + 1);
  const bool is_or = joint(last) == '|';
  branches_.begin(commands_[at].words[0].where);
  branches_.branch(is_or ? opposite(truth(condition)) : truth(condition),
                   shown_condition(condition));
  const std::size_t num_blocks = blocks_.size();
  int depth = 0;  // of brackets
  std::size_t i = last + 2;
  for (; i < commands_.size(); ++i) {
    command(i);
    if (!commands_[i].words.empty()) {
      const std::string& word = commands_[i].words[0].text;
      depth += word == "{" ? 1 : word == "}" ? -1 : 0;
    }
    depth += commands_[i].end == '(' ? 1 : commands_[i].end == ')' ? -1 : 0;
    if (depth > 0 || blocks_.size() > num_blocks) continue;
    const char next = joint(i);
    if (next == '\0' || depth < 0) break;
    if (next == '|' && !is_or) branches_.branch(ShellTruth::kYes, "");
    ++i;
  }
  branches_.end();
  return std::min(i + 1, commands_.size());
}

/// Follows one command: the words that control what runs, then the others.
void ShellFlow::command(std::size_t at) {
  const ShellCommand& one = commands_[at];
  std::span<const ShellWord> words(one.words);
  if (!one.is_document) words = controls(at, words);
  if (is_in(Phase::kCondition) || is_in(Phase::kPattern)) return;
  if (!words.empty() && !branches_.is_skipped()) {
    if (words[0].text == "exit" && !one.is_document) branches_.leave();
    Function* function = one.is_document ? nullptr : function_of(words);
    const bool is_called = function != nullptr && function->num_calls == 1 &&
                           !function->is_running && call_depth_ < kMostCalls;
    runner_.run(words);  // a function may pass its options on
    if (is_called) call(*function, words.subspan(1), false);
  }
  const bool ends_pattern = one.end == ';' && at + 1 < commands_.size() &&
                            commands_[at + 1].words.empty() && commands_[at + 1].end == ';';
  if (ends_pattern && !blocks_.empty() && blocks_.back().word == "case") {
    blocks_.back().phase = Phase::kPattern;
  }
}

/// Takes the words that control what runs. Returns the others.
std::span<const ShellWord> ShellFlow::controls(std::size_t at, std::span<const ShellWord> words) {
  const ShellCommand& one = commands_[at];
  while (true) {
    const bool is_control = !words.empty() && !words[0].is_quoted;
    if (is_control && (is_in(Phase::kPattern) || is_in(Phase::kBody)) && closes(words[0])) {
      words = words.subspan(1);
    } else if (is_in(Phase::kPattern)) {
      collect(one, words);
      if (one.end == ')') decide_pattern();
      return {};
    } else if (is_in(Phase::kCondition)) {
      if (!is_control || (words[0].text != "then" && words[0].text != "do")) {
        collect(one, words);
        return {};
      }
      decide();
      words = words.subspan(1);
    } else if (!is_control || !opens(words[0], words)) {
      return words;
    }
  }
}

/// Takes a word that opens a block or a branch, and those that say nothing, off `words`.
bool ShellFlow::opens(const ShellWord& word, std::span<const ShellWord>& words) {
  const std::string& text = word.text;
  const bool is_loop = (text == "for" || text == "select") &&
                       (words.size() == 1 || (words.size() > 2 && words[2].text == "in"));
  if (text == "if" || text == "while" || text == "until" || is_loop) {
    push(word, Phase::kCondition);
  } else if (text == "case" && words.size() >= 3 && words[2].text == "in") {
    push(word, Phase::kPattern);
    blocks_.back().subject = words[1].text;
    words = words.subspan(2);
  } else if (text == "elif" && !blocks_.empty() && blocks_.back().word == "if") {
    blocks_.back().phase = Phase::kCondition;
  } else if (text == "else" && !blocks_.empty() && blocks_.back().word == "if") {
    branches_.branch(ShellTruth::kYes, "");
  } else if (text != "then" && text != "do" && text != "{" && text != "}" && text != "!") {
    return false;
  }
  words = words.subspan(1);
  return true;
}

bool ShellFlow::closes(const ShellWord& word) {
  const std::string& open = blocks_.back().word;
  const bool is_end = open == "if"     ? word.text == "fi"
                      : open == "case" ? word.text == "esac"
                                       : word.text == "done";
  if (!is_end) return false;
  blocks_.pop_back();
  branches_.end();
  return true;
}

void ShellFlow::push(const ShellWord& word, Phase phase) {
  branches_.begin(word.where);
  blocks_.push_back({.word = word.text, .where = word.where, .phase = phase});
}

void ShellFlow::collect(const ShellCommand& command, std::span<const ShellWord> words) {
  blocks_.back().condition.push_back({{words.begin(), words.end()}, command.end, false});
}

/// Begins the branch after `then` or `do`.
void ShellFlow::decide() {
  Block& block = blocks_.back();
  const std::vector<ShellCommand> condition = std::exchange(block.condition, {});
  block.phase = Phase::kBody;
  const std::string& word = block.word;
  if (word == "for" || word == "select") {
    branches_.branch(ShellTruth::kYes, "");
    const std::span<const ShellWord> words(condition.front().words);
    if (words.size() > 2 && !branches_.is_skipped()) runner_.loop(words[0].text, words.subspan(2));
    return;
  }
  const ShellTruth runs = word == "until" ? opposite(truth(condition)) : truth(condition);
  branches_.branch(runs, shown_condition(condition));
}

/// Begins the branch after a pattern of `case`.
void ShellFlow::decide_pattern() {
  Block& block = blocks_.back();
  const std::vector<ShellCommand> patterns = std::exchange(block.condition, {});
  block.phase = Phase::kBody;
  const std::string subject =
      branches_.is_reached() ? runner_.resolved(block.subject) : std::string();
  ShellTruth runs = ShellTruth::kNo;
  for (const ShellCommand& part : patterns) {
    for (const ShellWord& pattern : part.words) {
      const bool is_known =
          subject.find('$') == std::string::npos && pattern.text.find('$') == std::string::npos;
      if (pattern.text == "*" || (is_known && shell_matches(pattern.text, subject))) {
        runs = ShellTruth::kYes;
      } else if (!is_known && runs == ShellTruth::kNo) {
        runs = ShellTruth::kUnknown;
      }
    }
  }
  branches_.branch(runs, "'case " + shown(block.subject) + "'");
}

ShellTruth ShellFlow::truth(ShellCondition condition) {
  if (!branches_.is_reached()) return ShellTruth::kNo;
  return shell_truth(
      condition, [&](std::string_view word) { return runner_.resolved(word); },
      [&](std::string_view name) { return runner_.is_unset(name); });
}

}  // namespace railwright::importers
