// SPDX-License-Identifier: Apache-2.0
// Throughput of permutations, which others have measured by packets: every host sends to one other
// host, over as many paths as its transport uses.
#include <gtest/gtest.h>

#include <cstdint>
#include <iostream>
#include <numeric>
#include <vector>

#include "fat_tree.hpp"
#include "railwright/core/sim/flow_network.hpp"
#include "railwright/core/sim/random.hpp"

namespace railwright::core {
namespace {

using testing::FatTree;

/// 432 hosts on a folded Clos of twelve-port switches.
testing::Shape of_twelve_ports() {
  return {.num_nodes = 432,
          .hosts_per_leaf = 6,
          .leaves_per_pod = 6,
          .spines_per_pod = 6,
          .num_pods = 12,
          .cores_per_spine = 6};
}

/// Returns a permutation without a host that sends to itself.
std::vector<int> permutation(int num_hosts, std::uint64_t seed) {
  std::vector<int> to(static_cast<std::size_t>(num_hosts));
  std::iota(to.begin(), to.end(), 0);
  RandomStream random(seed);
  for (std::size_t i = to.size() - 1; i > 0; --i) std::swap(to[i], to[random.below(i)]);
  return to;
}

/// Returns the mean throughput of the hosts, in their line rates.
double utilization(Routing routing, std::uint32_t connections, std::uint64_t seed) {
  FatTree tree(of_twelve_ports());
  tree.fabric.set_routing({.routing = routing, .seed = seed});
  FlowNetwork network;
  double line_rate = 0.0;
  for (const Link& link : tree.fabric.links()) {
    network.add_link(link.bandwidth.base());
    line_rate = link.bandwidth.base();
  }
  const std::vector<int> to = permutation(432, seed);
  std::vector<FlowId> flows;
  for (int host = 0; host < 432; ++host) {
    for (std::uint32_t channel = 0; channel < connections; ++channel) {
      std::vector<LinkUse> uses;
      tree.fabric.append_route(host, to[static_cast<std::size_t>(host)], channel, uses);
      flows.push_back(network.add({.route = uses, .size = 1}));
    }
  }
  network.solve();
  double sum = 0.0;
  for (const FlowId flow : flows) sum += network.rate(flow);
  return sum / 432.0 / line_rate;
}

double mean_utilization(Routing routing, std::uint32_t connections) {
  constexpr int kSeeds = 10;
  double sum = 0.0;
  for (int seed = 1; seed <= kSeeds; ++seed) {
    sum += utilization(routing, connections, static_cast<std::uint64_t>(seed));
  }
  return sum / kSeeds;
}

/// What packets reach on the same fabric, recalled from figures: senders of a single path (DCTCP,
/// DCQCN) 0.40 of the line rate and MPTCP with eight paths 0.89 [@handley2017ndp]
/// [@raiciu2011mptcp]. Transports that spray each packet (NDP) reach 0.92, their headers and
/// retransmissions are not modelled. Clusters of 128 to 1,142 nodes with static routing reach 0.55
/// to 0.61 of full bisection [@hoefler2008multistage].
TEST(Permutation, ReachesWhatPacketsDo) {
  struct Published {
    Routing routing;
    std::uint32_t connections;
    double utilization;
  };
  for (const Published one :
       {Published{Routing::kEcmp, 1, 0.40}, Published{Routing::kEcmp, 8, 0.89},
        Published{Routing::kAdaptive, 1, 0.92}, Published{Routing::kStatic, 1, 0.58}}) {
    const double predicted = mean_utilization(one.routing, one.connections);
    std::cout << one.connections << " paths: " << predicted << ", packets " << one.utilization
              << '\n';
    EXPECT_NEAR(predicted, one.utilization, 0.09);
  }
}

TEST(Permutation, GainsWithEveryPathAndAllWithAdaptiveRouting) {
  double before = 0.0;
  for (const std::uint32_t connections : {1U, 2U, 4U, 8U, 16U}) {
    const double now = mean_utilization(Routing::kEcmp, connections);
    EXPECT_GT(now, before);
    before = now;
  }
  EXPECT_LT(before, 1.0);
  EXPECT_NEAR(mean_utilization(Routing::kAdaptive, 1), 1.0, 1e-9);
}

/// Of n senders to one host each gets an n-th of its link, whatever the routing.
TEST(Incast, SharesTheLinkOfTheReceiver) {
  for (const Routing routing : {Routing::kStatic, Routing::kEcmp, Routing::kAdaptive}) {
    FatTree tree(of_twelve_ports());
    tree.fabric.set_routing({.routing = routing});
    FlowNetwork network;
    for (const Link& link : tree.fabric.links()) network.add_link(link.bandwidth.base());
    std::vector<FlowId> flows;
    for (int from = 6; from < 38; ++from) {
      std::vector<LinkUse> uses;
      tree.fabric.append_route(from, 0, 0, uses);
      flows.push_back(network.add({.route = uses, .size = 1}));
    }
    network.solve();
    for (const FlowId flow : flows) EXPECT_NEAR(network.rate(flow), 50e9 / 32, 1.0);
  }
}

}  // namespace
}  // namespace railwright::core
