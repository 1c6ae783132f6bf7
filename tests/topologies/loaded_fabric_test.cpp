// SPDX-License-Identifier: Apache-2.0
// Every builder's fabric under load: simulated bisection and all-to-all against closed forms, and
// no link without a purpose.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "example_cluster.hpp"
#include "railwright/core/error.hpp"
#include "railwright/core/sim/engine.hpp"
#include "railwright/topologies/wirings/dual_switch.hpp"
#include "railwright/topologies/wirings/fat_tree.hpp"
#include "railwright/topologies/wirings/leaf_spine.hpp"
#include "railwright/topologies/wirings/multi_plane.hpp"
#include "railwright/topologies/wirings/pod.hpp"
#include "railwright/topologies/wirings/rail_optimized.hpp"
#include "railwright/topologies/wirings/single_switch.hpp"

namespace railwright::topologies {
namespace {

using core::Fabric;
using core::LinkId;
using core::LinkUse;
using core::Role;
using core::Tier;
using testing::example_cluster;
using testing::example_switch;

struct Case {
  std::string name;
  std::function<BuiltCluster()> build;
  double bisection = 0.0;   ///< bytes/s
  double all_to_all = 0.0;  ///< seconds for a byte from every accelerator to every other
};

Cluster cluster_of(int num_nodes, int num_nics = 8, int ports = 1) {
  Cluster cluster = example_cluster(num_nodes, num_nics);
  cluster.node.nics.nic.num_ports = ports;
  cluster.node.accelerator.pcie_bandwidth.value = core::Bandwidth::from_base(110e9);
  cluster.node.nics.nic.pcie_bandwidth.value = core::Bandwidth::from_base(110e9);
  cluster.storage = testing::example_storage(3);
  return cluster;
}

RailOptimized::Config rails() {
  RailOptimized::Config config;
  config.switch_model = example_switch(8);
  config.spine_switch = example_switch(32);
  return config;
}

std::vector<Case> cases() {
  const double nic = 40e9;
  Pod::Config pod;
  pod.switch_model = example_switch(32);
  pod.nodes_per_pod = 2;
  LeafSpine::Config blocking;
  blocking.switch_model = example_switch(32);
  blocking.oversubscription = 3.0;
  FatTree::Config tree;
  tree.switch_model = example_switch(4);
  return {
      {"single_switch", [] { return SingleSwitch({example_switch(64)}).build(cluster_of(4)); },
       16 * nic, 24 / nic},
      // 16 x 16 bytes each way over 8 cables.
      {"dual_switch", [] { return DualSwitch({example_switch(64), 8}).build(cluster_of(4)); },
       8 * nic, 256 / (8 * nic)},
      {"rail_optimized", [] { return RailOptimized(rails()).build(cluster_of(8)); }, 32 * nic,
       56 / nic},
      {"pod", [pod] { return Pod(pod).build(cluster_of(4)); }, 16 * nic, 24 / nic},
      // Leaves of three nodes with 8 uplinks: 24 x 24 bytes each way.
      {"leaf_spine", [blocking] { return LeafSpine(blocking).build(cluster_of(6)); }, 8 * nic,
       576 / (8 * nic)},
      // Two accelerators a NIC, three tiers of 4-port switches.
      {"fat_tree", [tree] { return FatTree(tree).build(cluster_of(4, 4)); }, 8 * nic, 2 * 24 / nic},
      {"multi_plane",
       [] {
         MultiPlane planes(MultiPlane::Config{});
         planes.set_plane(std::make_unique<RailOptimized>(rails()));
         return planes.build(cluster_of(8, 8, 2));
       },
       64 * nic, 56 / (2 * nic)},
  };
}

class LoadedFabric : public ::testing::TestWithParam<Case> {
 protected:
  static BuiltCluster build() {
    BuiltCluster built = GetParam().build();
    built.fabric.set_routing({.routing = core::Routing::kAdaptive});
    return built;
  }
};

TEST_P(LoadedFabric, SimulatedBisectionIsTheClosedForm) {
  const Case& c = GetParam();
  const BuiltCluster built = build();
  ASSERT_TRUE(built.parts.shortfalls.empty());
  core::FlowNetwork network = built.fabric.make_network();
  const int half = built.fabric.num_accelerators() / 2;
  std::vector<core::FlowId> flows;
  std::vector<LinkUse> route;
  for (int a = 0; a < half; ++a) {
    route.clear();
    built.fabric.append_route(a, a + half, 0, route);
    flows.push_back(network.add({.route = route}));
  }
  network.solve();
  double sum = 0.0;
  for (const core::FlowId flow : flows) sum += network.rate(flow);
  EXPECT_NEAR(sum / c.bisection, 1.0, 1e-9);
  EXPECT_NEAR(built.fabric.bisection_bandwidth().base() / c.bisection, 1.0, 1e-9);
}

TEST_P(LoadedFabric, SimulatedAllToAllIsTheClosedForm) {
  const Case& c = GetParam();
  const BuiltCluster built = build();
  core::Engine<core::StepTime> engine(built.fabric.make_network());
  constexpr std::int64_t kBytes = 1'000'000;
  std::vector<LinkUse> route;
  const int n = built.fabric.num_accelerators();
  for (int from = 0; from < n; ++from) {
    for (int to = 0; to < n; ++to) {
      if (from == to) continue;
      route.clear();
      built.fabric.append_route(from, to, 0, route);
      engine.start({.route = route, .size = kBytes}, 0);
    }
  }
  core::EventId event = 0;
  while (engine.next(event)) {
  }
  EXPECT_NEAR(engine.now().duration().base() / (c.all_to_all * kBytes), 1.0, 1e-6);
}

/// What a link may matter to; infinity where a way is missing.
struct Results {
  double bisection = 0.0;
  double all_to_all = 0.0;          // over all accelerators
  double all_to_all_in_node = 0.0;  // over those of each node
  double storage = 0.0;             // all nodes to all storage nodes
  double to_front_end = 0.0;        // links from accelerators to the storage adapters of their node
  bool operator==(const Results&) const = default;
};

/// Seconds on the fullest link.
class Loads {
 public:
  explicit Loads(const Fabric& fabric) : fabric_(fabric), bytes_(fabric.links().size()) {}
  void add(std::span<const LinkUse> route) {
    for (const LinkUse& use : route) bytes_[static_cast<std::size_t>(use.link)] += use.coefficient;
  }
  [[nodiscard]] double time() const {
    double most = 0.0;
    for (std::size_t l = 0; l < bytes_.size(); ++l) {
      most = std::max(most, bytes_[l] / fabric_.links()[l].bandwidth.base());
    }
    return most;
  }
  [[nodiscard]] double carried(LinkId link) const { return bytes_[static_cast<std::size_t>(link)]; }

