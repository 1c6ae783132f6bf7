// SPDX-License-Identifier: Apache-2.0
// A queue of jobs: by hand, against a second simulation, and against closed forms.
#include "railwright/workloads/queue/queue.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "railwright/core/sim/random.hpp"
#include "slow_schedule.hpp"

namespace railwright::simulation {
namespace {

using Settings = std::vector<std::string>;

/// Nodes of four H100 each.
core::Node tree_of(const std::string& queue, const Settings& settings = {}) {
  core::Node tree = core::parse_yaml(
      "name: test\n"
      "queue: " +
          queue +
          "\n"
          "cluster:\n"
          "  nodes: 2\n"
          "  node: {model: xe8640, nics: {nic: connectx-7, count: 1}}\n"
          "  fabric: {topology: single_switch, switch: qm9790}\n",
      "q.yaml");
  for (const std::string& setting : settings) core::set_path(tree, setting);
  return tree;
}

const core::Catalogue& catalogue() {
  static const core::Catalogue kCatalogue({RAILWRIGHT_SOURCE_DIR "/models/catalogue"});
  return kCatalogue;
}

QueueResult result_of(const std::string& queue, const Settings& settings = {}) {
  return simulate(read_queue(tree_of(queue, settings), catalogue()));
}

std::string trace(const std::string& lines) {
  return "{trace: \"submit_s,accelerators,duration_s,limit_s\\n" + lines + "\"}";
}

std::string refusal(const std::string& queue) {
  try {
    read_queue(tree_of(queue), catalogue());
  } catch (const core::ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST(Queue, RefusesALimitBelowTheDurationAndAColumnTwice) {
  const std::string low = refusal(trace("0,4,100,\\n0,4,100,100\\n5,4,100,60"));
  EXPECT_NE(low.find("line 4: limit_s: 60 is below the duration_s of 100"), std::string::npos)
      << low;
  EXPECT_EQ(low.find("line 3"), std::string::npos) << low;
  const std::string twice =
      refusal("{trace: \"submit_s,accelerators,duration_s,accelerators\\n0,4,100,8\"}");
  EXPECT_NE(twice.find("line 1: column 'accelerators' is given twice"), std::string::npos) << twice;
}

TEST(Queue, ServesByHand) {
  // Eight accelerators. 4 + 4 start; 8 waits for both; 2 may not delay it, 1 ends before it starts.
  const std::string jobs = trace(
      "0,4,100,\\n"
      "1,4,200,\\n"
      "2,8,50,\\n"
      "3,2,300,\\n"
      "4,4,90,\\n");
  const QueueResult result = result_of(jobs);
  const auto start = [&](std::size_t job) { return result.histories[job].start; };
  EXPECT_EQ(start(0), 0.0);
  EXPECT_EQ(start(1), 1.0);
  EXPECT_EQ(start(2), 201.0);
  EXPECT_EQ(start(3), 251.0);
  EXPECT_EQ(start(4), 100.0);  // ends at 190
  EXPECT_EQ(result.duration.base(), 551.0);
  EXPECT_DOUBLE_EQ(result.occupied_fraction, (4 * 1 + 8 * 3) / (4.0 * 8));  // until 4
  EXPECT_DOUBLE_EQ(result.useful_fraction, result.occupied_fraction);
  EXPECT_EQ(result.most_waiting, 3);
  const QueueResult in_order = result_of(jobs, {"queue.policy=fifo"});
  EXPECT_EQ(in_order.histories[4].start, 251.0);
  EXPECT_DOUBLE_EQ(in_order.wait.mean.base(), (0 + 0 + 199 + 248 + 247) / 5.0);
}

TEST(Queue, ALimitThatIsTooLongKeepsAJobFromPassing) {
  const std::string jobs = "0,8,100,\\n1,8,100,\\n2,4,50,";
  EXPECT_EQ(result_of(trace(jobs)).histories[2].start, 200.0);  // no room beside the first
  const std::string half = "0,4,100,\\n1,8,100,\\n2,4,50,";
  EXPECT_EQ(result_of(trace(half)).histories[2].start, 2.0);
  EXPECT_EQ(result_of(trace(half + "99")).histories[2].start, 200.0);
  EXPECT_EQ(result_of(trace(half + "98")).histories[2].start, 2.0);
}

/// Jobs in whole seconds.
std::vector<QueuedJob> random_jobs(std::uint64_t seed, int count, int most) {
  core::RandomStream random(seed);
  std::vector<QueuedJob> jobs;
  double time = 0.0;
  for (int i = 0; i < count; ++i) {
    time += static_cast<double>(random.below(12));
    const auto duration = static_cast<double>(1 + random.below(40));
    jobs.push_back(
        {.submit = time,
         .accelerators = static_cast<int>(
             1 + random.below(random.uniform() < 0.7 ? 4U : static_cast<unsigned>(most))),
         .duration = duration,
         .limit = duration + static_cast<double>(random.below(20))});
  }
  return jobs;
}

/// The accelerators that the largest job takes, in nodes of four.
int largest_of(const std::vector<QueuedJob>& jobs) {
  int largest = 0;
  for (const QueuedJob& job : jobs) {
    const int taken = job.accelerators <= 4 ? job.accelerators : (job.accelerators + 3) / 4 * 4;
    largest = std::max(largest, taken);
  }
  return largest;
}

NodeFailure never() { return {.time = std::numeric_limits<double>::infinity()}; }

TEST(Queue, StartsEachJobWhenASecondSimulationDoes) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const int num_nodes = 2 + static_cast<int>(seed % 5);
    const auto jobs = random_jobs(seed, 60, 4 * num_nodes);
    const LeafNodes leaves =
        LeafNodes::of(std::vector<int>(static_cast<std::size_t>(num_nodes), 0));
    for (const QueuePolicy policy : {QueuePolicy::kFifo, QueuePolicy::kBackfill}) {
      // Any number occupied, or just enough for the largest job.
      for (const int most : {4 * num_nodes, 4 * num_nodes - 3, largest_of(jobs)}) {
        const int max_occupied = std::max(most, largest_of(jobs));
        const auto fast = run_schedule(jobs, FreeNodes(leaves, 4, NodeChoice::kFirstFit),
                                       {.policy = policy, .max_occupied = max_occupied}, never);
        const auto slow = test::SlowSchedule(jobs, num_nodes, 4, max_occupied).run(policy);
        for (std::size_t job = 0; job < jobs.size(); ++job) {
          ASSERT_EQ(fast.histories[job].start, slow[job].start) << seed << ", job " << job;
          ASSERT_EQ(fast.histories[job].end, slow[job].end) << seed << ", job " << job;
        }
        for (const ClusterState& state : fast.states) ASSERT_LE(state.occupied, max_occupied);
      }
    }
  }
}

TEST(Queue, NodesDrawNoMoreThanTheCap) {
  const std::string jobs = trace("0,4,100,\\n1,4,100,\\n2,4,100,");
  const QueueResult free = result_of(jobs);
  EXPECT_EQ(free.histories[1].start, 1.0) << "two nodes take two jobs";
  const double one = (free.peak_power.base() + result_of(trace("0,4,100,")).peak_power.base()) / 2;
  const auto capped = [&](const std::string& power) {
    return result_of(jobs, {"queue.power_cap=" + power});
  };
  const QueueResult held = capped(std::to_string(one) + " W");
  EXPECT_EQ(held.histories[1].start, 100.0) << "one at a time";
  EXPECT_EQ(held.histories[2].start, 200.0);
  EXPECT_LE(held.peak_power.base(), one);
  EXPECT_EQ(capped("1 MW").histories[1].start, 1.0);
  const QueueResult none = capped("1 kW");
  EXPECT_FALSE(none.feasible());
  ASSERT_FALSE(none.infeasible.empty());
  EXPECT_NE(none.infeasible.front().find("more than queue.power_cap allows"), std::string::npos);
}

TEST(Queue, KeepsWhatIsThere) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto jobs = random_jobs(seed, 300, 32);
    const LeafNodes leaves = LeafNodes::of({0, 0, 0, 1, 1, 1, 2, 2});
    core::RandomStream random(seed);
    double time = 0.0;
    const auto failures = [&]() -> NodeFailure {
      time += random.exponential(300.0);
      return {.time = time,
              .node = static_cast<int>(random.below(8)),
              .needs_repair = random.uniform() < 0.5};
    };
    const auto made =
        run_schedule(jobs, FreeNodes(leaves, 4, NodeChoice::kBestFit),
                     {.checkpoint_interval = 10.0, .restart = 3.0, .repair = 50.0}, failures);
    ASSERT_LT(made.endless_job, 0);
    double occupied = 0.0;
    for (std::size_t i = 0; i + 1 < made.states.size(); ++i) {
      const ClusterState& state = made.states[i];
      ASSERT_LE(state.occupied, (8 - state.down) * 4);
      ASSERT_GE(state.occupied, 0);
      occupied += state.occupied * (made.states[i + 1].time - state.time);
    }
    EXPECT_EQ(made.states.back().occupied, 0);
    EXPECT_EQ(made.states.back().waiting, 0);
    double ran = 0.0;
    int num_interruptions = 0;
    for (std::size_t job = 0; job < jobs.size(); ++job) {
      const JobHistory& past = made.histories[job];
      const int held = jobs[job].accelerators <= 4 ? jobs[job].accelerators
                                                   : (jobs[job].accelerators + 3) / 4 * 4;
      ran += past.ran * held;
      num_interruptions += past.num_interruptions;
      EXPECT_GE(past.start, jobs[job].submit);
      EXPECT_GE(past.ran, jobs[job].duration - 1e-9);
      if (past.num_interruptions == 0) {
        EXPECT_NEAR(past.end - past.start, jobs[job].duration, 1e-9);
      }
    }
    EXPECT_NEAR(occupied / ran, 1.0, 1e-9);
    EXPECT_GT(num_interruptions, 0);
  }
}

