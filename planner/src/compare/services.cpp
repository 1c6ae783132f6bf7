// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/compare/services.hpp"

#include <algorithm>
#include <tuple>

#include "read_designs.hpp"

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

ServicesSideBySide services_side_by_side(const std::vector<Design>& designs,
                                         const core::Catalogue& catalogue,
                                         const ProgressFunction& progress) {
  const auto checked = read_designs(
      designs, [&](const core::Node& tree) { return simulation::read_inference(tree, catalogue); });
  const auto refuse = [](const std::string& problem) {
    simulation::InferenceResult result;
    result.infeasible.push_back(problem);
    return result;
  };
  return {simulate_designs<ServiceDesign>(
      designs, checked, progress, [](const auto& one) { return simulate(one); }, refuse)};
}

}  // namespace railwright::planner
