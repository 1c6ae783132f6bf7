// SPDX-License-Identifier: Apache-2.0
// Reads options of a command line from a shell script, or from a file with nothing else.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "railwright/core/config/tree.hpp"
#include "railwright/importers/import.hpp"

namespace railwright::importers {

/// An option whose value comes from outside the file.
struct UnsetOption {
  std::string name;    ///< with underscores
  std::string option;  ///< as it stands in the file
  std::string value;
  core::Location where;
  std::string reason = {};  ///< why it is not known; "" for a variable that the file does not set
};

/// Says why the value of an option is not known.
std::string why_unset(const UnsetOption& option);

/// Options of a text: `--num-layers 32 --swiglu` becomes `{num_layers: 32, swiglu: true}`. Handles
/// quotes, comments, continued lines, `--key=value`, arrays, and variables that the text itself
/// sets, also `${NAME:-value}`. Runs nothing. The last of repeated options wins.
struct ShellOptions {
  core::Node options;
  std::vector<std::string> operands;  ///< words before the options of each command that has any
  std::vector<UnsetOption> unset;     ///< options whose value is a variable without one
  std::vector<std::string> outside;   ///< variables of options that the text does not set: "$ARGS"
  std::vector<std::string> doubled;   ///< options with two values: "--x 1, then 2"
  std::vector<std::string> defaults;  ///< variables set by their `:-` default: "TP 2"
  core::Node variables;               ///< variables that the text sets to words, not to options
  std::vector<UnsetOption> unset_variables;  ///< variables that it sets to others without a value
};

/// `short_names` are options with a single dash, such as "-tp", that count as options too.
ShellOptions shell_options(std::string_view text, const std::string& file,
                           std::span<const std::string_view> short_names = {});

/// Returns a script in which chosen variables have their values, whatever it sets them to; nothing
/// for YAML, TOML and JSON. Throws ConfigError for a choice that is no NAME=VALUE.
std::optional<std::string> with_variables(std::string_view text, const std::string& file,
                                          const ImportChoices& choices);

/// Returns a manifest with chosen variables filled in where it names them; nothing where it does
/// not. Throws ConfigError for a choice that is no NAME=VALUE.
std::optional<std::string> with_chosen_values(std::string_view text, const ImportChoices& choices);

}  // namespace railwright::importers