TEST(Queue, AFailureSendsAJobBackToItsLastCheckpoint) {
  const LeafNodes leaves = LeafNodes::of({0, 0});
  const std::vector<QueuedJob> jobs{
      {.submit = 0, .accelerators = 8, .duration = 100, .limit = 100}};
  int count = 0;
  const auto once = [&](bool needs_repair) {
    count = 0;
    return [&count, needs_repair]() -> NodeFailure {
      return count++ == 0 ? NodeFailure{.time = 47, .node = 1, .needs_repair = needs_repair}
                          : never();
    };
  };
  const ScheduleLimits limits{.checkpoint_interval = 20, .restart = 5, .repair = 30};
  const auto run = [&](bool needs_repair) {
    return run_schedule(jobs, FreeNodes(leaves, 4, NodeChoice::kBestFit), limits,
                        once(needs_repair))
        .histories.front();
  };
  // 40 of 47 seconds are kept; software restarts at once, hardware after its repair.
  EXPECT_EQ(run(false).end, 47 + 5 + 60);
  EXPECT_EQ(run(true).end, 47 + 30 + 5 + 60);
  EXPECT_EQ(run(true).ran, 47 + 5 + 60);
  EXPECT_EQ(run(true).num_interruptions, 1);
}

TEST(Queue, SaysWhenFailuresLetNothingEnd) {
  const LeafNodes leaves = LeafNodes::of({0});
  const std::vector<QueuedJob> jobs{
      {.submit = 0, .accelerators = 1, .duration = 100, .limit = 100}};
  double time = 0.0;
  const auto failures = [&]() -> NodeFailure {
    time += 5.0;
    return {.time = time, .node = 0, .needs_repair = false};
  };
  const auto made = run_schedule(jobs, FreeNodes(leaves, 4, NodeChoice::kBestFit),
                                 {.checkpoint_interval = 10}, failures);
  EXPECT_EQ(made.endless_job, 0);
}

