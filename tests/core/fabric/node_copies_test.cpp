// SPDX-License-Identifier: Apache-2.0
#include "railwright/core/fabric/node_copies.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

namespace railwright::core {
namespace {

constexpr int kInNode = 3;

/// Nodes of three accelerators on a scale-up switch, the links of the last one of another rate.
class Nodes {
 public:
  explicit Nodes(Bandwidth last) {
    std::vector<Endpoint> endpoints;
    for (int node = 0; node < 4; ++node) {
      const VertexId hub = fabric.add_vertex({.role = Role::kScaleUpSwitch, .node = node});
      for (int a = 0; a < kInNode; ++a) {
        const VertexId accelerator =
            fabric.add_vertex({.role = Role::kAccelerator, .node = node, .local_index = a});
        fabric.add_link({.from = accelerator,
                         .to = hub,
                         .tier = Tier::kScaleUp,
                         .bandwidth = node == 3 ? last : kRate});
        endpoints.push_back({.accelerator = accelerator, .node = node, .local_index = a});
      }
    }
    fabric.set_endpoints(std::move(endpoints), kInNode);
  }

  /// Whether each route inside `node` is that inside node 0, `distance` links on.
  [[nodiscard]] bool is_moved(int node, LinkId distance) const {
    for (int a = 0; a < kInNode; ++a) {
      for (int b = 0; b < kInNode; ++b) {
        if (a == b) continue;
        const std::vector<LinkId> here =
            fabric.accelerator_route(node * kInNode + a, node * kInNode + b);
        std::vector<LinkId> there = fabric.accelerator_route(a, b);
        for (LinkId& link : there) link += distance;
        if (here != there) return false;
      }
    }
    return true;
  }

  static constexpr Bandwidth kRate = Bandwidth::from_base(450e9);
  Fabric fabric;
};

TEST(NodeCopies, RoutesDifferByADistance) {
  const Nodes nodes(Nodes::kRate);
  const NodeCopies copies(nodes.fabric);
  EXPECT_TRUE(copies.are_all());
  for (int node = 0; node < 4; ++node) {
    const std::optional<LinkId> distance = copies.distance(0, node);
    ASSERT_TRUE(distance);
    EXPECT_EQ(*distance, node * 2 * kInNode);
    EXPECT_TRUE(nodes.is_moved(node, *distance));
    EXPECT_EQ(copies.distance(node, 0), -*distance);
  }
}

TEST(NodeCopies, AnotherRateOrAFailureMakesNoCopy) {
  Nodes nodes(Bandwidth::from_base(300e9));
  nodes.fabric.fail_link(2 * kInNode);  // of node 1
  const NodeCopies copies(nodes.fabric);
  EXPECT_FALSE(copies.are_all());
  EXPECT_FALSE(copies.distance(0, 1));
  EXPECT_TRUE(copies.distance(0, 2));
  EXPECT_FALSE(copies.distance(2, 3));
}

}  // namespace
}  // namespace railwright::core
