// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/compare/side_by_side.hpp"

#include <algorithm>
#include <cmath>

#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/workloads/kinds.hpp"
#include "read_designs.hpp"

namespace railwright::planner {

namespace {

/// Keeps two parts of a key, such as "nics.count=8": "count" alone says little.
std::string setting_name(const std::string& key, const std::string& value) {
  const std::size_t dot = key.rfind('.');
  if (dot == std::string::npos || dot == 0) return key + "=" + value;
  const std::size_t before = key.rfind('.', dot - 1);
  return key.substr(before == std::string::npos ? 0 : before + 1) + "=" + value;
}

/// A later value of the same key would replace the earlier one under both names.
void refuse_repeated(const std::vector<simulation::Variation>& variations) {
  for (const simulation::Variation& one : variations) {
    if (std::ranges::count(variations, one.key, &simulation::Variation::key) == 1) continue;
    throw core::ConfigError({{{"--vary " + one.key},
                              "",
                              "this key is given twice",
                              "give all of its values at once: key=a,b,c"}});
  }
}

}  // namespace

std::vector<Design> vary(const std::vector<Design>& scenarios,
                         const std::vector<simulation::Variation>& variations) {
  refuse_repeated(variations);
  std::vector<Design> designs = scenarios;
  const bool has_names = scenarios.size() > 1;
  for (Design& design : designs) {
    if (!has_names && !variations.empty()) design.name.clear();
  }
  for (const simulation::Variation& variation : variations) {
    std::vector<Design> more;
    for (const Design& design : designs) {
      for (const core::Node& value : variation.values) {
        Design& made = more.emplace_back(design);
        const std::string text = core::to_yaml(value);
        core::set_path(made.tree, variation.key + "=" + text);
        made.is_varied = true;
        if (!made.name.empty()) made.name += ", ";
        made.name += setting_name(variation.key, text);
      }
    }
    designs = std::move(more);
  }
  return designs;
}

std::vector<TimePart> time_parts(const simulation::SimulationResult& result) {
  const simulation::JobRun& run = result.run.job();
  std::vector<TimePart> parts;
  const core::Duration steps = core::Duration::from_base(run.time_s[0]);
  for (std::size_t i = 0; i < simulation::kCauses.size(); ++i) {
    parts.push_back({simulation::kCauses[i].name,
                     steps * (result.breakdown.time[i] / result.breakdown.total())});
  }
  for (std::size_t i = 1; i < simulation::kNumRunCauses; ++i) {
    parts.push_back({simulation::kRunCauses[i].name, core::Duration::from_base(run.time_s[i])});
  }
  return parts;
}

bool SideBySide::feasible() const {
  return std::ranges::all_of(designs,
                             [](const DesignResult& design) { return design.result.feasible(); });
}

std::vector<TimePart> SideBySide::changes(std::size_t i) const {
  if (!designs.front().result.feasible() || !designs[i].result.feasible()) return {};
  const std::vector<TimePart> first = time_parts(designs.front().result);
  std::vector<TimePart> changes = time_parts(designs[i].result);
  for (std::size_t p = 0; p < changes.size(); ++p) changes[p].time -= first[p].time;
  // Smaller changes are rounding.
  const double least = 1e-9 * designs.front().result.run.job().training_time().base();
  std::erase_if(changes, [&](const TimePart& part) { return std::abs(part.time.base()) <= least; });
  std::ranges::stable_sort(changes, std::ranges::greater{},
                           [](const TimePart& part) { return std::abs(part.time.base()); });
  return changes;
}

SideBySide side_by_side(const std::vector<Design>& designs, const core::Catalogue& catalogue,
                        simulation::Method method, const ProgressFunction& progress) {
  PiecesDone read(progress, "designs read", designs.size());
  const auto checked = read_designs(designs, [&](const core::Node& tree) {
    read.one_more();
    return simulation::read_training(tree, catalogue);
  });
  const auto refuse = [&](const std::string& problem) {
    simulation::SimulationResult result;
    result.method = method;
    result.infeasible.push_back({problem});
    return result;
  };
  return {simulate_designs<DesignResult>(
      designs, checked, progress,
      [&](const auto& one) { return simulate(one, {.method = method}); }, refuse)};
}

}  // namespace railwright::planner
