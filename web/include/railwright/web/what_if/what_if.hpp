// SPDX-License-Identifier: Apache-2.0
// What a what-if page is told, as JSON.
#pragma once

#include <string>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/planner/what_if/what_if.hpp"

namespace railwright::web {

/// `kind: answer`, the `result` as `simulate --format json` gives it, the `values` of the keys that
/// the page has controls for, the `doubts`, and of a simulation what storage reads and writes over
/// time.
std::string to_json(const planner::WhatIf& answer);

/// `kind: problems`: each with place, path, message and hint.
std::string problems_json(const std::vector<core::Diagnostic>& problems);

/// `kind: file`, with the scenario's text as `text`.
std::string file_json(const core::Node& scenario, const std::string& comment);

/// What the page starts from: the `scenario` as text, and the `controls` by path with what each key
/// is, its range and its choices, from the code and the catalogue.
std::string what_if_form(const core::Node& scenario, const core::Catalogue& catalogue);

}  // namespace railwright::web
