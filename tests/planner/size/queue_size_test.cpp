// SPDX-License-Identifier: Apache-2.0
// `size` of a queue, against one node less and one more.
#include "railwright/planner/size/queue_size.hpp"

#include <gtest/gtest.h>

namespace railwright::planner {
namespace {

const core::Catalogue& parts() {
  static const core::Catalogue kCatalogue({RAILWRIGHT_SOURCE_DIR "/models/catalogue"});
  return kCatalogue;
}

core::Node queue_tree(const std::string& more) {
  return core::parse_yaml(
      "name: test\n"
      "queue:\n"
      "  drawn: {jobs: 1500, jobs_per_hour: 20, sizes: [{accelerators: 1, share: 3}, "
      "{accelerators: 16, share: 1}], duration: 4 h}\n" +
          more +
          "cluster:\n"
          "  nodes: 3\n"
          "  node: {model: xe8640, nics: {nic: connectx-7, count: 1}}\n"
          "  fabric: {topology: rail_optimized, switch: qm9790}\n",
      "q.yaml");
}

TEST(QueueSize, HoldsTheWaitAndNotWithANodeLess) {
  int before = 100'000;
  for (const char* wait : {"10 min", "2 h", "1 day"}) {
    const core::Node tree = queue_tree(std::string("  max_wait: ") + wait + "\n");
    const SizedScenario sized = size_queue(tree, parts());
    ASSERT_TRUE(sized.feasible()) << wait;
    const auto on = [&](int nodes) {
      core::Node changed = tree;
      core::set_path(changed, "cluster.nodes=" + std::to_string(nodes));
      return simulation::simulate(simulation::read_queue(changed, parts()));
    };
    const int nodes = std::stoi(sized.settings.front().substr(14));
    EXPECT_TRUE(on(nodes).feasible()) << wait;
    EXPECT_FALSE(on(nodes - 1).feasible()) << wait;
    EXPECT_EQ(sized.smaller, "one node less: " + on(nodes - 1).infeasible.front());
    EXPECT_LE(nodes, before) << wait;
    before = nodes;
  }
}

/// A switch of 64 ports takes 64 nodes of one NIC; the jobs of an hour want more.
TEST(QueueSize, SaysWhatTheMostNodesOfAFabricMiss) {
  core::Node tree = queue_tree("  max_wait: 1 min\n");
  core::set_path(tree, "cluster.fabric.topology=single_switch");
  core::set_path(tree, "queue.drawn.jobs_per_hour=100");
  const SizedScenario sized = size_queue(tree, parts());
  ASSERT_FALSE(sized.feasible());
  EXPECT_EQ(sized.settings.front(), "cluster.nodes=64");
  const auto& result = std::get<simulation::QueueResult>(sized.result);
  EXPECT_TRUE(result.has_run());
  ASSERT_EQ(result.infeasible.size(), 2U);
  EXPECT_NE(result.infeasible[0].find("longer than the 60.0 s wanted"), std::string::npos)
      << result.infeasible[0];
  EXPECT_EQ(result.infeasible[1],
            "64 nodes are the most that the fabric takes: 65 nodes x 1 NICs need 65 ports; qm9790 "
            "has 64");
  core::set_path(tree, "queue.drawn.sizes=[{accelerators: 400, share: 1}]");
  const SizedScenario too_large = size_queue(tree, parts());
  EXPECT_EQ(too_large.settings.front(), "cluster.nodes=64");
}

/// Nothing that more nodes do not cure is tried on 65,536 of them.
TEST(QueueSize, StopsWhereMoreNodesDoNotHelp) {
  core::Node tree = queue_tree("  max_wait: 1 min\n");
  core::set_path(tree,
                 "reliability={name: test, description: test, failures: [{component: node, mtbf: "
                 "{value: 1 min, source: test}}], detection: 1 min, replacement: 1 min, restart: 1 "
                 "min, repair: 1 h}");
  int tried = 0;
  const SizedScenario sized =
      size_queue(tree, parts(), {.num_threads = 0, .progress = [&](auto, auto, auto) { ++tried; }});
  EXPECT_FALSE(sized.feasible());
  EXPECT_LT(tried, 12);
}

TEST(QueueSize, KnowsNoLossOfPower) {
  core::Node tree = queue_tree("  max_wait: 1 h\n");
  core::set_path(tree,
                 "reliability={name: test, description: test, failures: [{component: power, mtbf: "
                 "{value: 100 d, source: test}}], detection: 1 min, replacement: 1 min, restart: 1 "
                 "min, repair: 1 h}");
  EXPECT_THROW(size_queue(tree, parts()), core::ConfigError);
}

TEST(QueueSize, NeedsAWait) {
  EXPECT_THROW(size_queue(queue_tree(""), parts()), core::ConfigError);
}

}  // namespace
}  // namespace railwright::planner
