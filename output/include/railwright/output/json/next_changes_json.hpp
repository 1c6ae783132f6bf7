// SPDX-License-Identifier: Apache-2.0
// The change to try next, as JSON.
#pragma once

#include <string>

#include "railwright/planner/next_change/next_changes.hpp"

namespace railwright::output {

/// Returns a list with an object for each advised change: its `settings`, as for `--set`, and what
/// the scenario gives with them; null if no changes were tried.
std::string to_json(const planner::AnyChangesTried& changes);

/// Adds that list to the JSON of a result, as `try_next`, unless no changes were tried.
std::string with_changes(const std::string& result_json, const planner::AnyChangesTried& changes);

}  // namespace railwright::output
