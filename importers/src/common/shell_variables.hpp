// SPDX-License-Identifier: Apache-2.0
// Holds the variables of a script and fills them in.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "shell_branches.hpp"

namespace railwright::importers {

/// Whether a letter may stand in the name of a variable.
bool is_shell_name_char(char c);

/// Whether a text begins with an argument of the script: "$1".
bool is_shell_argument(std::string_view text);

class ShellVariables {
 public:
  /// `touched` is told of a name before a text changes it by `${NAME:=value}`.
  explicit ShellVariables(std::function<void(const std::string&)> touched)
      : touched_(std::move(touched)) {}

  [[nodiscard]] bool contains(const std::string& name) const { return texts_.contains(name); }
  [[nodiscard]] bool is_full() const;
  /// Returns what a variable holds: nothing where it is not set, a reason where it is not known.
  [[nodiscard]] ShellValue value_of(const std::string& name) const;
  /// Returns a variable's text: "${NAME}" where it is not known, "" where it is not set.
  [[nodiscard]] std::string text_of(const std::string& name) const;
  /// Whether a variable is empty unless it is told from outside.
  [[nodiscard]] bool is_unset(std::string_view name) const;
  void set(const std::string& name, const ShellValue& value);
  /// Sets a variable that a scheduler sets, and not the file.
  void preset(const std::string& name, const std::string& value);
  /// Sets the arguments of a function; "$1" is the first.
  void set_arguments(const std::vector<ShellValue>& values);

  /// Expands the variables that have a value, `$((N * 8))` and `${NAME:-value}`, and keeps the
  /// others.
  std::string resolved(std::string_view text) { return resolved(text, 0); }
  /// Says why a text is not known: a variable in it has several values. "" where none has.
  [[nodiscard]] std::string why_unknown(std::string_view text) const;

  /// Lists variables that the file sets, with their texts.
  [[nodiscard]] std::map<std::string, std::string> of_file() const;
  /// Returns variables set by their `:-` default: "TP 2".
  [[nodiscard]] const std::vector<std::string>& defaults() const { return defaults_; }

 private:
  struct Mention;

  static Mention mention_at(std::string_view text, std::size_t at);
  std::size_t add_arithmetic(std::string_view text, std::size_t at, std::string& result) const;
  std::optional<std::string> expanded(const Mention& mention, int depth);
  std::string resolved(std::string_view text, int depth);

  std::function<void(const std::string&)> touched_;
  std::map<std::string, std::string> texts_;
  std::map<std::string, std::string> reasons_;  ///< why variables are not known
  std::set<std::string> presets_;               ///< variables that schedulers set
  std::vector<std::string> defaults_;
};

}  // namespace railwright::importers
