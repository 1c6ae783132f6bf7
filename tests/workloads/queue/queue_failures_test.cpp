// SPDX-License-Identifier: Apache-2.0
// Failures in a queue: as many as in a run on the same nodes, and an end however many there are.
#include <gtest/gtest.h>

#include <cmath>

#include "../../../workloads/src/queue/node_failures.hpp"
#include "../../../workloads/src/queue/scheduler.hpp"
#include "railwright/core/config/catalogue.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/workloads/queue/queue.hpp"
#include "railwright/workloads/training/simulate.hpp"

namespace railwright::simulation {
namespace {

using Changes = std::vector<std::string>;

const core::Catalogue& parts() {
  static const core::Catalogue kCatalogue({RAILWRIGHT_SOURCE_DIR "/models/catalogue"});
  return kCatalogue;
}

core::Node with(const std::string& text, const Changes& changes) {
  core::Node tree = core::parse_yaml(text, "q.yaml");
  for (const std::string& change : changes) core::set_path(tree, change);
  return tree;
}

constexpr const char* kRacks =
    "cluster:\n"
    "  nodes: 2\n"
    "  node: gb200-nvl72\n"
    "  fabric: {topology: rail_optimized, switch: {model: qm9790, num_ports: 1024}}\n"
    "reliability: rsc-1\n";

/// A queue of one job that takes all of two racks for 4,630 days.
QueueResult queue_on_racks(const Changes& changes) {
  const std::string job =
      "name: q\nqueue: {trace: \"submit_s,accelerators,duration_s\\n0,144,4e8\"}\n";
  return simulate(read_queue(with(job + kRacks, changes), parts()));
}

/// The mean time between the interruptions of a training run on the same racks.
double run_on_racks(const Changes& changes) {
  const std::string job =
      "name: t\n"
      "workload: {model: llama-2-7b, sequence_length: 4096, global_batch: 144, steps: 2}\n"
      "parallelism: {tp: 8}\nsoftware: megatron-core-0.12\n";
  const CheckedScenario checked = read_scenario(with(job + kRacks, changes), parts());
  const SimulationResult result = simulate(checked, {.method = Method::kEstimate});
  return result.run.job().mean_time_to_interruption.base();
}

TEST(QueueFailures, ComeAsOftenAsInARunOnTheSameNodes) {
  double before = 0.0;
  for (const int trays : {1, 2, 9, 18}) {
    const Changes changes{"cluster.node.num_trays=" + std::to_string(trays)};
    const QueueResult result = queue_on_racks(changes);
    ASSERT_TRUE(result.feasible());
    const auto found = static_cast<double>(result.num_interruptions);
    const double due = result.histories.front().ran / run_on_racks(changes);
    EXPECT_NEAR(found, due, 4.0 * std::sqrt(due)) << trays << " trays";
    EXPECT_GT(found, 1.4 * before) << trays << " trays";
    before = found;
  }
  EXPECT_GT(before, 800.0) << "18 trays of two racks, 6.5 failures in 1,000 days each";
}

/// Returns the first reason why jobs of two hours on eight nodes do not end; empty if they do.
std::string refusal_of(const Changes& changes) {
  const QueueResult result = simulate(read_queue(
      with("name: q\n"
           "queue: {drawn: {jobs: 100, jobs_per_hour: 20, sizes: [{accelerators: 4, share: 1}], "
           "duration: 2 h, duration_spread: 0}, checkpoint_interval: 30 min}\n"
           "cluster: {nodes: 8, node: {model: xe8640, nics: {nic: connectx-7, count: 1}}, fabric: "
           "{topology: single_switch, switch: qm9790}}\n"
           "reliability: rsc-1\n",
           changes),
      parts()));
  return result.infeasible.empty() ? "" : result.infeasible.front();
}

std::string failing_every(const std::string& mtbf, const std::string& more = "") {
  return "reliability.failures=[{component: node, mtbf: " + mtbf + more + "}]";
}

TEST(QueueFailures, AreRefusedAtOnceIfNoJobIsExpectedToEnd) {
  for (const char* mtbf : {"1 ns", "1 ms", "1 s", "3 min"}) {
    const std::string why = refusal_of({failing_every(mtbf)});
    EXPECT_NE(why.find("interrupted too often to end"), std::string::npos) << mtbf << ": " << why;
    EXPECT_NE(why.find("and 99 others"), std::string::npos) << why;
  }
  EXPECT_EQ(refusal_of({failing_every("10 min")}), "") << "one in 20 gets through half an hour";
  EXPECT_EQ(refusal_of({failing_every("3 min"), "queue.checkpoint_interval=1 min",
                        "reliability.repair=10 min"}),
            "");
  // The rate falls with the square root of the time: in the end jobs get through.
  EXPECT_EQ(refusal_of({failing_every("1 s", ", shape: 0.5")}), "");
}

TEST(QueueFailures, MoreThanCanBeFollowedAreSaid) {
  for (const Changes& changes :
       {Changes{"reliability.failures=[]", "reliability.lemon_nodes={share: 0.5, mtbf: 1 ns}"},
        Changes{failing_every("10 ms"), "queue.checkpoint_interval=1 us",
                "reliability.restart=0 s"}}) {
    const std::string why = refusal_of(changes);
    EXPECT_NE(why.find("million that a queue is followed through"), std::string::npos) << why;
  }
}

/// Failures that strike nothing make no state of the cluster.
TEST(QueueFailures, OfIdleNodesAreNoEnd) {
  const LeafNodes leaves = LeafNodes::of({0, 0});
  const std::vector<QueuedJob> jobs{
      {.submit = 1000, .accelerators = 4, .duration = 10, .limit = 10}};
  double time = 0.0;
  const auto failures = [&]() -> NodeFailure {
    time += time < 999 ? 1e-3 : 1e9;
    return {.time = time, .node = 0, .needs_repair = time < 500};
  };
  const ScheduleResult made =
      run_schedule(jobs, FreeNodes(leaves, 4, NodeChoice::kBestFit), {.repair = 100.0}, failures);
  EXPECT_FALSE(made.has_too_many_failures);
  EXPECT_EQ(made.histories.front().end, 1010.0);
  EXPECT_LT(made.states.size(), 50U);
}

/// Ten nodes in racks of four: a failure takes 0 to 3, 4 to 7 or 8 and 9, at one time, each of them
/// back after detection and the rack's own repair.
TEST(NodeFailures, OfARackTakeItsNodesSideBySide) {
  const auto time = [](double seconds) {
    return core::Sourced<core::Duration>{core::Duration::from_base(seconds), "test", true};
  };
  models::Reliability fleet;
  fleet.detection = time(5.0);
  fleet.repair = time(1000.0);
  fleet.failures = {{.component = models::Component::kRack,
                     .mtbf = time(100.0),
                     .num_nodes = 4,
                     .repair = time(60.0)}};
  NodeFailures failures(fleet, {.num_nodes = 10}, 1);
  for (int i = 0; i < 20; ++i) {
    const NodeFailure first = failures.next();
    ASSERT_EQ(first.node % 4, 0);
    const int size = first.node == 8 ? 2 : 4;
    for (int k = 1; k < size; ++k) {
      const NodeFailure next = failures.next();
      EXPECT_EQ(next.time, first.time);
      EXPECT_EQ(next.node, first.node + k);
      EXPECT_EQ(next.repair, 65.0);
    }
  }
}

}  // namespace
}  // namespace railwright::simulation
