// SPDX-License-Identifier: Apache-2.0
#include "groups.hpp"

#include <set>
#include <utility>

namespace railwright::planner {

namespace {

using models::Layout;

/// Groups of accelerators with the same parameters, in the order of the replicas.
std::vector<std::vector<int>> replica_groups(const Layout& layout, int stage, bool of_experts) {
  std::vector<std::vector<int>> groups;
  if (of_experts) {
    std::set<std::vector<int>> met;
    for (int rank = 0; rank < layout.stage_size(); ++rank) {
      if (static_cast<int>(met.size()) == layout.ep * layout.etp) break;
      auto members = models::expert_replicas(layout, rank, stage);
      if (met.insert(members).second) groups.push_back(std::move(members));
    }
    return groups;
  }
  for (int tensor = 0; tensor < layout.tp; ++tensor) {
    std::vector<int> members;
    for (int replica = 0; replica < layout.num_replicas(); ++replica) {
      members.push_back(layout.accelerator(tensor, replica, stage));
    }
    groups.push_back(std::move(members));
  }
  return groups;
}

}  // namespace

std::vector<int> tensor_group(const Layout& layout, int replica, int stage) {
  std::vector<int> members;
  for (int tensor = 0; tensor < layout.tp; ++tensor) {
    members.push_back(layout.accelerator(tensor, replica, stage));
  }
  return members;
}

std::vector<int> context_group(const Layout& layout, int tensor, int replica, int stage) {
  std::vector<int> members;
  const int first = replica / layout.cp * layout.cp;
  for (int i = 0; i < layout.cp; ++i) {
    members.push_back(layout.accelerator(tensor, first + i, stage));
  }
  return members;
}

std::vector<std::vector<int>> parameter_groups(const Layout& layout, int stage, bool of_experts) {
  auto groups = replica_groups(layout, stage, of_experts);
  if (layout.num_directions() == 1) return groups;
  const auto mirrored = replica_groups(layout, layout.pp - 1 - stage, of_experts);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    groups[i].insert(groups[i].end(), mirrored[i].begin(), mirrored[i].end());
  }
  return groups;
}

std::vector<std::vector<int>> split(const std::vector<int>& members, std::size_t size,
                                    bool across) {
  std::vector<std::vector<int>> groups(across ? size : members.size() / size);
  for (std::size_t i = 0; i < members.size(); ++i) {
    groups[across ? i % size : i / size].push_back(members[i]);
  }
  return groups;
}

}  // namespace railwright::planner
