// SPDX-License-Identifier: Apache-2.0
// Storage on the scale-out fabric: checkpoints and steps on the same links.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "railwright/core/sim/engine.hpp"
#include "railwright/topologies/topology.hpp"
#include "railwright/workloads/training/simulate.hpp"
#include "run_of.hpp"

namespace railwright::simulation {
namespace {

using test::kLlama7bBytes;

const std::string kOnScaleOut =
    "cluster.storage={node: powerscale-f600p, count: 3, network: scale_out}";

/// Nothing but the network between writers and storage nodes takes time. A storage node has
/// `num_ports` ports of 400 Gb/s.
test::Settings network_alone(int num_ports, const test::Settings& more) {
  return test::join({kOnScaleOut, "cluster.storage.node.write_rate={value: 1e9 GB/s, source: test}",
                     "cluster.storage.node.burst_write_rate={value: 1e9 GB/s, source: test}",
                     "cluster.storage.node.num_back_end_ports={value: 0, source: test}",
                     "cluster.storage.node.num_front_end_ports={value: " +
                         std::to_string(num_ports) + ", source: test}",
                     "cluster.storage.node.front_end_efficiency={value: 1, source: test}",
                     "cluster.storage.node.front_end_port_rate={value: 400 Gb/s, source: test}",
                     "software.checkpoint.serialization_rate={value: 1e9 GB/s, source: test}",
                     "software.checkpoint.writer_rate={value: 1e9 GB/s, source: test}"},
                    more);
}

double nic_rate(const CheckedScenario& checked) {
  return 50e9 * checked.scenario.cluster.node.nics.transport.efficiency.value;
}

TEST(SharedFabric, ACheckpointIsAsFastAsTheNicsOfItsWriters) {
  for (const int tp : {1, 2, 4}) {
    const test::BuiltScenario built(network_alone(2, {"parallelism.tp=" + std::to_string(tp)}));
    const CheckpointResult result =
        test::run_of(built.checked, built.built.fabric, 1.0).job().checkpoint;
    EXPECT_EQ(result.limit, "scale-out fabric");
    EXPECT_NEAR(result.time.base() / (kLlama7bBytes / tp / nic_rate(built.checked)), 1.0, 1e-5);
  }
}

/// A node on each of two leaves, and one cable of 200 Gb/s up from each. Of two writers on the
/// first node one writes to the storage node on its own leaf, the other to that on the other.
TEST(SharedFabric, ACheckpointIsAsSlowAsTheLinkBetweenLeaves) {
  const test::BuiltScenario built(network_alone(
      1, {"parallelism.tp=2",
          "cluster.fabric={topology: leaf_spine, switch: qm9790, spine_switch: qm8700, "
          "num_leaves: 2, oversubscription: 8}"}));
  const CheckpointResult result =
      test::run_of(built.checked, built.built.fabric, 1.0).job().checkpoint;
  EXPECT_EQ(result.limit, "scale-out fabric");
  EXPECT_NEAR(result.time.base() / (kLlama7bBytes / 2 / (nic_rate(built.checked) / 2)), 1.0, 1e-5);
}

/// A checkpoint written behind a hundred steps of a second each.
struct Drained {
  double seconds = 0.0;
  double stall = 0.0;
  double training_time = 0.0;
};

/// Steps send `share` of what the first NIC of the first node carries in their time.
Drained drained(double share, const test::Settings& more) {
  const test::BuiltScenario built(test::join(
      more, {"checkpoint={interval_steps: 60, mode: asynchronous}", "workload.steps=100"}));
  const core::Fabric& fabric = built.built.fabric;
  RunJob job{.checked = &built.checked,
             .step_time = core::Duration::from_base(1.0),
             .start = {},
             .first_node = 0,
             .link_bytes = std::vector<double>(fabric.links().size())};
  const core::VertexId nic = fabric.vertices_with(core::Role::kNic, 0).front();
  for (std::size_t link = 0; link < fabric.links().size(); ++link) {
    const core::Link& l = fabric.links()[link];
    if (l.from == nic && l.tier == core::Tier::kInjection) {
      job.link_bytes[link] = share * nic_rate(built.checked);
    }
  }
  const RunResult result =
      simulate_run(std::span(&job, 1), fabric, built.checked.scenario.run, {.trace = true});
  EXPECT_EQ(result.job().num_checkpoints, 1.0);
  EXPECT_NEAR(result.job().bytes_written, kLlama7bBytes, 0.5) << "every byte, and once";
  Drained found{.stall = test::time_of(result.job(), RunCause::kDataStall),
                .training_time = result.job().training_time().base()};
  EXPECT_NEAR(test::time_of(result.job(), RunCause::kSteps), 100.0, 1e-6);
  for (const RunSpan& span : result.spans) {
    if (span.is_behind) found.seconds = (span.end - span.start).duration().base();
  }
  return found;
}

TEST(SharedFabric, ACheckpointTakesWhatStepsLeave) {
  const test::Settings one_writer = network_alone(2, {"parallelism.tp=1"});
  const double alone = kLlama7bBytes / nic_rate(test::scenario(one_writer));
  for (const double share : {0.0, 0.1, 0.3, 0.5}) {
    const Drained result = drained(share, one_writer);
    EXPECT_NEAR(result.seconds / (alone / (1.0 - share)), 1.0, 1e-5) << share;
    EXPECT_NEAR(result.stall, 0.0, 1e-4) << share;
  }
}

/// Steps that ask for more than half of the NIC get half, and so does the checkpoint.
TEST(SharedFabric, StepsAndACheckpointShareALinkThatBothFill) {
  const test::Settings one_writer = network_alone(2, {"parallelism.tp=1"});
  const double alone = kLlama7bBytes / nic_rate(test::scenario(one_writer));
  for (const double share : {0.6, 0.8, 1.0}) {
    const Drained result = drained(share, one_writer);
    EXPECT_NEAR(result.seconds / (2.0 * alone), 1.0, 1e-5) << share;
    EXPECT_NEAR(result.stall, 2.0 * alone * (1.0 - 0.5 / share), 1e-4) << share;
  }
}

/// By two NICs R / 2 of the checkpoint leave each, beside S of the steps on the first. Both are
/// shared by all bytes that leave: R = S = 2/3 of a NIC.
TEST(SharedFabric, SharesAreOfAllThatLeavesByTheCheckpointsNics) {
  const test::Settings two_writers = network_alone(2, {"parallelism.tp=2"});
  const double alone = kLlama7bBytes / nic_rate(test::scenario(two_writers));
  const Drained result = drained(0.8, two_writers);
  EXPECT_NEAR(result.seconds / (alone * 3.0 / 2.0), 1.0, 1e-5);
  EXPECT_NEAR(result.stall, result.seconds * (1.0 - 2.0 / 3.0 / 0.8), 1e-4);
}

/// Every step and every transfer an event: it sends `share` of what the NIC carries in a second,
/// beside a second of computation, or behind what is left of the second.
Drained event_by_event(double share, double alone, bool behind) {
  constexpr double kUnits = 1e9;  // of a second of the NIC
  constexpr int kNumSharedSteps = 40;
  enum : core::EventId { kComputed, kSent, kWritten };
  core::Engine<core::RunTime> engine;
  const core::LinkUse nic{engine.network().add_link(1.0), 1.0 / kUnits};
  const auto send = [&](double seconds, core::EventId event) {
    engine.start({.route = std::span(&nic, 1), .size = std::llround(seconds * kUnits)}, event);
  };
  const auto compute = [&] {
    const double seconds = behind ? 1.0 - share : 1.0;
    engine.schedule(
        engine.now() + core::ticks_at_or_after<core::RunTime>(core::Duration::from_base(seconds)),
        kComputed);
  };
  int num_ended = 0;
  int num_steps = 0;
  Drained found;
  const auto begin = [&] {
    compute();
    if (!behind) send(share, kSent);
  };
  send(alone, kWritten);
  begin();
  core::EventId event = 0;
  while (engine.next(event)) {
    const double now = engine.now().duration().base();
    if (event == kWritten) {
      found.seconds = now;
      continue;
    }
    if (event == kComputed && behind) send(share, kSent);
    if (++num_ended % 2 != 0) continue;
    found.training_time = now;
    if (++num_steps < kNumSharedSteps) begin();
  }
  found.stall = found.training_time - kNumSharedSteps;
  return found;
}

TEST(SharedFabric, StepsThatSendBesideComputingTakeAsLongEventByEvent) {
  const test::Settings one_writer = network_alone(2, {"parallelism.tp=1"});
  const double alone = kLlama7bBytes / nic_rate(test::scenario(one_writer));
  for (const double share : {0.2, 0.4, 0.6, 0.9}) {
    const Drained flow = drained(share, one_writer);
    const Drained events = event_by_event(share, alone, false);
    EXPECT_NEAR(flow.seconds, events.seconds, 1.0) << "but for the step under way " << share;
    EXPECT_NEAR(flow.stall, events.stall, std::max(0.0, 2.0 * share - 1.0) + 1e-4) << share;
  }
}

/// What training waits for within a step takes no longer than twice its time.
TEST(SharedFabric, StepsThatWaitForWhatTheySendLoseThatTimeAgainAtMost) {
  const test::Settings one_writer = network_alone(2, {"parallelism.tp=1"});
  const double alone = kLlama7bBytes / nic_rate(test::scenario(one_writer));
  for (const double share : {0.1, 0.2, 0.4}) {
    const Drained flow = drained(share, one_writer);
    const Drained events = event_by_event(share, alone, true);
    EXPECT_GT(events.stall, flow.stall) << share;
    EXPECT_LE(events.stall, flow.stall + share * (events.seconds + 1.0)) << share;
  }
}

TEST(SharedFabric, AFrontEndKeepsThemApart) {
  const test::Settings front_end =
      test::join(network_alone(4, {"parallelism.tp=1"}),
                 {"cluster.storage.network=front_end", "cluster.storage.switch=s5232f-on"});
  const Drained idle = drained(0.0, front_end);
  const Drained busy = drained(1.0, front_end);
  EXPECT_EQ(busy.seconds, idle.seconds);
  EXPECT_EQ(busy.training_time, idle.training_time);
  EXPECT_NEAR(busy.stall, 0.0, 1e-6);
}

/// Steps that read nothing need no storage, though they are on the same links.
TEST(SharedFabric, StepsGoOnWithoutStorage) {
  const test::Settings lost = network_alone(
      2, {"parallelism.tp=1", "data.size=1 MB", "data.page_cache=1 MB",
          "run.incidents=[{time: 10 s, component: storage_node}, {time: 11 s, component: "
          "storage_node}]"});
  const test::BuiltScenario built(test::join(lost, {"workload.steps=100"}));
  RunJob job{.checked = &built.checked,
             .step_time = core::Duration::from_base(1.0),
             .start = {},
             .first_node = 0,
             .link_bytes = std::vector<double>(built.built.fabric.links().size(), 1e9)};
  const RunResult result =
      simulate_run(std::span(&job, 1), built.built.fabric, built.checked.scenario.run);
  EXPECT_NEAR(result.job().training_time().base(), 100.0, 1e-3);
}

TEST(SharedFabric, TheStepSaysWhatItPutsOnLinks) {
  const SimulationResult apart = simulate(test::scenario());
  EXPECT_TRUE(apart.link_bytes.empty());
  const CheckedScenario checked = test::scenario({kOnScaleOut});
  const topologies::BuiltCluster built = checked.topology->build(checked.scenario.cluster);
  const SimulationResult shared = simulate(checked);
  ASSERT_TRUE(shared.feasible());
  ASSERT_EQ(shared.link_bytes.size(), built.fabric.links().size());
  EXPECT_EQ(shared.step_time, apart.step_time);
  double sent = 0.0;
  double received = 0.0;
  for (std::size_t link = 0; link < built.fabric.links().size(); ++link) {
    const core::Link& l = built.fabric.links()[link];
    if (l.tier == core::Tier::kStorage) {
      EXPECT_EQ(shared.link_bytes[link], 0.0);
    } else if (l.tier == core::Tier::kInjection) {
      const core::Role from = built.fabric.vertices()[static_cast<std::size_t>(l.from)].role;
      (from == core::Role::kNic ? sent : received) += shared.link_bytes[link];
    }
  }
  EXPECT_GT(sent, 0.0);
  EXPECT_NEAR(received / sent, 1.0, 1e-9);
}

TEST(SharedFabric, TooFewPortsDoNotFit) {
  const SimulationResult result = simulate(test::scenario(
      {kOnScaleOut,
       "cluster.fabric={topology: single_switch, switch: {model: qm9790, num_ports: {value: 20, "
       "source: test}}}"}));
  ASSERT_FALSE(result.feasible());
  EXPECT_EQ(result.infeasible.front().what,
            "leaf 0 needs 22 ports downwards, 6 of them to storage, and 0 upwards; qm9790 has 20");
}

/// 64 ports less 16 of nodes hold 24 storage nodes of two ports.
TEST(SharedFabric, TargetsAreSoughtAsFarAsThereArePorts) {
  const std::string targets =
      "run.targets={checkpoint_stall: 0.5, restore: 1 h, checkpoints_kept: 20000}";
  const RunResult apart = test::run_of({targets}, 7.0);
  ASSERT_EQ(apart.needs.size(), 3U);
  EXPECT_GT(apart.needs[2].num_nodes, 24);
  const RunResult shared = test::run_of({kOnScaleOut, targets}, 7.0);
  ASSERT_EQ(shared.needs.size(), 3U);
  EXPECT_EQ(shared.needs[2].num_nodes, 0);
  EXPECT_EQ(shared.needs[1].num_nodes, 3);
}

}  // namespace
}  // namespace railwright::simulation
