// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/compare/services.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "railwright/core/parallel_for.hpp"

namespace railwright::planner {

bool ServicesSideBySide::feasible() const {
  return std::ranges::all_of(designs,
                             [](const ServiceDesign& one) { return one.result.feasible(); });
}

std::optional<std::size_t> ServicesSideBySide::best() const {
  const auto key = [](const ServiceDesign& one) {
    return std::tuple(!one.result.feasible(), one.result.num_nodes, one.result.num_accelerators,
                      -one.result.accelerator_tokens_per_s);
  };
  const auto first = std::ranges::min_element(designs, {}, key);
  if (first == designs.end() || !first->result.feasible()) return {};
  return static_cast<std::size_t>(first - designs.begin());
}

bool are_services(const std::vector<Design>& designs) {
  const auto is_service = [](const Design& one) { return simulation::is_inference(one.tree); };
  if (std::ranges::none_of(designs, is_service)) return false;
  const auto other = std::ranges::find_if_not(designs, is_service);
  if (other == designs.end()) return true;
  throw core::ConfigError(
      {{other->tree.where, "", "the scenario of training does not stand beside one of inference",
        "compare scenarios of one kind"}});
}

ServicesSideBySide services_side_by_side(const std::vector<Design>& designs,
                                         const core::Catalogue& catalogue,
                                         const ProgressFunction& progress) {
  std::vector<simulation::CheckedInference> checked;
  std::vector<core::Diagnostic> problems;
  for (const Design& design : designs) {
    try {
      checked.push_back(simulation::read_inference(design.tree, catalogue));
    } catch (const core::ConfigError& error) {
      problems.insert(problems.end(), error.diagnostics().begin(), error.diagnostics().end());
    }
  }
  if (!problems.empty()) throw core::ConfigError(std::move(problems));
  ServicesSideBySide result;
  result.designs.resize(designs.size());
  PiecesDone simulated(progress, "designs", designs.size());
  core::parallel_for(designs.size(), [&](std::size_t i) {
    result.designs[i] = {designs[i].name, simulate(checked[i])};
    simulated.one_more();
  });
  return result;
}

}  // namespace railwright::planner
