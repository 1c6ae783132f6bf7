// SPDX-License-Identifier: Apache-2.0
// Follows which branches of a script run, and what variables and options hold after them.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "railwright/core/config/tree.hpp"
#include "shell_split.hpp"

namespace railwright::importers {

enum class ShellTruth : std::uint8_t { kNo, kYes, kUnknown };

/// Commands between `if` and `then`, and what stands between them.
using ShellCondition = std::span<const ShellCommand>;

/// Evaluates tests such as `[ $TP -gt 1 ]`, joined by && and ||. `resolved` fills in the variables
/// that are known and keeps the others as "$NAME"; `is_unset` is true of one that the file sets
/// nowhere, which counts as empty. Commands that are no tests are unknown.
ShellTruth shell_truth(ShellCondition condition,
                       const std::function<std::string(std::string_view)>& resolved,
                       const std::function<bool(std::string_view)>& is_unset);

/// Whether a pattern of `case` matches a word: `*`, `?` and `[...]`.
bool shell_matches(const std::string& pattern, const std::string& word);

/// Content of a variable or an option: nothing, text, or a text from outside.
struct ShellValue {
  std::optional<std::string> text;
  std::optional<core::Node> node;  ///< of an option
  core::Location where;
  std::string reason;  ///< why it is not known; "" where it is
  bool operator==(const ShellValue& other) const;
};

/// Keeps what branches change apart, and joins it after them: a name that has the same value
/// after each is known, another is not.
class ShellBranches {
 public:
  using Get = std::function<ShellValue(const std::string&)>;
  using Set = std::function<void(const std::string&, ShellValue)>;

  ShellBranches(Get get, Set set) : get_(std::move(get)), set_(std::move(set)) {}

  /// Opens a condition. Throws ConfigError if they are nested too deep.
  void begin(const core::Location& where);
  /// Begins its next branch; `why` says for messages what decides.
  void branch(ShellTruth truth, const std::string& why);
  /// Leaves the branch: `exit` ends the script.
  void leave();
  /// Closes the condition.
  void end();

  /// Must be called before a name changes.
  void touch(const std::string& key);

  [[nodiscard]] bool is_skipped() const;
  /// Whether a condition itself is reached, whatever branch of it runs.
  [[nodiscard]] bool is_reached() const;
  /// Whether it is unknown if the present branch runs.
  [[nodiscard]] bool is_open() const;
  [[nodiscard]] bool is_empty() const { return frames_.empty(); }

 private:
  enum class Run : std::uint8_t { kSkip, kSure, kMaybe };
  struct Frame {
    core::Location where;
    Run run = Run::kSkip;
    bool is_decided = false;  ///< later branches do not run
    bool is_maybe = false;    ///< a branch may run
    bool leaves = false;      ///< the present branch ends the script
    std::size_t num_branches = 0;
    std::string why;
    std::map<std::string, ShellValue> before;              ///< of the present branch
    std::map<std::string, ShellValue> original;            ///< before all branches
    std::map<std::string, std::vector<ShellValue>> after;  ///< after those that change it
  };

  void finish(Frame& frame);
  static ShellValue joined(const std::vector<ShellValue>& values, const Frame& frame);

  Get get_;
  Set set_;
  std::vector<Frame> frames_;
};

}  // namespace railwright::importers
