// SPDX-License-Identifier: Apache-2.0
// Options of a command line out of a shell script, or of a file that holds nothing else.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "railwright/core/config/tree.hpp"

namespace railwright::importers {

/// `--num-layers 32 --swiglu` as `{num_layers: 32, swiglu: true}`, wherever in the text it stands:
/// quotes, comments, continued lines, `--key=value`, arrays, and variables that the text itself
/// gives a value, `${NAME:-value}` too. Nothing is run. Of an option that is there twice the latter
/// wins.
struct ShellOptions {
  core::Node options;
  std::vector<std::string> unset;     ///< options whose value is a variable without one: "--x $Y"
  std::vector<std::string> doubled;   ///< options with two values: "--x 1, then 2"
  std::vector<std::string> defaults;  ///< variables that have the value of their `:-`: "TP 2"
};

ShellOptions shell_options(std::string_view text, const std::string& file);

}  // namespace railwright::importers
