// SPDX-License-Identifier: Apache-2.0
// A subcommand as data: its options, and what it does with them.
#pragma once

#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "railwright/output/words/table.hpp"

namespace railwright::cli {

/// What the program's caller learns without reading its output.
enum ExitCode : int {
  kOk = 0,
  kInternal = 1,
  kBadInput = 2,
  kInfeasible = 3,
  kInterrupted = 130,  ///< as a shell says it of SIGINT
};

enum class OptionKind { kPositional, kPositionals, kFlag, kValue, kList };

struct OptionSpec {
  std::string name;  ///< "--set"; a word without dashes for positionals
  OptionKind kind = OptionKind::kFlag;
  std::string value = {};  ///< what stands for the value in the help: "FILE"
  std::string help;
  bool required = false;
  std::string fallback = {};  ///< where the option is not given
  std::vector<std::string> choices = {};
};

/// The values a command line gave to the options of a verb.
class Options {
 public:
  [[nodiscard]] bool flag(const std::string& name) const { return !values_.at(name).empty(); }
  /// "" where neither given nor defaulted.
  [[nodiscard]] std::string text(const std::string& name) const {
    const auto& all = values_.at(name);
    return all.empty() ? std::string() : all.back();
  }
  [[nodiscard]] const std::vector<std::string>& list(const std::string& name) const {
    return values_.at(name);
  }
  /// Where the parser puts them; the reference stays valid.
  std::vector<std::string>& slot(const std::string& name) { return values_[name]; }

 private:
  std::map<std::string, std::vector<std::string>> values_;
};

/// Where a verb writes. Results are kept back until it is done, so a failure prints none.
struct Streams {
  std::ostream& out;
  std::ostream& err;
  output::TextStyle style;
};

struct Verb {
  std::string name;
  std::string help;
  std::vector<OptionSpec> options = {};
  int (*run)(const Options&, Streams&) = nullptr;
  std::vector<Verb> verbs = {};  ///< below this one, which then does nothing itself
};

/// Those of verbs.txt, in its order.
std::vector<Verb> all_verbs();

/// "0.1.0", as `--version` has it.
std::string program_version();

}  // namespace railwright::cli
