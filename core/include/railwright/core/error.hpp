// SPDX-License-Identifier: Apache-2.0
// The three kinds of error in railwright. Infeasible is none of them: it is a result.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace railwright::core {

/// A place in an input. Line and column count from 1; 0 means the input as a whole.
struct Location {
  std::string file;
  int line = 0;
  int column = 0;
};

/// Formats as "file:line:col", or only the file if there is no line.
std::string to_string(const Location& where);

/// One problem of an input.
struct Diagnostic {
  Location where;
  std::string path;     ///< dotted key path, e.g. "cluster.node.nics.count"; may be empty
  std::string message;  ///< what is wrong, with the offending text
  std::string hint;     ///< "did you mean 'bandwidth'?"; may be empty
};

/// A problem at a key, from a check that does not know where the key stands in an input.
struct Problem {
  std::string key;  ///< dotted path below what was checked: "experts.top_k"; may be empty
  std::string message;
  std::string hint{};
};

/// Formats as "file:line:col: path: message; hint", omitting empty parts.
std::string to_string(const Diagnostic& diagnostic);

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Bad input: every problem that was found, in file order. Exit code 2.
class ConfigError : public Error {
 public:
  explicit ConfigError(std::vector<Diagnostic> diagnostics);
  [[nodiscard]] const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

 private:
  std::vector<Diagnostic> diagnostics_;
};

/// A model called outside its range: names the model, the parameter and the valid values.
class ModelError : public Error {
 public:
  ModelError(std::string_view model, std::string_view parameter, std::string_view valid);
};

/// The simulation cannot continue: a stall, an overflow of simulated time.
class SimulationError : public Error {
 public:
  using Error::Error;
};

}  // namespace railwright::core
