// SPDX-License-Identifier: Apache-2.0
// The bisection, for which equal nodes and switches count once, against the least cut of all.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "railwright/core/fabric/fabric.hpp"
#include "railwright/core/sim/random.hpp"

namespace railwright::core {
namespace {

constexpr int kNodes = 8;
constexpr int kLeaves = 4;
constexpr int kSpines = 4;
constexpr int kCores = 2;
constexpr int kNumSwitches = kLeaves + kSpines + kCores;

/// Nodes of one accelerator on leaves, spines and core switches. Most links are equal; of others
/// the bandwidth is another, or a link fails.
Fabric random_tiers(RandomStream& random, std::uint64_t one_differs_in) {
  Fabric fabric;
  for (int s = 0; s < kNumSwitches; ++s) {
    fabric.add_vertex({Role::kSwitch, -1, s, "switch " + std::to_string(s)});
  }
  const auto connect = [&](VertexId a, VertexId b, Tier tier) {
    const bool differs = random.below(one_differs_in) == 0;
    const double rate = differs ? 1e9 * static_cast<double>(1 + random.below(4)) : 2e9;
    const LinkId link = fabric.add_link({a, b, tier, Bandwidth::from_base(rate), Duration{}});
    if (differs && random.below(4) == 0) fabric.fail_link(link);
  };
  std::vector<Endpoint> endpoints;
  for (int node = 0; node < kNodes; ++node) {
    const VertexId v = fabric.add_vertex({Role::kAccelerator, node, 0, {}});
    connect(v, node * kLeaves / kNodes, Tier::kInjection);
    endpoints.push_back({.accelerator = v, .node = node, .local_index = 0});
  }
  for (VertexId leaf = 0; leaf < kLeaves; ++leaf) {
    const VertexId pod = leaf < kLeaves / 2 ? 0 : kSpines / 2;
    for (VertexId s = 0; s < kSpines / 2; ++s) connect(leaf, kLeaves + pod + s, Tier::kFabric);
  }
  for (VertexId s = 0; s < kSpines; ++s) {
    for (VertexId c = 0; c < kCores; ++c) {
      connect(kLeaves + s, kLeaves + kSpines + c, Tier::kFabric);
    }
  }
  fabric.set_endpoints(std::move(endpoints), 1);
  return fabric;
}

/// The least bandwidth out of the first half of the nodes and any of the switches.
double least_cut(const Fabric& fabric) {
  double least = std::numeric_limits<double>::infinity();
  for (unsigned chosen = 0; chosen < 1U << static_cast<unsigned>(kNumSwitches); ++chosen) {
    const auto is_inside = [&](VertexId v) {
      const Vertex& vertex = fabric.vertices()[static_cast<std::size_t>(v)];
      return vertex.node >= 0 ? vertex.node < kNodes / 2
                              : (chosen >> static_cast<unsigned>(v) & 1U) != 0;
    };
    double cut = 0.0;
    for (std::size_t l = 0; l < fabric.links().size(); ++l) {
      const Link& link = fabric.links()[l];
      if (fabric.is_failed(static_cast<LinkId>(l))) continue;
      if (is_inside(link.from) && !is_inside(link.to)) cut += link.bandwidth.base();
    }
    least = std::min(least, cut);
  }
  return least;
}

TEST(Bisection, IsTheLeastCut) {
  RandomStream random(20'261'130);
  for (const std::uint64_t one_differs_in : {2U, 8U, 30U, 1000U}) {
    for (int i = 0; i < 20; ++i) {
      const Fabric fabric = random_tiers(random, one_differs_in);
      EXPECT_DOUBLE_EQ(fabric.bisection_bandwidth().base(), least_cut(fabric));
    }
  }
}

}  // namespace
}  // namespace railwright::core