 private:
  const Fabric& fabric_;
  std::vector<double> bytes_;
};

Results measure(const Fabric& fabric, Loads& all) {
  Results results{.bisection = fabric.bisection_bandwidth().base()};
  const auto guard = [](auto evaluate) {
    try {
      return evaluate();
    } catch (const core::SimulationError&) {
      return std::numeric_limits<double>::infinity();
    }
  };
  std::vector<LinkUse> route;
  const int n = fabric.num_accelerators();
  const auto exchange = [&](int distinct_nodes) {
    Loads loads(fabric);
    for (int from = 0; from < n; ++from) {
      for (int to = 0; to < n; ++to) {
        const bool same = fabric.endpoint(from).node == fabric.endpoint(to).node;
        if (from == to || same == (distinct_nodes != 0)) continue;
        route.clear();
        fabric.append_route(from, to, 0, route);
        loads.add(route);
        all.add(route);
      }
    }
    return loads.time();
  };
  results.all_to_all = guard([&] { return exchange(1); });
  results.all_to_all_in_node = guard([&] { return exchange(0); });
  const std::vector<core::VertexId> adapters = fabric.vertices_with(Role::kFrontEndNic);
  results.storage = guard([&] {
    Loads loads(fabric);
    for (const core::VertexId adapter : adapters) {
      for (const core::VertexId storage : fabric.vertices_with(Role::kStorageNode)) {
        const std::vector<LinkUse> uses = fabric.spread_route(adapter, storage);
        loads.add(uses);
        all.add(uses);
      }
    }
    return loads.time();
  });
  results.to_front_end = guard([&] {
    double num_links = 0.0;
    for (int a = 0; a < n; ++a) {
      for (const core::VertexId adapter :
           fabric.vertices_with(Role::kFrontEndNic, fabric.endpoint(a).node)) {
        route.clear();
        fabric.append_vertex_route(fabric.endpoint(a).accelerator, adapter, 0, route);
        num_links += static_cast<double>(route.size());
        all.add(route);
      }
    }
    return num_links;
  });
  return results;
}

TEST_P(LoadedFabric, EveryLinkHasAPurpose) {
  const BuiltCluster whole = build();
  Loads carried(whole.fabric);
  const Results results = measure(whole.fabric, carried);
  for (LinkId link = 0; static_cast<std::size_t>(link) < whole.fabric.links().size(); link += 2) {
    BuiltCluster built = build();
    built.fabric.fail_link(link);
    Loads ignored(built.fabric);
    const bool changes = !(measure(built.fabric, ignored) == results);
    // The link between the two front-end switches stands by: every device has a port on both. So do
    // host bridges, for a NIC that takes over: node_wiring_test fails one.
    const core::Link& ends = whole.fabric.links()[static_cast<std::size_t>(link)];
    const auto role = [&](core::VertexId v) {
      return whole.fabric.vertices()[static_cast<std::size_t>(v)].role;
    };
    const bool between_switches =
        ends.tier == Tier::kFrontEnd && role(ends.from) == Role::kFrontEndSwitch;
    const bool of_bridge =
        role(ends.from) == Role::kHostBridge || role(ends.to) == Role::kHostBridge;
    const bool stands_by = between_switches || of_bridge;
    EXPECT_EQ(changes, !stands_by) << link;
    EXPECT_EQ(carried.carried(link) + carried.carried(Fabric::reverse(link)) > 0.0, !stands_by);
  }
}

INSTANTIATE_TEST_SUITE_P(Builders, LoadedFabric, ::testing::ValuesIn(cases()),
                         [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace railwright::topologies