TEST(Queue, BestFitKeepsJobsOnFewLeavesAndNodesWhole) {
  const LeafNodes leaves = LeafNodes::of({0, 0, 1, 1, 1, 1});
  const auto place = [&](NodeChoice choice, int accelerators) {
    FreeNodes nodes(leaves, 4, choice);
    nodes.take({{3, 2}});
    const auto shares = *nodes.place(accelerators);
    return std::pair(shares.front().node, nodes.num_leaves(shares));
  };
  EXPECT_EQ(place(NodeChoice::kBestFit, 2).first, 3);
  EXPECT_EQ(place(NodeChoice::kFirstFit, 2).first, 0);
  EXPECT_EQ(place(NodeChoice::kBestFit, 12), std::pair(2, 1));
  EXPECT_EQ(place(NodeChoice::kFirstFit, 12), std::pair(0, 2));
  EXPECT_EQ(FreeNodes(leaves, 4, NodeChoice::kBestFit).fewest_leaves(5), 2);
}

// Pollaczek and Khinchine, whole-node jobs on one node: rho s / (2 (1 - rho)) where all take as
// long, and with the second moment where they do not.
TEST(Queue, WaitsAsTheQueueOfOneServerDoes) {
  for (const double spread : {0.0, 1.0}) {
    for (const double rho : {0.3, 0.7}) {
      const QueueResult result =
          result_of("{drawn: {jobs: 60000, jobs_per_hour: " + std::to_string(rho) +
                        ", sizes: [{accelerators: 4, share: 1}], duration: 1 h, duration_spread: " +
                        std::to_string(spread) + "}}",
                    {"cluster.nodes=1", "queue.policy=fifo"});
      const double expected = rho * (1.0 + spread * spread) / (2.0 * (1.0 - rho)) * 3600.0;
      EXPECT_NEAR(result.wait.mean.base() / expected, 1.0, 0.07) << spread << ", " << rho;
      EXPECT_NEAR(result.occupied_fraction, rho, 0.02);
    }
  }
}

