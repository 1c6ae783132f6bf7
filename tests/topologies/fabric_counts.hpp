// SPDX-License-Identifier: Apache-2.0
// Counts taken from the graph itself, not from the parts list.
#pragma once

#include <map>
#include <string>

#include "railwright/core/fabric/fabric.hpp"

namespace railwright::topologies::testing {

struct FabricCounts {
  int leaves = 0;
  int spines = 0;
  int cores = 0;
  int host_cables = 0;
  int leaf_cables = 0;   ///< leaf - spine, or leaf - leaf
  int spine_cables = 0;  ///< spine - core
  int switch_cables = 0;
  std::map<std::string, int> ports;  ///< used, by switch label
};

inline FabricCounts count_fabric(const core::Fabric& fabric) {
  FabricCounts counts;
  const auto vertex = [&](core::VertexId v) -> const core::Vertex& {
    return fabric.vertices()[static_cast<std::size_t>(v)];
  };
  const auto is = [](const core::Vertex& v, const char* word) {
    return v.label.find(word) != std::string::npos;
  };
  for (const core::Vertex& v : fabric.vertices()) {
    if (v.role != core::Role::kSwitch) continue;
    counts.leaves += is(v, "leaf") ? 1 : 0;
    counts.spines += is(v, "spine") ? 1 : 0;
    counts.cores += is(v, "core") ? 1 : 0;
    counts.ports[v.label];
  }
  for (std::size_t l = 0; l < fabric.links().size(); l += 2) {
    const core::Link& link = fabric.links()[l];
    if (link.tier != core::Tier::kInjection && link.tier != core::Tier::kFabric) continue;
    for (const core::VertexId end : {link.from, link.to}) {
      if (vertex(end).role == core::Role::kSwitch)
        counts.ports[vertex(end).label] += link.num_parallel;
    }
    if (link.tier == core::Tier::kInjection) {
      counts.host_cables += link.num_parallel;
      continue;
    }
    counts.switch_cables += link.num_parallel;
    const bool from_leaf = is(vertex(link.from), "leaf") || is(vertex(link.to), "leaf");
    (from_leaf ? counts.leaf_cables : counts.spine_cables) += link.num_parallel;
  }
  return counts;
}

}  // namespace railwright::topologies::testing
