// SPDX-License-Identifier: Apache-2.0
#include "group_checks.hpp"

#include <fmt/format.h>

#include <variant>

#include "railwright/simulation/scenario/scenario.hpp"

namespace railwright::simulation {

namespace {

using models::Layout;

/// Whether a group has at least two members and all of them are on one node.
template <typename RankOf>
bool is_in_node(int num_members, int node_size, const RankOf& rank_of) {
  if (num_members < 2) return false;
  const int node = rank_of(0) / node_size;
  for (int member = 1; member < num_members; ++member) {
    if (rank_of(member) / node_size != node) return false;
  }
  return true;
}

bool has_group_in_node(const Layout& layout, int node_size) {
  for (int stage = 0; stage < layout.pp; ++stage) {
    for (int replica = 0; replica < layout.num_replicas(); ++replica) {
      if (is_in_node(layout.tp, node_size,
                     [&](int t) { return layout.accelerator(t, replica, stage); })) {
        return true;
      }
    }
    for (int t = 0; t < layout.tp; ++t) {
      if (is_in_node(layout.num_replicas(), node_size,
                     [&](int replica) { return layout.accelerator(t, replica, stage); })) {
        return true;
      }
    }
  }
  return false;
}

/// Checks that ranks which swap tokens for heads have heads to swap.
void check_swaps(const Scenario& scenario, const Layout& layout,
                 std::vector<core::Problem>& problems) {
  const models::SoftwareProfile& software = scenario.software;
  const auto* model = std::get_if<models::Transformer>(&scenario.workload.model);
  if (layout.cp == 1 || model == nullptr) return;
  const bool has_both = software.context_exchange.value == models::ContextExchange::kAllToAllRing;
  if (has_both && layout.cp % software.context_swap_ranks.value != 0) {
    problems.push_back(
        {"software.context_swap_ranks", fmt::format("{} ranks do not divide cp {}",
                                                    software.context_swap_ranks.value, layout.cp)});
    return;
  }
  const int swapping = software.context_ranks(layout.cp).heads;
  if (model->num_heads / layout.tp % swapping == 0) return;
  problems.push_back({has_both ? "software.context_swap_ranks" : "software.context_exchange",
                      fmt::format("{} ranks cannot divide the {} heads of a tensor-parallel rank",
                                  swapping, model->num_heads / layout.tp)});
}

}  // namespace

std::vector<core::Problem> group_problems(const Scenario& scenario, const Layout& layout) {
  std::vector<core::Problem> problems;
  if (scenario.run.min_replicas.value_or(1) > layout.dp) {
    problems.push_back(
        {"run.min_replicas", fmt::format("the layout has {} data-parallel replicas", layout.dp)});
  }
  check_swaps(scenario, layout, problems);
  static const models::CollectiveAlgorithm kOfOneNode("nvls");
  const models::CollectiveAlgorithm named =
      scenario.software.collectives.all_reduce_algorithm.value;
  const int node_size = scenario.cluster.node.num_accelerators.value;
  if (named != kOfOneNode || has_group_in_node(layout, node_size)) return problems;
  problems.push_back(
      {"software.collectives.all_reduce_algorithm",
       fmt::format("{} runs within a node, and every group of this layout spans nodes of {} "
                   "accelerators: name another, or leave the choice to the library",
                   core::to_string(named), node_size)});
  return problems;
}

}  // namespace railwright::simulation