TEST(Queue, ReliabilityTakesNodesAndTime) {
  const std::string jobs =
      "{drawn: {jobs: 2000, jobs_per_hour: 1, sizes: [{accelerators: 1, share: 2}, {accelerators: "
      "8, share: 1}], duration: 3 h}}";
  const QueueResult sound = result_of(jobs);
  const QueueResult failing =
      result_of(jobs, {"reliability=rsc-1", "queue.checkpoint_interval=2 h"});
  EXPECT_EQ(sound.num_interruptions, 0);
  EXPECT_EQ(sound.down_fraction, 0.0);
  EXPECT_DOUBLE_EQ(sound.useful_fraction, sound.occupied_fraction);
  EXPECT_GT(failing.num_interruptions, 0);
  EXPECT_LT(failing.useful_fraction, failing.occupied_fraction);
  EXPECT_GE(failing.wait.mean.base(), sound.wait.mean.base());
}

/// Both nodes are lemons that fail once in 50 h, beside nothing else, until they are removed.
TEST(Queue, LemonNodesFailUntilTheyAreRemoved) {
  const std::string jobs =
      "{drawn: {jobs: 2000, jobs_per_hour: 1, sizes: [{accelerators: 8, share: 1}], duration: 1 "
      "h}}";
  const auto with = [&](const std::string& lemons) {
    return result_of(
        jobs, {"reliability={name: t, description: t, failures: [], lemon_nodes: {" + lemons +
               "}, detection: 1 s, replacement: 1 s, restart: 1 s, "
               "repair: 1 h}"});
  };
  const QueueResult all = with("share: 1, mtbf: 50 h");
  // Each fails once in 50 h and is an hour in repair.
  EXPECT_NEAR(all.down_fraction, 1.0 / 50, 0.005);
  EXPECT_GT(all.num_interruptions, 10);
  const QueueResult removed = with("share: 1, mtbf: 50 h, removed_after: 2");
  EXPECT_LE(removed.num_interruptions, 4);
  EXPECT_LT(removed.down_fraction, all.down_fraction);
  EXPECT_EQ(with("share: 0, mtbf: 50 h").num_interruptions, 0);
}

TEST(Queue, PowerLiesBetweenIdleAndAllComputing) {
  const QueueResult result = result_of(trace("0,4,100,\\n0,8,100,"));
  const CheckedQueue checked = read_queue(tree_of(trace("0,1,1,")), catalogue());
  const auto node = models::node_power(checked.cluster.cluster.node, {});
  const double idle = node.of(models::Activity::kIdle).base();
  const double busy = node.of(models::Activity::kCompute).base();
  EXPECT_NEAR(result.peak_power.base(), 2 * busy, 1e-6);
  EXPECT_NEAR(result.mean_power.base(), 2 * idle + (busy - idle) * 12 * 100 / 4 / 200, 1e-6);
  const double energy = 2 * idle * 200 + (busy - idle) * 12 * 100 / 4;
  EXPECT_NEAR(result.energy.base() / energy, 1.0, 1e-12);
  EXPECT_EQ(result.over_time.back().power.base(), 2 * busy);
  EXPECT_NEAR(result_of(trace("0,4,100,\\n0,8,100,"), {"power.pue=1.5"}).peak_power.base(),
              3 * busy, 1e-6);
}

