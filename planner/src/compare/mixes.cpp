// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/compare/mixes.hpp"

#include <algorithm>

#include "read_designs.hpp"

namespace railwright::planner {

namespace {

bool fits(const MixDesign& design) {
  return design.is_valid && simulation::is_feasible(design.result);
}

}  // namespace

bool MixesSideBySide::feasible() const { return std::ranges::all_of(designs, fits); }

double MixesSideBySide::rank(const MixDesign& design) const {
  return kind->ranked_by().of(design.result).number();
}

std::optional<std::size_t> MixesSideBySide::best() const {
  const double sign = kind->facts.goals[0].wants_least ? 1.0 : -1.0;
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < designs.size(); ++i) {
    if (!fits(designs[i])) continue;
    if (!best || sign * rank(designs[i]) < sign * rank(designs[*best])) best = i;
  }
  return best;
}

MixesSideBySide mixes_side_by_side(const std::vector<Design>& designs,
                                   const core::Catalogue& catalogue,
                                   const ProgressFunction& progress) {
  const simulation::ScenarioKind& kind = simulation::kind_of(designs.front().tree);
  const auto checked =
      read_designs(designs, [&](const core::Node& tree) { return kind.read(tree, catalogue); });
  MixesSideBySide all{.kind = &kind, .designs = {}};
  all.designs = simulate_designs<MixDesign>(
      designs, checked, progress,
      [](const simulation::ScenarioKind::Simulation& one) { return one({}); },
      [](const std::string&) { return simulation::AnyResult(simulation::PlainResult{}); });
  for (std::size_t i = 0; i < checked.size(); ++i) all.designs[i].problem = checked[i].problem;
  return all;
}

}  // namespace railwright::planner
