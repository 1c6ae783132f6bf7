// SPDX-License-Identifier: Apache-2.0
// Folding on fabrics of every topology, routing and kind of node, whole and with faults.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "fold_checks.hpp"
#include "railwright/simulation/step/step.hpp"

namespace railwright::simulation {
namespace {

using test::BuiltScenario;
using test_fold::Cluster;
using test_fold::cluster;
using test_fold::nics;

test::Settings fabric(const std::string& keys) {
  return {"cluster.fabric={topology: " + keys + "}"};
}

test::Settings faults(const std::string& keys) { return {"cluster.faults={" + keys + "}"}; }

test::Settings routing(const std::string& policy) {
  return {"cluster.routing={policy: " + policy + "}"};
}

test::Settings node(const std::string& model) { return {"cluster.node={model: " + model + "}"}; }

template <class... More>
test::Settings all(test::Settings settings, const More&... more) {
  ((settings = test::join(settings, more)), ...);
  return settings;
}

test::Settings rails(const std::string& more = "") {
  return fabric("rail_optimized, switch: qm9790, nodes_per_group: 4" + more);
}

test::Settings pods() {
  return all(fabric("pod, switch: z9664f-on, nodes_per_pod: 2, upper_switches: 2, links: 8"),
             test::Settings{"cluster.node.nics.transport=roce"});
}

test::Settings ethernet() { return {"cluster.fabric.switch=z9664f-on"}; }

std::vector<Cluster> whole() {
  return {
      {"rails", cluster(16, 8, 2, 144, rails()), 8, 2},
      {"rails in three tiers", cluster(16, 4, 2, 144, rails(", tiers: 3")), 16, 2},
      {"rails, four NICs", cluster(16, 4, 2, 144, all(rails(), nics(4))), 16, 1},
      {"rails, sixteen NICs", cluster(8, 4, 2, 144, all(rails(), nics(16))), 8, 1},
      {"rails of half the spines", cluster(16, 8, 2, 144, rails(", oversubscription: 2")), 8, 1},
      {"pods", cluster(8, 4, 4, 144, pods()), 4, 4},
      {"pods, static", cluster(8, 4, 4, 144, all(pods(), routing("static"))), 4, 1},
      {"rails, scattered over twice the nodes",
       cluster(16, 8, 2, 144,
               all(rails(", oversubscription: 2"),
                   test::Settings{"cluster.placement={order: scattered, of_nodes: 32}"})),
       8, 8},
      {"pods, adaptive", cluster(8, 4, 2, 144, all(pods(), routing("adaptive"))), 8, 1},
      {"pods, ecmp", cluster(8, 4, 2, 144, all(pods(), routing("ecmp"))), 8, 8},
      {"leaf and spine, dealt",
       cluster(16, 2, 4, 144,
               fabric("leaf_spine, switch: qm9790, nics: dealt, oversubscription: 2")),
       16, 1},
      {"fat tree", cluster(16, 2, 2, 160, fabric("fat_tree, switch: qm9790")), 32, 2},
      {"fat tree of three tiers, ecmp",
       cluster(16, 4, 2, 144, all(fabric("fat_tree, switch: qm9790, tiers: 3"), routing("ecmp"))),
       16, 16},
      {"fat tree, adaptive, interleaved",
       cluster(16, 4, 4, 160,
               all(fabric("fat_tree, switch: qm9790"), routing("adaptive"),
                   test::Settings{"parallelism.virtual_stages=8"})),
       8, 1},
      {"two planes",
       cluster(8, 4, 2, 144,
               all(nics(16), fabric("multi_plane, planes: 2, plane: {topology: rail_optimized, "
                                    "switch: qm9790, nodes_per_group: 4}"))),
       8, 2},
      {"MI300X in a mesh", all(cluster(4, 8, 2, 144), node("xe9680-mi300x"), ethernet()), 2, 1},
      {"MI300X, two planes of rails",
       all(cluster(8, 4, 2, 144), node("xe9680-mi300x"),
           fabric("multi_plane, planes: 2, plane: {topology: rail_optimized, switch: z9664f-on, "
                  "nodes_per_group: 4}"),
           routing("static")),
       8, 2},
      {"two racks of NVL72",
       all(cluster(2, 4, 4, 144), node("gb200-nvl72"), fabric("fat_tree, switch: qm9790")), 9, 9},
      {"nodes of four in a mesh", all(cluster(8, 4, 2, 144), node("xe8640")), 4, 1},
      {"bridges of two", all(cluster(8, 2, 2, 144), node("r760xa-h100")), 8, 1},
      {"no bridges, host in the way", all(cluster(4, 2, 2, 144), node("r760xa-l40s")), 4, 1},
      {"first and last stage a layer short",
       cluster(8, 4, 2, 144,
               {"parallelism.embedding_as_layer=true", "parallelism.loss_as_layer=true"}),
       8, 1},
  };
}

std::vector<Cluster> faulty() {
  return {
      {"a NIC down", cluster(16, 4, 2, 144, all(rails(), faults("nics: [{node: 3, nic: 1}]"))), 16,
       5},
      {"two NICs of a node down",
       cluster(8, 8, 1, 144, all(rails(), faults("nics: [{node: 3, nic: 1}, {node: 3, nic: 6}]"))),
       8, 1},
      {"a NIC of four down",
       cluster(8, 4, 2, 144, all(nics(4), rails(), faults("nics: [{node: 5, nic: 2}]"))), 8, 3},
      {"a leaf down", cluster(16, 8, 2, 144, all(rails(), faults("switches: [leaf 3]"))), 8, 4},
      {"a leaf down, ecmp",
       cluster(16, 8, 2, 144, all(rails(), routing("ecmp"), faults("switches: [leaf 3]"))), 8, 8},
      {"a spine down", cluster(16, 8, 2, 144, all(rails(), faults("switches: [spine 0]"))), 8, 1},
      {"a link down",
       cluster(16, 8, 2, 144, all(rails(), faults("links: [{from: leaf 3, to: spine 1}]"))), 8, 4},
      {"a link down, adaptive",
       cluster(16, 8, 2, 144,
               all(rails(), routing("adaptive"), faults("links: [{from: leaf 3, to: spine 1}]"))),
       8, 2},
      {"an upper switch of the pods down",
       cluster(8, 4, 2, 144, all(pods(), routing("static"), faults("switches: [spine 1]"))), 8, 1},
      {"a leaf of one plane down",
       cluster(8, 4, 2, 144,
               all(nics(16),
                   fabric("multi_plane, planes: 2, plane: {topology: rail_optimized, switch: "
                          "qm9790, nodes_per_group: 4}"),
                   faults("switches: [plane 1 leaf 3]"))),
       8, 3},
      {"70B on six nodes, a leaf down",
       all(test::llama_2_70b(), rails(), faults("switches: [leaf 5]")), 3, 3},
      {"a slow node and a link down",
       cluster(16, 8, 2, 144,
               all(rails(), faults("nodes_slow: [{node: 3, speed: 0.7}], links: [{from: leaf 8, "
                                   "to: spine 0}]"))),
       8, 5},
  };
}

TEST(FoldOnFabrics, GivesTheTimesOfTheWholeCluster) {
  for (const Cluster& cluster : whole()) test_fold::expect_folds(cluster);
}

TEST(FoldOnFabrics, GivesTheTimesOfAClusterWithFaults) {
  for (const Cluster& cluster : faulty()) test_fold::expect_folds(cluster);
}

/// Else the clusters above would say nothing about faults.
TEST(FoldOnFabrics, FaultsAreInTheCosts) {
  for (const Cluster& cluster : faulty()) {
    const BuiltScenario built(cluster.settings);
    const BuiltScenario healthy(test::join(cluster.settings, {"cluster.faults={}"}));
    const StepResult step = simulate_step(built.costs);
    EXPECT_NE(step.link_bytes, simulate_step(healthy.costs).link_bytes) << cluster.name;
    int num_failed = 0;
    for (std::size_t link = 0; link < step.link_bytes.size(); ++link) {
      if (!built.built.fabric.is_failed(static_cast<core::LinkId>(link))) continue;
      EXPECT_EQ(step.link_bytes[link], 0.0) << cluster.name;
      ++num_failed;
    }
    EXPECT_GT(num_failed, 0) << cluster.name;
  }
}

}  // namespace
}  // namespace railwright::simulation
