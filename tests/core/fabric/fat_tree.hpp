// SPDX-License-Identifier: Apache-2.0
// Fat trees of one, two and three tiers, drawn without the builders of topologies.
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "railwright/core/fabric/fabric.hpp"
#include "railwright/core/units/literals.hpp"

namespace railwright::core::testing {

struct Shape {
  int num_nodes = 1;
  int nics_per_node = 1;   ///< one an accelerator
  int hosts_per_leaf = 1;  ///< NICs on a leaf
  int leaves_per_pod = 1;  ///< all leaves with two tiers
  int spines_per_pod = 0;  ///< 0: one switch for all
  int num_pods = 1;
  int cores_per_spine = 0;      ///< 0: two tiers; each core has a cable to one spine of every pod
  int cables = 1;               ///< between a leaf and a spine
  bool draw_cables = false;     ///< as links of their own
  bool rail_optimized = false;  ///< NIC i of a group of nodes on leaf i of the group
};

struct FatTree {
  Fabric fabric;
  std::vector<VertexId> nics;  // node by node
  std::vector<VertexId> leaves;
  std::vector<VertexId> spines;
  std::vector<VertexId> cores;

  explicit FatTree(const Shape& shape) {
    for (int p = 0; p < shape.num_pods; ++p) add_pod(shape);
    add_cores(shape);
    add_nodes(shape);
  }

  [[nodiscard]] const Link& link(LinkId l) const {
    return fabric.links()[static_cast<std::size_t>(l)];
  }
  /// The link between two neighbours; the first of several.
  [[nodiscard]] LinkId between(VertexId from, VertexId to) const {
    for (std::size_t l = 0; l < fabric.links().size(); ++l) {
      if (fabric.links()[l].from == from && fabric.links()[l].to == to) {
        return static_cast<LinkId>(l);
      }
    }
    return -1;
  }

 private:
  static constexpr Bandwidth kCable = Bandwidth::from_base(50e9);
  static constexpr Duration kLatency = Duration::from_base(1e-6);

  VertexId add_switch(const char* word, std::vector<VertexId>& all, int level) {
    const int index = static_cast<int>(all.size());
    all.push_back(fabric.add_vertex(
        {Role::kSwitch, -1, index, word + std::string(" ") + std::to_string(index), level}));
    return all.back();
  }

  void add_pod(const Shape& shape) {
    const std::size_t first = leaves.size();
    for (int i = 0; i < shape.leaves_per_pod; ++i) add_switch("leaf", leaves, 0);
    for (int i = 0; i < shape.spines_per_pod; ++i) {
      const VertexId spine = add_switch("spine", spines, 1);
      for (std::size_t l = first; l < leaves.size(); ++l) {
        const int num_links = shape.draw_cables ? shape.cables : 1;
        const int num_parallel = shape.cables / num_links;
        for (int c = 0; c < num_links; ++c) {
          fabric.add_link(
              {leaves[l], spine, Tier::kFabric, kCable * num_parallel, kLatency, num_parallel});
        }
      }
    }
  }

  void add_cores(const Shape& shape) {
    for (int s = 0; s < shape.spines_per_pod; ++s) {
      for (int c = 0; c < shape.cores_per_spine; ++c) {
        const VertexId core = add_switch("core", cores, 2);
        for (int p = 0; p < shape.num_pods; ++p) {
          const auto spine =
              static_cast<std::size_t>(p) * static_cast<std::size_t>(shape.spines_per_pod) +
              static_cast<std::size_t>(s);
          fabric.add_link({spines[spine], core, Tier::kFabric, kCable, kLatency});
        }
      }
    }
  }

  void add_nodes(const Shape& shape) {
    std::vector<Endpoint> endpoints;
    const int k = shape.nics_per_node;
    for (int n = 0; n < shape.num_nodes; ++n) {
      const std::string node = "node " + std::to_string(n);
      const VertexId hub = fabric.add_vertex({Role::kScaleUpSwitch, n, 0, node + " hub"});
      const VertexId pcie = fabric.add_vertex({Role::kPcieSwitch, n, 0, node + " PCIe switch"});
      for (int i = 0; i < k; ++i) {
        const VertexId accelerator = fabric.add_vertex(
            {Role::kAccelerator, n, i, fmt::format("{} accelerator {}", node, i)});
        const VertexId nic =
            fabric.add_vertex({Role::kNic, n, i, fmt::format("{} NIC {}", node, i)});
        const int leaf = shape.rail_optimized ? n / shape.hosts_per_leaf * k + i
                                              : (n * k + i) / shape.hosts_per_leaf;
        fabric.add_link({accelerator, hub, Tier::kScaleUp, kCable * 9, {}});
        fabric.add_link({accelerator, pcie, Tier::kPcie, kCable, {}});
        fabric.add_link({pcie, nic, Tier::kPcie, kCable, {}});
        fabric.add_link(
            {nic, leaves[static_cast<std::size_t>(leaf)], Tier::kInjection, kCable, kLatency});
        nics.push_back(nic);
        endpoints.push_back({.accelerator = accelerator, .node = n, .local_index = i, .nic = i});
      }
    }
    fabric.set_endpoints(std::move(endpoints), k);
  }
};

/// 64 NICs: 8 leaves of 8 with 8 spines, or 4 pods of 4 leaves of 4 with 16 core switches.
inline Shape two_tiers() {
  return {.num_nodes = 64, .hosts_per_leaf = 8, .leaves_per_pod = 8, .spines_per_pod = 8};
}
inline Shape three_tiers() {
  return {.num_nodes = 64,
          .hosts_per_leaf = 4,
          .leaves_per_pod = 4,
          .spines_per_pod = 4,
          .num_pods = 4,
          .cores_per_spine = 4};
}

}  // namespace railwright::core::testing
