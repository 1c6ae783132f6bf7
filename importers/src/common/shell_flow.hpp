// SPDX-License-Identifier: Apache-2.0
// Follows the conditions and loops of a script.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shell_branches.hpp"
#include "shell_split.hpp"

namespace railwright::importers {

/// Takes the commands of a script, and knows its variables.
class ShellRunner {
 public:
  ShellRunner() = default;
  ShellRunner(const ShellRunner&) = delete;
  ShellRunner& operator=(const ShellRunner&) = delete;
  virtual ~ShellRunner() = default;

  /// Takes a command that runs, or that may run.
  virtual void run(std::span<const ShellWord> words) = 0;
  /// Takes the variable of a `for` loop, and the words that it goes over.
  virtual void loop(const std::string& name, std::span<const ShellWord> values) = 0;
  /// Fills in known variables, and keeps others as "$NAME".
  virtual std::string resolved(std::string_view word) = 0;
  /// Takes the arguments of a function that is called: "$1" is the first. Where they are open, it
  /// is not known which word is which.
  virtual void enter(std::span<const ShellWord> arguments, bool are_open) = 0;
  /// Gives the arguments back that stood before the last call.
  virtual void leave() = 0;
  /// Whether a variable is empty unless it is told from outside.
  [[nodiscard]] virtual bool is_unset(std::string_view name) const = 0;
};

/// Hands the commands of branches that run, or that may run, to a runner. A branch whose condition
/// is not known is followed, and `branches` keeps what it changes apart. A function that is called
/// once runs where it is called, one that nothing calls at the end, and others where they stand,
/// with arguments that are open.
class ShellFlow {
 public:
  ShellFlow(std::span<const ShellCommand> commands, ShellBranches& branches, ShellRunner& runner)
      : commands_(commands), branches_(branches), runner_(runner) {}

  /// Follows all commands. Throws ConfigError for an `if`, `case` or loop without its end.
  void all();

 private:
  enum class Phase : std::uint8_t { kCondition, kPattern, kBody };
  /// An `if`, a `case` or a loop.
  struct Block {
    std::string word;
    core::Location where;
    std::string subject;                  ///< of `case`, with its variables filled in
    std::vector<ShellCommand> condition;  ///< so far; of `case` the patterns
    Phase phase = Phase::kCondition;
  };

  /// A function: where it is defined, and the commands from `begin` to `end`.
  struct Function {
    std::size_t defined = 0;
    std::size_t begin = 0;
    std::size_t end = 0;
    std::size_t num_calls = 0;
    bool is_running = false;
  };

  void find_functions();
  [[nodiscard]] std::size_t end_of_function(std::size_t begin) const;
  Function* defined_at(std::size_t at);
  Function* function_of(std::span<const ShellWord> words);
  void call(Function& function, std::span<const ShellWord> arguments, bool are_open);
  void follow(std::size_t begin, std::size_t end);
  [[nodiscard]] bool ends_script(std::size_t at) const;
  std::size_t guarded(std::size_t at);
  void command(std::size_t at);
  std::span<const ShellWord> controls(std::size_t at, std::span<const ShellWord> words);
  bool opens(const ShellWord& word, std::span<const ShellWord>& words);
  bool closes(const ShellWord& word);
  void decide();
  void decide_pattern();
  void push(const ShellWord& word, Phase phase);
  void collect(const ShellCommand& command, std::span<const ShellWord> words);
  ShellTruth truth(ShellCondition condition);
  [[nodiscard]] char joint(std::size_t at) const;
  [[nodiscard]] bool is_in(Phase phase) const {
    return !blocks_.empty() && blocks_.back().phase == phase;
  }

  std::span<const ShellCommand> commands_;
  ShellBranches& branches_;
  ShellRunner& runner_;
  std::vector<Block> blocks_;
  std::vector<Function> functions_;                  ///< in the order of the file
  std::map<std::string_view, std::size_t> by_name_;  ///< the first of each name
  std::vector<bool> is_of_function_;                 ///< commands within one
  std::vector<Function*> uncalled_;                  ///< passed by, in order
  int call_depth_ = 0;
};

}  // namespace railwright::importers
