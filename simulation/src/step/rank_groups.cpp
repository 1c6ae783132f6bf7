// SPDX-License-Identifier: Apache-2.0
#include "railwright/simulation/step/rank_groups.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace railwright::simulation {

namespace {

using models::Layout;

/// Returns the first groups of accelerators with the same parameters, in the order of the replicas.
std::vector<std::vector<int>> replica_groups(const Layout& layout, int stage, bool of_experts,
                                             std::size_t most) {
  std::vector<std::vector<int>> groups;
  if (of_experts) {
    const models::ExpertStrides& strides = layout.expert_strides;
    std::vector<bool> is_met(static_cast<std::size_t>(layout.ep * layout.etp));
    const std::size_t num_groups = std::min(is_met.size(), most);
    for (int rank = 0; rank < layout.stage_size() && groups.size() < num_groups; ++rank) {
      const int experts = rank / strides.ep % layout.ep;
      const auto held =
          static_cast<std::size_t>(experts * layout.etp + rank / strides.etp % layout.etp);
      if (is_met[held]) continue;
      is_met[held] = true;
      groups.push_back(models::expert_replicas(layout, rank, stage));
    }
    return groups;
  }
  const auto num_groups = static_cast<int>(std::min(static_cast<std::size_t>(layout.tp), most));
  for (int tensor = 0; tensor < num_groups; ++tensor) {
    std::vector<int> members;
    members.reserve(static_cast<std::size_t>(layout.num_replicas()));
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

std::vector<std::int32_t> expert_circles(const Layout& layout) {
  std::vector<std::int32_t> circles(static_cast<std::size_t>(layout.pp * layout.num_replicas()));
  std::iota(circles.begin(), circles.end(), 0);
  const auto root = [&](std::int32_t group) {
    while (circles[static_cast<std::size_t>(group)] != group) {
      group = circles[static_cast<std::size_t>(group)];
    }
    return group;
  };
  for (int stage = 0; stage < layout.pp; ++stage) {
    // Group by the first rank of its exchange within the stage.
    std::vector<std::int32_t> first_of(static_cast<std::size_t>(layout.stage_size()), -1);
    for (int replica = 0; replica < layout.num_replicas(); ++replica) {
      const std::int32_t group = stage * layout.num_replicas() + replica;
      for (int tensor = 0; tensor < layout.tp; ++tensor) {
        const int rank = layout.rank_in_stage(tensor, replica);
        const int stride = layout.expert_strides.ep;
        const int first = rank - rank / stride % layout.ep * stride;
        std::int32_t& other = first_of[static_cast<std::size_t>(first)];
        if (other < 0) other = group;
        const std::int32_t own = root(group);
        const std::int32_t theirs = root(other);
        circles[static_cast<std::size_t>(std::max(own, theirs))] = std::min(own, theirs);
      }
    }
  }
  for (std::int32_t& circle : circles) circle = root(circle);
  return circles;
}

std::vector<std::int32_t> context_circles(const Layout& layout) {
  std::vector<std::int32_t> circles;
  for (std::int32_t group = 0; group < layout.pp * layout.num_replicas(); ++group) {
    circles.push_back(group / layout.cp);
  }
  return circles;
}

std::vector<std::vector<int>> parameter_groups(const Layout& layout, int stage, bool of_experts,
                                               std::size_t most) {
  auto groups = replica_groups(layout, stage, of_experts, most);
  if (layout.num_directions() == 1) return groups;
  const auto mirrored = replica_groups(layout, layout.pp - 1 - stage, of_experts, most);
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

}  // namespace railwright::simulation
