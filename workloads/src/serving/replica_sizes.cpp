// SPDX-License-Identifier: Apache-2.0
#include "railwright/workloads/serving/replica_sizes.hpp"

namespace railwright::simulation {

std::vector<int> parts_of_node(const core::ComputeNode& node) {
  const int in_node = node.num_accelerators.value;
  std::vector<int> parts;
  for (int size = 1; size <= (node.peer_access ? in_node : 1); ++size) {
    if (in_node % size == 0) parts.push_back(size);
  }
  return parts;
}

std::vector<int> divisions(const CheckedInference& checked, const std::optional<int>& wanted) {
  if (wanted) return {*wanted};
  std::vector<int> list;
  for (const int tp : parts_of_node(checked.cluster.cluster.node)) {
    if (checked.inference.heads_divide(tp)) list.push_back(tp);
  }
  return list;
}

std::vector<models::ReplicaSize> replica_sizes(const CheckedInference& checked) {
  std::vector<models::ReplicaSize> list;
  for (const int tp : divisions(checked, checked.inference.tp)) {
    list.push_back({.tp = tp, .pp = checked.inference.pp});
  }
  return list;
}

std::vector<models::ReplicaSize> sizes_over_nodes(const CheckedInference& checked) {
  const models::Inference& inference = checked.inference;
  const topologies::Cluster& cluster = checked.cluster.cluster;
  std::vector<models::ReplicaSize> list;
  const bool is_open = !inference.tp && inference.pp == 1 && inference.offload.empty() &&
                       !inference.speculative && cluster.node.peer_access;
  if (!is_open) return list;
  const int in_node = cluster.node.num_accelerators.value;
  const int stage = divisions(checked, {}).back();
  for (int nodes = 2; nodes <= cluster.num_nodes; nodes *= 2) {
    if (inference.attention_dp) {
      const bool divides =
          !inference.model.experts || inference.model.experts->count % (nodes * in_node) == 0;
      if (divides) list.push_back({.tp = nodes * in_node});
    } else if (nodes * in_node / stage <= models::total_layers(inference.model)) {
      list.push_back({.tp = stage, .pp = nodes * in_node / stage});
    }
  }
  return list;
}

}  // namespace railwright::simulation
