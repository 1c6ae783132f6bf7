// SPDX-License-Identifier: Apache-2.0
// A command as data: its options, and the function that runs it.
#pragma once

#include <map>
#include <ostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "railwright/output/words/table.hpp"
#include "railwright/planner/unsaid/unsaid.hpp"

namespace railwright::cli {

/// Exit codes of the program.
enum ExitCode : int {
  kOk = 0,
  kInternal = 1,
  kBadInput = 2,
  kInfeasible = 3,
  kUnknown = 4,  ///< `import`: read, but the file leaves a value that decides to its surroundings
  kInterrupted = 130,  ///< 128 + SIGINT, as shells report it
};

/// Values that are no entries of one kind: those of all kinds, and the kinds themselves.
inline constexpr const char* kAnyEntry = "*";
inline constexpr const char* kKinds = "kinds";

enum class OptionKind { kPositional, kPositionals, kFlag, kValue, kList };

struct OptionSpec {
  std::string name;  ///< "--set"; a word without dashes for positionals
  OptionKind kind = OptionKind::kFlag;
  std::string value = {};  ///< placeholder of the value in the help: "FILE"
  std::string help;
  bool required = false;
  std::string fallback = {};  ///< value if the option is not given
  std::vector<std::string> choices = {};
  std::string catalogue = {};  ///< kind of entries that are its values; kAnyEntry, kKinds
};

/// The values that a command line gives to the options of a command.
class Options {
 public:
  [[nodiscard]] bool flag(const std::string& name) const { return !values_.at(name).empty(); }
  /// Whether the command has the option, and it is given or has a default.
  [[nodiscard]] bool has(const std::string& name) const {
    const auto found = values_.find(name);
    return found != values_.end() && !found->second.empty();
  }
  /// Returns "" if the option is neither given nor has a default.
  [[nodiscard]] std::string text(const std::string& name) const {
    const auto& all = values_.at(name);
    return all.empty() ? std::string() : all.back();
  }
  [[nodiscard]] const std::vector<std::string>& list(const std::string& name) const {
    return values_.at(name);
  }
  /// The command as it was typed, quoted for a shell.
  [[nodiscard]] const std::string& command() const { return command_; }
  void set_command(std::string command) { command_ = std::move(command); }
  /// Returns the slot that the parser fills; the reference stays valid.
  std::vector<std::string>& slot(const std::string& name) { return values_[name]; }

 private:
  std::map<std::string, std::vector<std::string>> values_;
  std::string command_;
};

/// Output streams of a command. Results are held until it is done, so a failure prints none.
struct Streams {
  std::ostringstream& out;
  std::ostream& err;
  output::TextStyle style;
  std::vector<planner::Chosen> chosen = {};  ///< for the scenario that the result is of
};

struct Verb {
  std::string name;
  std::string help;
  std::vector<OptionSpec> options = {};
  int (*run)(const Options&, Streams&) = nullptr;
  std::vector<Verb> verbs = {};  ///< subcommands; a command with any does nothing itself
};

/// Returns the commands of verbs.txt, in its order.
std::vector<Verb> all_verbs();

/// Returns the version that `--version` prints: "0.9.0".
std::string program_version();

}  // namespace railwright::cli
