// SPDX-License-Identifier: Apache-2.0
// Messages to the what-if page, as JSON.
#pragma once

#include <string>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/planner/what_if/what_if.hpp"

namespace railwright::web {

/// Writes `kind: answer`, the `result` of `simulate --format json`, the `values` of the keys that
/// have controls, the `division` that was chosen, and the `doubts`. A simulation also has the reads
/// and writes of storage over time.
std::string to_json(const planner::WhatIf& answer);

/// Writes `kind: problems`, each with place, path, message and hint.
std::string problems_json(const std::vector<core::Diagnostic>& problems);

/// Writes `kind: file`, with the scenario's text as `text`.
std::string file_json(const core::Node& scenario, const std::string& comment);

/// Writes the initial content of the page: the `scenario` as text, and the `controls` by path with
/// description, range and choices of each key, from the code and the catalogue.
std::string what_if_form(const core::Node& scenario, const core::Catalogue& catalogue);

}  // namespace railwright::web
