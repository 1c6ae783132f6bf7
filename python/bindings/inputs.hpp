// SPDX-License-Identifier: Apache-2.0
// Conversion of Python's inputs and outputs.
#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <utility>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/planner/sweep/sweep.hpp"
#include "railwright/planner/unsaid/unsaid.hpp"
#include "railwright/workloads/training/simulate.hpp"

namespace railwright::python {

using Strings = std::vector<std::string>;

/// A scenario from Python: a path or the JSON text of a dict, and settings that override its keys.
struct Source {
  std::string text;
  bool is_json = false;
  Strings settings;
  Strings include_folders = {};  ///< folders for includes besides the path's own
  std::vector<std::pair<std::string, std::string>> words =
      {};  ///< of a question; text may be empty
};

/// Reads a scenario. Throws ConfigError; a problem in a dict has a key path but no line.
core::Node tree_of(const Source& source);
/// Reads a scenario or a question, with what it leaves unsaid chosen. Throws ConfigError.
planner::Filled filled_of(const Source& source, const core::Catalogue& catalogue,
                          planner::Asked asked);
/// Returns the scenario's `name`, or its file's.
std::string name_of(const core::Node& tree, const Source& source);
/// Returns plain dicts, lists, numbers and text.
pybind11::object to_python(const core::Node& node);
pybind11::object to_python(const planner::SweepValue& value);

simulation::Method method_of(bool estimate);

/// Returns an argument of a function. Throws ConfigError if it lies outside the range, which is
/// that of the program's option.
int in_range(const std::string& argument, int value, int least, int most);
/// Returns `threads`; 0 is as many as there are cores.
inline int checked_threads(int threads) { return in_range("threads", threads, 0, 1024); }

void bind_source(pybind11::module_& module);

}  // namespace railwright::python
