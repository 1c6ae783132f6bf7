// SPDX-License-Identifier: Apache-2.0
// Small fabrics put together by hand.
#pragma once

#include <fmt/format.h>

#include <vector>

#include "railwright/core/fabric/fabric.hpp"
#include "railwright/core/units/literals.hpp"

namespace railwright::test {

using namespace core::literals;  // NOLINT(google-build-using-namespace)

struct WiredRails {
  core::Fabric fabric;
  std::vector<core::VertexId> leaves;
  std::vector<core::VertexId> spines;
};

/// `num_nodes` nodes of `num_rails` accelerators and NICs behind one PCIe switch; NIC r leads to
/// leaf r, each leaf to two spines by two cables.
inline WiredRails wired_rails(int num_nodes, int num_rails) {
  using core::Role;
  using core::Tier;
  WiredRails wired;
  core::Fabric& fabric = wired.fabric;
  for (int r = 0; r < num_rails; ++r) {
    wired.leaves.push_back(fabric.add_vertex({Role::kSwitch, -1, r, fmt::format("leaf {}", r), 0}));
  }
  for (int s = 0; s < 2; ++s) {
    wired.spines.push_back(
        fabric.add_vertex({Role::kSwitch, -1, s, fmt::format("spine {}", s), 1}));
    for (const core::VertexId leaf : wired.leaves) {
      fabric.add_link({leaf, wired.spines.back(), Tier::kFabric, 800.0_Gbps, 1.0_us, 2});
    }
  }
  std::vector<core::Endpoint> endpoints;
  for (int node = 0; node < num_nodes; ++node) {
    const auto add = [&](Role role, int i, const char* word) {
      return fabric.add_vertex({role, node, i, fmt::format("node {} {} {}", node, word, i)});
    };
    const core::VertexId hub = add(Role::kScaleUpSwitch, 0, "scale-up switch");
    const core::VertexId pcie = add(Role::kPcieSwitch, 0, "PCIe switch");
    for (int r = 0; r < num_rails; ++r) {
      const core::VertexId accelerator = add(Role::kAccelerator, r, "accelerator");
      const core::VertexId nic = add(Role::kNic, r, "NIC");
      fabric.add_link({accelerator, hub, Tier::kScaleUp, 450.0_GBps, {}});
      fabric.add_link({accelerator, pcie, Tier::kPcie, 55.0_GBps, {}});
      fabric.add_link({pcie, nic, Tier::kPcie, 55.0_GBps, {}});
      fabric.add_link(
          {nic, wired.leaves[static_cast<std::size_t>(r)], Tier::kInjection, 400.0_Gbps, 1.0_us});
      endpoints.push_back({.accelerator = accelerator, .node = node, .local_index = r, .nic = r});
    }
  }
  fabric.set_endpoints(std::move(endpoints), num_rails);
  return wired;
}

}  // namespace railwright::test
