// SPDX-License-Identifier: Apache-2.0
// Answers that hang on a number that is known only within a range.
#include "railwright/planner/ranges/hangs_on.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "../../support/inference.hpp"
#include "../../support/source_tree.hpp"
#include "railwright/output/json/ranges_json.hpp"
#include "railwright/output/text/verdict.hpp"
#include "railwright/planner/size/size_any.hpp"
#include "railwright/simulation/scenario/with_settings.hpp"

namespace railwright::planner {
namespace {

using simulation::SimulationResult;

/// Llama 2 70B on six nodes that write a checkpoint as fast as storage takes it.
core::Node checkpoints(const std::vector<std::string>& settings = {}) {
  std::vector<std::string> all = {
      "cluster.storage.node=powerscale-f710",
      "cluster.storage.count=4",
      "cluster.storage.mount=nfs-rdma",
      "cluster.node.front_end={nic: connectx-7, count: 2}",
      "software.checkpoint.sharding=all_ranks",
      "software.checkpoint.writer_rate=20 GB/s",
      "software.checkpoint.serialization_rate=1000 GB/s",
      "run={step_time: 10 s, targets: {checkpoint_stall: 0.01, restore: 10 min}}",
      "checkpoint={interval: 30 min, retention: 2}",
      "workload.steps=10"};
  all.insert(all.end(), settings.begin(), settings.end());
  return simulation::load_scenario_tree(test::kSource + "/examples/llama-2-70b-six-nodes.yaml",
                                        all);
}

SimulationResult training_of(const core::Node& tree) {
  return std::get<SimulationResult>(simulation::simulate(
      tree, test::source_catalogue(), {.method = simulation::Method::kEstimate}));
}

const HangsOn* find(const std::vector<HangsOn>& answers, RangedAnswer answer) {
  const auto found = std::ranges::find(answers, answer, &HangsOn::answer);
  return found == answers.end() ? nullptr : &*found;
}

/// A checkpoint may take 1 % of the time: 30 min / 99 = 18.2 s. Nine nodes and more with +2d:1n
/// write (8/6) / (18/16) of what four are rated at.
TEST(HangsOn, StorageNodesHangOnTheRateThatNobodyPublishes) {
  const core::Node tree = checkpoints();
  const SimulationResult result = training_of(tree);
  ASSERT_TRUE(result.feasible());
  const auto answers = hangs_on(tree, test::source_catalogue(), result);
  const HangsOn* nodes = find(answers, RangedAnswer::kStorageNodes);
  ASSERT_NE(nodes, nullptr);
  EXPECT_EQ(nodes->number.path, "cluster.storage.node.write_rate");
  const double bytes = static_cast<double>(result.run.job().checkpoint.bytes);
  const auto count = [&](double gigabytes_per_s) {
    return std::ceil(bytes / (1800.0 / 99.0) /
                     (1e9 * gigabytes_per_s * (8.0 / 6.0) / (18.0 / 16.0)));
  };
  EXPECT_EQ(nodes->at_low, count(2.0));
  EXPECT_EQ(nodes->at_value, count(4.0));
  EXPECT_EQ(nodes->at_high, count(5.0));
  EXPECT_EQ(result.run.needs.front().num_nodes, count(4.0));
}

TEST(HangsOn, AStatedRateDecidesNothing) {
  const core::Node tree = checkpoints({"cluster.storage.node.write_rate=4 GB/s"});
  const auto answers = hangs_on(tree, test::source_catalogue(), training_of(tree));
  const HangsOn* nodes = find(answers, RangedAnswer::kStorageNodes);
  EXPECT_TRUE(nodes == nullptr || nodes->number.key() != "write_rate");
}

/// 1,000 steps of 323 ms, each behind a hand-over of 0.75 ms and 1.026 GB at 103.1 GB/s, 1.5154
/// times that for the slowest of 8 readers: 0.78 to 3.0 times 16.2 ms. Without a reader the one of
/// all published results is taken, and the time hangs on it as well.
TEST(HangsOn, TrainingTimeHangsOnTheReaderOfSamples) {
  const auto time_of = [](bool is_stated) {
    core::Node tree =
        simulation::load_scenario_tree(test::kSource + "/examples/mlperf-storage-unet3d.yaml", {});
    if (!is_stated) {
      std::erase_if(core::find_path(tree, "data")->entries,
                    [](const core::Entry& one) { return one.key == "reader"; });
    }
    const auto answers = hangs_on(tree, test::source_catalogue(), training_of(tree));
    const HangsOn* time = find(answers, RangedAnswer::kTrainingTime);
    return time != nullptr ? *time : HangsOn{};
  };
  const HangsOn stated = time_of(true);
  const double waits = (0.75e-3 + 7 * 146600628 / 103.1e9) * 1.5154;
  EXPECT_EQ(stated.number.path, "data.reader.factor");
  EXPECT_EQ(stated.number.entry, "pytorch-dataloader");
  EXPECT_NEAR(stated.at_low, 1000 * (0.323 + 0.78 * waits), 1.0);
  EXPECT_NEAR(stated.at_value, 1000 * (0.323 + waits), 1.0);
  EXPECT_NEAR(stated.at_high, 1000 * (0.323 + 3.0 * waits), 1.0);
  EXPECT_EQ(time_of(false).number.entry, "any-reader");
}

/// A node cannot write faster for minutes than without end: its burst rises with its rate.
TEST(HangsOn, ABurstIsNoSlowerThanWhatANodeHoldsWithoutEnd) {
  const core::Node tree = checkpoints({"cluster.storage.node.burst_write_rate=4 GB/s"});
  const auto answers = hangs_on(tree, test::source_catalogue(), training_of(tree));
  const HangsOn* nodes = find(answers, RangedAnswer::kStorageNodes);
  ASSERT_NE(nodes, nullptr);
  EXPECT_LT(nodes->at_high, nodes->at_value);
}

TEST(HangsOn, IsNamedInTheVerdictAndInJson) {
  const core::Node tree = checkpoints();
  const SimulationResult result = training_of(tree);
  const auto answers = hangs_on(tree, test::source_catalogue(), result);
  ASSERT_FALSE(answers.empty());
  const std::string text = output::verdict(result, std::nullopt, {}, answers);
  EXPECT_NE(text.find("hangs on        write_rate of powerscale-f710, 2 GB/s to 5 GB/s: "),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("storage nodes, by the write rate that you measure"), std::string::npos)
      << text;
  EXPECT_NE(text.find("measure it by   fio --name=write"), std::string::npos) << text;
  const std::string json = output::with_hangs_on("{}", answers);
  EXPECT_NE(json.find("\"answer\": \"storage_nodes\""), std::string::npos) << json;
  EXPECT_NE(json.find("\"number\": \"cluster.storage.node.write_rate\""), std::string::npos)
      << json;
  EXPECT_EQ(output::with_hangs_on("{}", {}), "{}");
}

/// Half a failure a day that takes a node away, each repaired in one day: 0.5 nodes in the mean are
/// away, by Poisson's numbers no more than 2 with 98.6 %. In 4 h it is 0.083 and 1, in 14 days 7
/// and 12 (11: 94.7 %, 12: 97.3 %).
TEST(HangsOn, SparesHangOnTheTimeOfRepairs) {
  const core::Node tree = checkpoints(
      {"reliability={model: llama-3, failures: [{component: node, mtbf: 12 d}], detection: 5 min, "
       "restart: 5 min}",
       "run={step_time: 10 s, num_spares: 20, replicas: 1}", "workload.steps=86400"});
  SimulationResult result = training_of(tree);
  ASSERT_TRUE(result.feasible());
  auto& run = result.run.jobs.front();
  run.failures = {};
  run.failures[static_cast<std::size_t>(models::Component::kNode)] =
      0.5 * run.training_time_s.mean / 86400.0;
  const core::Node wide =
      simulation::with_settings(tree, {"cluster.nodes=60", "workload.global_batch=240"});
  const auto answers = hangs_on(wide, test::source_catalogue(), result);
  const HangsOn* spares = find(answers, RangedAnswer::kSpares);
  ASSERT_NE(spares, nullptr);
  EXPECT_EQ(spares->number.path, "reliability.repair");
  EXPECT_EQ(spares->at_low, 1.0);
  EXPECT_EQ(spares->at_value, 2.0);
  EXPECT_EQ(spares->at_high, 12.0);
  EXPECT_EQ(find(answers, RangedAnswer::kTrainingTime), nullptr) << "20 spares do at either end";
}

/// Without spares a job waits for the repair of each node: fourteen days instead of one.
TEST(HangsOn, TrainingHangsOnRepairsWhereSparesDoNotDo) {
  const core::Node tree = checkpoints(
      {"reliability={model: llama-3, failures: [{component: node, mtbf: 60 d}], detection: 5 min, "
       "restart: 5 min}",
       "run={step_time: 10 s, num_spares: 0, replicas: 4}", "workload.steps=345600"});
  const SimulationResult result = training_of(tree);
  ASSERT_TRUE(result.feasible());
  const auto answers = hangs_on(tree, test::source_catalogue(), result);
  const HangsOn* time = find(answers, RangedAnswer::kTrainingTime);
  ASSERT_NE(time, nullptr);
  EXPECT_EQ(time->number.path, "reliability.repair");
  EXPECT_EQ(time->at_value, result.run.job().training_time_s.mean);
  // Four failures in 40 days of steps, each of which waits a day.
  const double interruptions = result.run.job().num_interruptions;
  EXPECT_GT(interruptions, 1.0);
  EXPECT_LT(time->at_low, time->at_value - interruptions * 0.5 * 86400.0);
  EXPECT_GT(time->at_high, time->at_value + interruptions * 10.0 * 86400.0);
}

/// Twenty interruptions of a day, each found in 5 min: 0 and 10 min move the end by 100 min. A
/// range of the restart is not given.
TEST(HangsOn, TrainingHangsOnTheDetectionOfManyFailures) {
  const core::Node tree = checkpoints(
      {"reliability={model: llama-3, failures: [{component: node, mtbf: 12 d}], restart: 5 min, "
       "repair: 1 d}",
       "run={step_time: 10 s, num_spares: 20, replicas: 1}", "workload.steps=8640"});
  SimulationResult result = training_of(tree);
  ASSERT_TRUE(result.feasible());
  result.run.jobs.front().num_interruptions = 20.0;
  result.run.jobs.front().training_time_s.mean = 86400.0;
  const auto answers = hangs_on(tree, test::source_catalogue(), result);
  const HangsOn* time = find(answers, RangedAnswer::kTrainingTime);
  ASSERT_NE(time, nullptr);
  EXPECT_EQ(time->number.path, "reliability.detection");
  EXPECT_NEAR(time->at_low, 86400.0 - 6000.0, 1e-6);
  EXPECT_NEAR(time->at_high, 86400.0 + 6000.0, 1e-6);
}

TEST(DecidingNumber, IsTheOneThatMovesTheAnswerMost) {
  const auto number = [](const std::string& key, const std::string& low, const std::string& high) {
    simulation::RangedNumber one;
    one.path = key;
    one.low = core::parse_yaml(low, "x");
    one.high = core::parse_yaml(high, "x");
    return one;
  };
  const std::vector<simulation::RangedNumber> numbers = {number("a", "1", "3"),
                                                         number("b", "5", "20")};
  const auto of = [](const core::Node& tree) {
    const core::Node* b = tree.find("b");
    return b != nullptr ? std::stod(b->text) : 10.0;
  };
  const auto found =
      deciding_number(RangedAnswer::kSpares, 10.0, core::parse_yaml("c: 1", "x"), numbers, of);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->number.path, "b");
  EXPECT_EQ(found->at_low, 5.0);
  EXPECT_EQ(found->at_high, 20.0);
  const auto nothing = [](const core::Node&) { return 10.0; };
  EXPECT_FALSE(deciding_number(RangedAnswer::kSpares, 10.0, core::parse_yaml("c: 1", "x"), numbers,
                               nothing));
}

/// Three drafted tokens of which half are accepted give 1.875 a step, with nine in ten 3.439, with
/// seven in ten 2.533. The first of 101 tokens comes from the pass of the prompt.
TEST(HangsOn, AServiceHangsOnTheAcceptanceOfItsDrafts) {
  const auto answers_of = [](const std::string& drafts) {
    core::Node tree = core::parse_yaml(test::inference_text(), "i.yaml");
    tree = simulation::with_settings(
        std::move(tree), {"inference.tp=1", "inference.max_batch=1", "inference.prompt_tokens=1",
                          "inference.engine.host_launch=0 us", "inference.speculative=" + drafts});
    const auto result = simulation::simulate(tree, test::source_catalogue());
    return hangs_on(tree, test::source_catalogue(), result);
  };
  const auto answers = answers_of("{draft_tokens: 3}");
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_EQ(answers[0].answer, RangedAnswer::kTokensPerAccelerator);
  EXPECT_EQ(answers[0].number.path, "inference.speculative.acceptance");
  const auto iterations = [](double tokens_per_step) { return 1.0 + 100.0 / tokens_per_step; };
  EXPECT_NEAR(answers[0].at_low / answers[0].at_value, iterations(2.533) / iterations(1.875),
              0.005);
  EXPECT_NEAR(answers[0].at_high / answers[0].at_value, iterations(2.533) / iterations(3.439),
              0.005);
  EXPECT_TRUE(answers_of("{draft_tokens: 3, acceptance: 0.7}").empty());
  const auto own = answers_of(
      "{draft_tokens: 3, acceptance: {value: 0.8, range: [0.75, 0.85], source: measured}}");
  ASSERT_EQ(own.size(), 1U);
  EXPECT_EQ(own[0].number.high.text, "0.85");
}

/// Its steps are those of the job on one node, whose products take 0.6 / 0.35 of their time.
TEST(HangsOn, AStepHangsOnTheEfficiencyOfADeviceThatNobodyMeasured) {
  const core::Node tree =
      checkpoints({"cluster.node=xe9785l-mi355x", "cluster.fabric.switch=sn5600",
                   "cluster.storage=null", "run={}", "checkpoint={}"});
  const SimulationResult result = training_of(tree);
  ASSERT_TRUE(result.feasible());
  const auto answers = hangs_on(tree, test::source_catalogue(), result);
  const HangsOn* step = find(answers, RangedAnswer::kStepTime);
  ASSERT_NE(step, nullptr);
  EXPECT_EQ(step->number.path, "cluster.node.accelerator.gemm_efficiency");
  EXPECT_EQ(step->at_value, result.step_time.base());
  EXPECT_GT(step->at_low, 1.05 * step->at_value);
  EXPECT_LT(step->at_high, step->at_value);
  EXPECT_GE(result.step_time_high.base(), 0.999 * step->at_low);
}

/// All jobs read back together after a loss of power.
TEST(HangsOn, SizeNamesTheRateOfTheStorageOfSeveralJobs) {
  const auto sized = size_any(
      simulation::load_scenario_tree(test::kSource + "/examples/power-loss-eight-jobs.yaml",
                                     {"cluster.storage.node=powerscale-f710"}),
      test::source_catalogue());
  ASSERT_TRUE(sized && sized->feasible());
  ASSERT_FALSE(sized->hangs_on.empty());
  const HangsOn& nodes = sized->hangs_on.front();
  EXPECT_EQ(nodes.answer, RangedAnswer::kStorageNodes);
  const auto& run = std::get<simulation::JobsResult>(sized->result).run;
  EXPECT_EQ(nodes.at_value, run.storage.num_nodes);
  EXPECT_LT(nodes.least(), nodes.most());
}

}  // namespace
}  // namespace railwright::planner
