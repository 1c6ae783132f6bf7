// SPDX-License-Identifier: Apache-2.0
// Communicators on nodes of eight accelerators, and how their nodes are wired.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "railwright/core/fabric/fabric.hpp"
#include "railwright/models/collective/communicator.hpp"

namespace railwright::test {

inline const std::array<std::pair<int, std::string>, 4> kWirings{
    {{8, "shared"}, {4, "shared"}, {4, "alternate"}, {2, "alternate"}}};

/// The data-parallel group of one tensor rank: 8 / tp members on each node.
inline std::vector<int> data_parallel_group(int nodes, int tp, int tensor) {
  std::vector<int> members;
  for (int accelerator = tensor; accelerator < 8 * nodes; accelerator += tp) {
    members.push_back(accelerator);
  }
  return members;
}

/// Groups on up to four nodes that have different numbers of members on their nodes.
inline std::vector<std::vector<int>> unequal_groups() {
  return {{0, 4, 8},
          {4, 8, 12},
          {1, 3, 5, 7, 9, 11, 17},
          {7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 20},
          {2, 5, 10, 16, 17, 18, 19, 20, 21, 22, 23, 31},
          {3, 27}};
}

/// A buffer large enough for full bandwidth, by one algorithm.
inline models::CollectiveFlow flow_by(models::CollectiveAlgorithm algorithm,
                                      const core::Fabric& fabric, const std::vector<int>& members,
                                      const models::CollectiveTuning& tuning,
                                      models::CollectiveOp op = models::CollectiveOp::kAllReduce) {
  return models::Communicator(fabric, members, tuning)
      .flow(op, 1e9, {algorithm, models::CollectiveProtocol::kSimple});
}

/// What each link carries for a buffer, as the model says.
inline std::vector<double> loads(const core::Fabric& fabric, const models::CollectiveFlow& flow,
                                 std::size_t buffer) {
  std::vector<double> bytes(fabric.links().size());
  for (const core::LinkUse& use : flow.route) {
    bytes[static_cast<std::size_t>(use.link)] += use.coefficient * static_cast<double>(buffer);
  }
  return bytes;
}

/// Bytes that leave a node through its NICs for each byte of the buffer.
inline double out_of_node(const core::Fabric& fabric, const models::CollectiveFlow& flow,
                          int node) {
  double sum = 0.0;
  for (const core::LinkUse& use : flow.route) {
    const core::Link& link = fabric.links()[static_cast<std::size_t>(use.link)];
    const core::Vertex& from = fabric.vertices()[static_cast<std::size_t>(link.from)];
    if (from.role == core::Role::kNic && from.node == node && link.tier == core::Tier::kInjection) {
      sum += use.coefficient;
    }
  }
  return sum;
}

}  // namespace railwright::test
