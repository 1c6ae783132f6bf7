// SPDX-License-Identifier: Apache-2.0
// `size` of the storage of several jobs, against one storage node less.
#include "railwright/planner/size/jobs_size.hpp"

#include <gtest/gtest.h>

#include "../../support/source_tree.hpp"
#include "railwright/simulation/results/topology.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/with_settings.hpp"

namespace railwright::planner {
namespace {

core::Node eight_jobs(const std::vector<std::string>& settings = {}) {
  return simulation::load_scenario_tree(
      std::string(RAILWRIGHT_SOURCE_DIR) + "/examples/power-loss-eight-jobs.yaml", settings);
}

TEST(JobsSize, HoldsAllTargetsAndNotWithAStorageNodeLess) {
  const SizedScenario sized = size_jobs(eight_jobs(), test::source_catalogue());
  ASSERT_TRUE(sized.feasible());
  const auto& jobs = std::get<simulation::JobsResult>(sized.result);
  int most = 0;
  for (const auto& need : jobs.run.needs) most = std::max(most, need.num_nodes);
  EXPECT_EQ(jobs.run.storage.num_nodes, most);
  EXPECT_EQ(sized.settings.front(), "cluster.storage.count=" + std::to_string(most));
  EXPECT_EQ(sized.smaller.find("one storage node less: "), 0U) << sized.smaller;
  const SizedScenario from_more =
      size_jobs(eight_jobs({"cluster.storage.count=20"}), test::source_catalogue());
  EXPECT_EQ(from_more.settings, sized.settings) << "whatever the scenario has";
}

/// The switches that the scenario has are too small for its nodes already.
TEST(JobsSize, BuysTheSwitchesOfItsStorageNodes) {
  const core::Node tree = eight_jobs({"cluster.storage.switch.num_ports=48"});
  const SizedScenario sized = size_jobs(tree, test::source_catalogue());
  ASSERT_TRUE(sized.feasible());
  ASSERT_EQ(sized.settings.size(), 2U);
  EXPECT_EQ(sized.settings.front(),
            size_jobs(eight_jobs(), test::source_catalogue()).settings.front());
  const auto cluster = [&](const std::vector<std::string>& more) {
    return simulation::read_cluster(
        simulation::with_settings(simulation::with_settings(tree, sized.settings), more),
        test::source_catalogue());
  };
  const int switches = cluster({}).cluster.storage->num_switches;
  EXPECT_GT(switches, 2);
  EXPECT_TRUE(simulation::topology(cluster({})).feasible());
  const std::string one_less = "cluster.storage.num_switches=" + std::to_string(switches - 1);
  EXPECT_FALSE(simulation::topology(cluster({one_less})).feasible());
}

TEST(JobsSize, SaysWhatNoNumberMeets) {
  const SizedScenario sized =
      size_jobs(eight_jobs({"run.targets={restore: 1 s}"}), test::source_catalogue());
  ASSERT_FALSE(sized.feasible());
  const auto& reasons = std::get<simulation::JobsResult>(sized.result).infeasible;
  EXPECT_NE(reasons.front().what.find("no number of storage nodes meets the target of restore"),
            std::string::npos)
      << reasons.front().what;
  EXPECT_NE(reasons.front().what.find("at most 1.00 s"), std::string::npos);
}

TEST(JobsSize, NeedsATarget) {
  EXPECT_THROW(size_jobs(eight_jobs({"run={}"}), test::source_catalogue()), core::ConfigError);
}

}  // namespace
}  // namespace railwright::planner
