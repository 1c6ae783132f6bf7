// SPDX-License-Identifier: Apache-2.0
// Functions of Python that set keys of a configuration: `cfg.model.seq_length = 8192`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "../common/findings.hpp"
#include "railwright/core/config/tree.hpp"

namespace railwright::importers {

/// A key that a function sets to what is not written there: a variable, a call, in a branch.
struct OpenKey {
  std::string path;  ///< "model.seq_length"
  std::string value;
  int line = 0;
};

/// A function with the keys that it sets on the configuration that it returns.
struct PythonRecipe {
  std::string name;
  int line = 0;
  core::Node keys;  ///< nested mappings with literal values; None is left out
  std::vector<OpenKey> open;
  std::string base;                ///< the function that `cfg` comes from; "" for none
  std::vector<std::string> calls;  ///< functions that are given `cfg`
};

/// Reads functions whose name ends in `_config` and begins with no underscore, each with what it
/// takes from another of the module, with a tokenizer of Python's words, strings,
/// brackets and indentation. Takes literals, constants of the module and keyword arguments of
/// configuration classes; runs nothing. Throws ConfigError for brackets and strings that never end.
std::vector<PythonRecipe> read_python_recipes(std::string_view text, const std::string& file);

}  // namespace railwright::importers
