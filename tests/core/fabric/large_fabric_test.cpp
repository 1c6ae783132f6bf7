// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <utility>
#include <vector>

#include "railwright/core/fabric/fabric.hpp"
#include "railwright/core/stop.hpp"

namespace railwright::core {
namespace {

/// Nodes of one accelerator, each with a link to the one switch.
Fabric star(int num_nodes, Bandwidth bandwidth) {
  Fabric fabric;
  const VertexId hub = fabric.add_vertex({Role::kSwitch, -1, 0, "switch"});
  std::vector<Endpoint> endpoints;
  for (int node = 0; node < num_nodes; ++node) {
    const VertexId v = fabric.add_vertex({Role::kAccelerator, node, 0, std::to_string(node)});
    fabric.add_link({v, hub, Tier::kInjection, bandwidth, Duration{}});
    endpoints.push_back({.accelerator = v, .node = node, .local_index = 0});
  }
  fabric.set_endpoints(std::move(endpoints), 1);
  return fabric;
}

TEST(LargeFabric, TheBisectionOfManyFastLinksDoesNotOverflow) {
  // 100,000 links of 100 TB/s out of each half: 10^19 B/s, more than 2^63.
  const Bandwidth fast = Bandwidth::from_base(1e14);
  EXPECT_NEAR(star(200'000, fast).bisection_bandwidth().base(), 1e19, 1e13);
  EXPECT_EQ(star(10, fast).bisection_bandwidth(), fast * 5.0);
}

TEST(LargeFabric, BuildingOneCanBeStopped) {
  std::atomic<bool> flag = true;
  const StopScope scope(&flag);
  EXPECT_THROW(star(10'000, Bandwidth::from_base(1e9)), Interrupted);
}

}  // namespace
}  // namespace railwright::core
