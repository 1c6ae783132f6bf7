// SPDX-License-Identifier: Apache-2.0
// Messages to the what-if page, as JSON.
#pragma once

#include <string>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/planner/what_if/what_if.hpp"
#include "railwright/web/html/shipped_examples.hpp"

namespace railwright::web {

/// Writes `kind: answer`, the `result` of `simulate --format json`, the `values` of the keys that
/// have controls, the `division` that was chosen, the `limits` of what sliders offer, what
/// was `added`, the `bill` of parts, and the `uncertainties`. A simulation also has the reads and
/// writes of storage over time; it and what does not fit have the drawing of the fabric.
std::string to_json(const planner::WhatIf& answer, const core::Catalogue& catalogue);

/// Writes `kind: variants`, each with its times in seconds or why it `fails`.
std::string to_json(const std::vector<planner::VariantOutcome>& outcomes);

/// Writes `kind: problems`, each with place, path, message and hint.
std::string problems_json(const std::vector<core::Diagnostic>& problems);

/// Writes `kind: file`, with its `text`.
std::string file_json(const std::string& text);

/// Writes the initial content of the page: the `scenario` as text, and the `controls` by path with
/// description, range and choices of each key, from the code and the catalogue. `examples` are
/// those that the page offers.
std::string what_if_form(const core::Node& scenario, const core::Catalogue& catalogue,
                         const std::vector<ShippedExample>& examples = {});

}  // namespace railwright::web
