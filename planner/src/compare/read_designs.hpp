// SPDX-License-Identifier: Apache-2.0
// Designs of one kind, read before any is simulated.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "railwright/core/error.hpp"
#include "railwright/core/parallel_for.hpp"
#include "railwright/planner/compare/side_by_side.hpp"

namespace railwright::planner {

/// A design's scenario as it was read, or why it could not be.
template <class Checked>
struct ReadDesign {
  std::optional<Checked> checked;
  std::string problem;
};

/// Returns what `read` makes of each tree. A varied design may have problems if another has none.
/// Throws ConfigError with the problems of all of them otherwise.
template <class Read>
auto read_designs(const std::vector<Design>& designs, const Read& read) {
  using Checked = std::invoke_result_t<Read, const core::Node&>;
  std::vector<ReadDesign<Checked>> all;
  std::vector<core::Diagnostic> problems;
  bool is_any_valid = false;
  bool is_any_wrong_unvaried = false;
  for (const Design& design : designs) {
    try {
      all.push_back({.checked = read(design.tree), .problem = {}});
      is_any_valid = true;
    } catch (const core::ConfigError& error) {
      ReadDesign<Checked>& read_design = all.emplace_back();
      is_any_wrong_unvaried = is_any_wrong_unvaried || !design.is_varied;
      for (const core::Diagnostic& one : error.diagnostics()) {
        read_design.problem += (read_design.problem.empty() ? "" : "; ") + core::to_string(one);
        problems.push_back(one);
      }
    }
  }
  if (!problems.empty() && (!is_any_valid || is_any_wrong_unvaried)) {
    throw core::ConfigError(std::move(problems));
  }
  return all;
}

/// Returns each design's name with what `simulate` makes of what was read of it, or with what
/// `refuse` makes of the problem.
template <class Result, class Checked, class Simulate, class Refuse>
std::vector<Result> simulate_designs(const std::vector<Design>& designs,
                                     const std::vector<ReadDesign<Checked>>& all,
                                     const ProgressFunction& progress, const Simulate& simulate,
                                     const Refuse& refuse) {
  std::vector<Result> results(designs.size());
  PiecesDone simulated(progress, "designs", designs.size());
  core::parallel_for(designs.size(), [&](std::size_t i) {
    const ReadDesign<Checked>& one = all[i];
    results[i] = {designs[i].name, one.checked ? simulate(*one.checked) : refuse(one.problem),
                  one.checked.has_value()};
    simulated.one_more();
  });
  return results;
}

}  // namespace railwright::planner