TEST(Queue, CarbonIsThatOfTheEnergyWhereAnIntensityIsGiven) {
  const std::string jobs = trace("0,4,100,\\n0,8,100,");
  const auto carbon_of = [](const QueueResult& result) {
    const auto& numbers = queue_numbers();
    return std::ranges::find(numbers, "carbon_kg", &Number<QueueResult>::path)->of(result);
  };
  const QueueResult result = result_of(jobs, {"power.carbon_intensity=380", "power.pue=2"});
  EXPECT_NEAR(result.energy / result_of(jobs).energy, 2.0, 1e-12);
  EXPECT_NEAR(carbon_of(result).number(), result.energy.base() / 3.6e6 * 0.380, 1e-9);
  EXPECT_FALSE(carbon_of(result_of(jobs)));
}

TEST(Queue, MeansOverTimeAddUp) {
  const QueueResult result = result_of(trace("0,4,100,\\n10,8,1000,\\n20,1,7,\\n5000,3,1,"));
  double occupied = 0.0;
  double waiting = 0.0;
  for (const QueueSample& one : result.over_time) {
    occupied += one.occupied / static_cast<double>(result.over_time.size());
    waiting += one.waiting / static_cast<double>(result.over_time.size());
  }
  EXPECT_NEAR(occupied * result.duration.base(), 4 * 100 + 8 * 1000 + 1 * 7 + 3 * 1, 1e-6);
  EXPECT_NEAR(result.over_time.front().wanted, result.over_time.front().waiting * 8, 8.0);
  EXPECT_NEAR(waiting * result.duration.base(), result.wait.mean.base() * 4, 1e-6);  // Little
}

TEST(Queue, NoJobRunsLongerThanIsAllowed) {
  const std::string drawn =
      "{drawn: {jobs: 500, jobs_per_hour: 1, sizes: [{accelerators: 1, share: 1}], duration: 1 h, "
      "limit_over_duration: 3, max_duration: 2 h}}";
  const CheckedQueue checked = read_queue(tree_of(drawn), catalogue());
  double longest = 0.0;
  for (const QueuedJob& job : checked.jobs) {
    longest = std::max(longest, job.duration);
    EXPECT_GE(job.limit, job.duration);
    EXPECT_LE(job.limit, 7200.0);
  }
  EXPECT_EQ(longest, 7200.0);
}

TEST(Queue, SaysWhatCannotBe) {
  EXPECT_NE(refusal("{policy: fifo}").find("either 'trace' or 'drawn'"), std::string::npos);
  EXPECT_NE(refusal("{trace: \"a,b\\n1,2\"}").find("no column 'submit_s'"), std::string::npos);
  const std::string all = refusal(trace("0,1,x,\\n0,1.5,1,\\n-1,1,1,\\n0,1"));
  EXPECT_NE(all.find("line 2: duration_s: expected a number"), std::string::npos) << all;
  EXPECT_NE(all.find("line 3: accelerators: expected a whole number"), std::string::npos);
  EXPECT_NE(all.find("line 4: submit_s"), std::string::npos);
  EXPECT_NE(all.find("line 5: duration_s"), std::string::npos);
  EXPECT_NE(refusal(trace("")).find("no job"), std::string::npos);
  EXPECT_NE(refusal("{drawn: {jobs: 1, jobs_per_hour: 1, sizes: [], duration: 1 h}}").find("size"),
            std::string::npos);
  const QueueResult large = result_of(trace("0,9,1,"));
  EXPECT_FALSE(large.feasible());
  EXPECT_NE(large.infeasible.front().find("job 1 wants 9"), std::string::npos);
}

}  // namespace
}  // namespace railwright::simulation
