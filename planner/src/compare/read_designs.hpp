// SPDX-License-Identifier: Apache-2.0
// Designs of one kind, read before any is simulated.
#pragma once

#include <algorithm>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "railwright/core/error.hpp"
#include "railwright/core/parallel_for.hpp"
#include "railwright/planner/compare/side_by_side.hpp"

namespace railwright::planner {

/// Whether all designs are of a kind. Throws ConfigError with the message if only some are.
inline bool are_of_kind(const std::vector<Design>& designs, bool (*is_kind)(const core::Node&),
                        const std::string& message) {
  const auto of_kind = [&](const Design& one) { return is_kind(one.tree); };
  if (std::ranges::none_of(designs, of_kind)) return false;
  const auto other = std::ranges::find_if_not(designs, of_kind);
  if (other == designs.end()) return true;
  throw core::ConfigError({{other->tree.where, "", message, "compare scenarios of one kind"}});
}

/// Returns what `read` makes of each tree. Throws ConfigError with the problems of all of them.
template <class Read>
auto read_designs(const std::vector<Design>& designs, const Read& read) {
  std::vector<std::invoke_result_t<Read, const core::Node&>> checked;
  std::vector<core::Diagnostic> problems;
  for (const Design& design : designs) {
    try {
      checked.push_back(read(design.tree));
    } catch (const core::ConfigError& error) {
      problems.insert(problems.end(), error.diagnostics().begin(), error.diagnostics().end());
    }
  }
  if (!problems.empty()) throw core::ConfigError(std::move(problems));
  return checked;
}

/// Returns each design's name with what `simulate` makes of what was read of it.
template <class Result, class Checked, class Simulate>
std::vector<Result> simulate_designs(const std::vector<Design>& designs,
                                     const std::vector<Checked>& checked,
                                     const ProgressFunction& progress, const Simulate& simulate) {
  std::vector<Result> results(designs.size());
  PiecesDone simulated(progress, "designs", designs.size());
  core::parallel_for(designs.size(), [&](std::size_t i) {
    results[i] = {designs[i].name, simulate(checked[i])};
    simulated.one_more();
  });
  return results;
}

}  // namespace railwright::planner
