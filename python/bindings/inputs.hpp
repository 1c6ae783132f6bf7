// SPDX-License-Identifier: Apache-2.0
// What Python hands in, as the planner wants it.
#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/planner/sweep/sweep.hpp"
#include "railwright/simulation/training/simulate.hpp"

namespace railwright::python {

using Strings = std::vector<std::string>;

/// A scenario as Python hands it over: a path, or the JSON text of a dict, and the settings laid
/// over it.
struct Source {
  std::string text;
  bool is_json = false;
  Strings settings;
  Strings include_folders = {};  ///< that files may be included from, beside the path's own
};

/// Throws ConfigError. Problems of a dict are placed by their key path alone: it has no lines.
core::Node tree_of(const Source& source);
/// The name a scenario has, or its file's.
std::string name_of(const core::Node& tree, const Source& source);
/// Plain dicts, lists, numbers and text.
pybind11::object to_python(const core::Node& node);
pybind11::object to_python(const planner::SweepValue& value);

simulation::Method method_of(bool estimate);

void bind_source(pybind11::module_& module);

}  // namespace railwright::python
