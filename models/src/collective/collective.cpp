// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/collective/collective.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "link_loads.hpp"

namespace railwright::models {

namespace {

/// Members grouped by node, in the order of first appearance.
std::vector<std::vector<int>> members_by_node(const core::Fabric& fabric,
                                              std::span<const int> members) {
  std::vector<std::vector<int>> groups;
  std::map<int, std::size_t> group_of_node;
  for (const int member : members) {
    const int node = fabric.endpoint(member).node;
    const auto [it, is_new] = group_of_node.try_emplace(node, groups.size());
    if (is_new) groups.emplace_back();
    groups[it->second].push_back(member);
  }
  return groups;
}

std::size_t num_channels(const std::vector<std::vector<int>>& groups) {
  return std::ranges::max(groups, {}, &std::vector<int>::size).size();
}

/// The member of a node that a channel enters and leaves through.
int gate(const std::vector<int>& group, std::size_t channel) {
  return group[channel % group.size()];
}

/// Parent of `rank` in the in-order binary tree over `size` ranks rooted at 0; -1 for the root.
int tree_parent(int rank, int size) {
  if (rank == 0) return -1;
  const int low_bit = rank & -rank;
  const int parent = (rank ^ low_bit) | (low_bit << 1);
  return parent < size ? parent : rank ^ low_bit;
}

/// Rank in the second tree: mirrored for an even size, shifted for an odd one, so that inner ranks
/// of one tree are leaves of the other.
int second_tree_rank(int rank, int size) {
  return size % 2 == 0 ? size - 1 - rank : (rank + size - 1) % size;
}

}  // namespace

CollectiveFlow ring_collective(const core::Fabric& fabric, CollectiveOp op,
                               std::span<const int> members, const CollectiveTuning& tuning) {
  const auto size = static_cast<double>(members.size());
  if (members.size() < 2) return {};
  const double passes = op == CollectiveOp::kAllReduce ? 2.0 : 1.0;
  const double edge_bytes = passes * (size - 1.0) / size;
  const auto groups = members_by_node(fabric, members);
  const std::size_t channels = num_channels(groups);

  LinkLoads loads(fabric);
  for (std::size_t channel = 0; channel < channels; ++channel) {
    const double bytes = edge_bytes / static_cast<double>(channels);
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const auto& group = groups[g];
      const std::size_t entry = channel % group.size();
      for (std::size_t i = 0; i + 1 < group.size(); ++i) {
        loads.add(group[(entry + i) % group.size()], group[(entry + i + 1) % group.size()], bytes);
      }
      const int last = group[(entry + group.size() - 1) % group.size()];
      if (last != gate(group, channel)) loads.add(last, gate(group, channel), bytes);
      if (groups.size() > 1) {
        loads.add(gate(group, channel), gate(groups[(g + 1) % groups.size()], channel), bytes);
      }
    }
  }
  const double steps = passes * (size - 1.0);
  const double steps_between_nodes = passes * static_cast<double>(groups.size() - 1);
  return {.route = loads.route(),
          .latency = tuning.base_latency.value +
                     tuning.scale_up_hop_latency.value * (steps - steps_between_nodes) +
                     tuning.scale_out_hop_latency.value * steps_between_nodes};
}

CollectiveFlow tree_all_reduce(const core::Fabric& fabric, std::span<const int> members,
                               const CollectiveTuning& tuning) {
  if (members.size() < 2) return {};
  const auto groups = members_by_node(fabric, members);
  const std::size_t channels = num_channels(groups);
  const int num_nodes = static_cast<int>(groups.size());

  LinkLoads loads(fabric);
  for (std::size_t channel = 0; channel < channels; ++channel) {
    const double bytes = 1.0 / static_cast<double>(channels);
    for (const auto& group : groups) {
      const std::size_t entry = channel % group.size();
      for (std::size_t i = 0; i + 1 < group.size(); ++i) {
        const int a = group[(entry + i) % group.size()];
        const int b = group[(entry + i + 1) % group.size()];
        loads.add(b, a, bytes);
        loads.add(a, b, bytes);
      }
    }
    for (int node = 0; node < num_nodes; ++node) {
      for (const bool second : {false, true}) {
        for (int other = 0; other < num_nodes; ++other) {
          const int rank = second ? second_tree_rank(node, num_nodes) : node;
          const int other_rank = second ? second_tree_rank(other, num_nodes) : other;
          if (tree_parent(rank, num_nodes) != other_rank) continue;
          const int child = gate(groups[static_cast<std::size_t>(node)], channel);
          const int parent = gate(groups[static_cast<std::size_t>(other)], channel);
          loads.add(child, parent, bytes / 2.0);
          loads.add(parent, child, bytes / 2.0);
        }
      }
    }
  }
  const double local_steps = static_cast<double>(num_channels(groups) - 1);
  const double depth = std::ceil(std::log2(static_cast<double>(num_nodes)));
  return {.route = loads.route(),
          .latency =
              tuning.base_latency.value + 2.0 * (tuning.scale_up_hop_latency.value * local_steps +
                                                 tuning.scale_out_hop_latency.value * depth)};
}

CollectiveFlow merge(std::span<const CollectiveFlow> flows) {
  std::map<core::LinkId, double> loads;
  CollectiveFlow merged;
  for (const CollectiveFlow& flow : flows) {
    for (const core::LinkUse& use : flow.route) loads[use.link] += use.coefficient;
    merged.latency = std::max(merged.latency, flow.latency);
    merged.ceiling = std::min(merged.ceiling, flow.ceiling);
  }
  for (const auto& [link, bytes] : loads) merged.route.push_back({link, bytes});
  return merged;
}

core::Duration isolated_time(const CollectiveFlow& flow, double bytes,
                             std::span<const double> capacity) {
  double seconds_per_byte = 1.0 / flow.ceiling;
  for (const core::LinkUse& use : flow.route) {
    seconds_per_byte =
        std::max(seconds_per_byte, use.coefficient / capacity[static_cast<std::size_t>(use.link)]);
  }
  return flow.latency + core::Duration::from_base(seconds_per_byte * bytes);
}

}  // namespace railwright::models
