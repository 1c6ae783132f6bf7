// SPDX-License-Identifier: Apache-2.0
// Post-training against hand arithmetic, and what must hold whatever the numbers are.
#include "railwright/workloads/post_training/post_training.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "../../../workloads/src/post_training/forward_pass.hpp"
#include "../../support/scenario.hpp"
#include "railwright/core/error.hpp"
#include "railwright/models/inference/footprint.hpp"
#include "railwright/models/offload/tier.hpp"
#include "railwright/simulation/scenario/data_path.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/step/step.hpp"
#include "railwright/workloads/post_training/post_training_scenario.hpp"

namespace railwright::simulation {
namespace {

using Changes = std::vector<std::string>;

core::Duration seconds(double time) { return core::Duration::from_base(time); }

/// Eight nodes' worth of results by hand: 3 replicas of 2 accelerators on 8, busy half of the time.
PostTrainingResult by_hand() {
  PostTrainingResult result;
  result.num_accelerators = 32;
  result.trainer_accelerators = 32;
  result.num_steps = 10;
  result.times = {.rollout = seconds(60.0),
                  .reward = seconds(5.0),
                  .log_probs = seconds(10.0),
                  .reference = seconds(8.0),
                  .update = seconds(30.0),
                  .weights = seconds(2.0),
                  .offload = seconds(1.0)};
  result.rollout.emplace();
  result.rollout->tp = 2;
  result.rollout->num_replicas = 3;
  result.rollout->num_accelerators = 8;
  result.rollout->run.busy_fraction = 0.5;
  return result;
}

class PostTrainingRun : public testing::Test {
 protected:
  static CheckedPostTraining checked(const Changes& changes = {}) {
    Changes settings{"post_training.prompts=32", "workload.global_batch=64",
                     "inference.output_tokens=512", "post_training.max_output_tokens=null"};
    settings.insert(settings.end(), changes.begin(), changes.end());
    return read_post_training(
        load_scenario_tree(RAILWRIGHT_SOURCE_DIR "/examples/post-training-qwen3-8b.yaml", settings),
        core::Catalogue(catalogue_roots()));
  }
  static PostTrainingResult run(const Changes& changes = {}) { return simulate(checked(changes)); }
  /// Two nodes that generate while two train.
  static Changes split(const Changes& more = {}) {
    Changes changes{"post_training.rollout_nodes=2", "post_training.offload_trainer=false"};
    changes.insert(changes.end(), more.begin(), more.end());
    return changes;
  }
  static std::vector<std::string> problems(const Changes& changes) {
    try {
      checked(changes);
    } catch (const core::ConfigError& error) {
      std::vector<std::string> paths;
      for (const core::Diagnostic& one : error.diagnostics()) paths.push_back(one.path);
      return paths;
    }
    return {};
  }
};

TEST(PostTrainingByHand, PartsInTurnAddUp) {
  PostTrainingResult result = by_hand();
  combine(result);
  EXPECT_DOUBLE_EQ(result.step_time.base(), 60.0 + 5.0 + 10.0 + 8.0 + 30.0 + 2.0 + 1.0);
  EXPECT_DOUBLE_EQ(result.total_time().base(), 1160.0);
  // 6 of 8 accelerators are in replicas that are busy half of 60 s.
  const double busy = 60.0 * 0.5 * 6.0 / 8.0 + 48.0 + 3.0;
  EXPECT_NEAR(result.idle_fraction, 1.0 - busy / 116.0, 1e-12);
  EXPECT_EQ(result.limit, "the rollout 56.0 % of the step, next updates 25.9 %");
}

TEST(PostTrainingByHand, PartsAtATimeTakeTheLonger) {
  PostTrainingResult result = by_hand();
  result.is_split = result.is_asynchronous = true;
  result.trainer_accelerators = 24;
  combine(result);
  EXPECT_DOUBLE_EQ(result.step_time.base(), 65.0 + 3.0);
  EXPECT_NEAR(result.rollout_idle_fraction, 1.0 - (22.5 + 3.0) / 68.0, 1e-12);
  EXPECT_NEAR(result.trainer_idle_fraction, 1.0 - (48.0 + 3.0) / 68.0, 1e-12);
  EXPECT_NEAR(result.idle_fraction, 0.75 * 0.25 + 0.25 * (1.0 - 25.5 / 68.0), 1e-12);
  result.times.update = seconds(100.0);
  combine(result);
  EXPECT_DOUBLE_EQ(result.step_time.base(), 118.0 + 3.0);
  EXPECT_NEAR(result.trainer_idle_fraction, 0.0, 1e-12);
}

TEST(PostTrainingByHand, NodesOfTheirOwnThatWaitAddUpToo) {
  PostTrainingResult result = by_hand();
  result.is_split = true;
  result.trainer_accelerators = 24;
  combine(result);
  EXPECT_DOUBLE_EQ(result.step_time.base(), 116.0);
  EXPECT_NEAR(result.trainer_idle_fraction, 1.0 - 51.0 / 116.0, 1e-12);
}

TEST(ForwardAlone, HasTheComputationOfTheForwardPasses) {
  for (const Changes& changes :
       {Changes{}, Changes{"software.zero_stage=3"}, Changes{"parallelism.tp=1"}}) {
    const test::BuiltScenario built(changes);
    const StepCosts forward = forward_alone(built.costs);
    double computation = 0.0;
    for (const LayerPass& pass : forward.stages.front().forward) {
      computation += pass.compute.total().base();
    }
    computation *= forward.layout.num_microbatches;
    const StepResult step = simulate_step(forward);
    const double found =
        (step.breakdown[Cause::kMatrixProducts] + step.breakdown[Cause::kAttention] +
         step.breakdown[Cause::kElementwise] + step.breakdown[Cause::kKernelGaps])
            .base();
    EXPECT_NEAR(found / computation, 1.0, 1e-3);
    EXPECT_EQ(step.breakdown[Cause::kGradientReduce], core::Duration{});
    EXPECT_EQ(step.breakdown[Cause::kOptimizer], core::Duration{});
    const core::Duration whole = simulate_step(built.costs).step_time;
    EXPECT_GT(step.step_time, whole * 0.2);
    EXPECT_LT(step.step_time, whole * 0.5);
  }
}

TEST(ForwardAlone, APipelineWaitsForNoGradient) {
  const test::BuiltScenario built({"parallelism.tp=1", "parallelism.pp=2"});
  const StepCosts forward = forward_alone(built.costs);
  const auto of_stage = [&](std::size_t stage) {
    double time = 0.0;
    for (const LayerPass& pass : forward.stages[stage].forward) time += pass.compute.total().base();
    return time;
  };
  // Both stages compute all micro-batches, the second one starts a pass later.
  const double longest = std::max(of_stage(0), of_stage(1));
  const double least = of_stage(0) + longest * (forward.layout.num_microbatches - 1) + of_stage(1);
  const double time = simulate_step(forward).step_time.base();
  EXPECT_GE(time, least * 0.999);
  EXPECT_LE(time, least * 1.05);
}

TEST_F(PostTrainingRun, SamplesOfAGroupHaveOnePromptAndEndAtTheLongest) {
  const CheckedPostTraining scenario =
      checked({"post_training.prompt_spread=1", "post_training.max_output_tokens=600"});
  ASSERT_EQ(scenario.samples.size(), 256U);
  int differing = 0;
  int cut = 0;
  for (std::size_t i = 0; i < scenario.samples.size(); ++i) {
    EXPECT_EQ(scenario.samples[i].prompt_tokens, scenario.samples[i / 8 * 8].prompt_tokens);
    EXPECT_EQ(scenario.samples[i].arrival, 0.0);
    EXPECT_LE(scenario.samples[i].output_tokens, 600);
    cut += scenario.samples[i].output_tokens == 600 ? 1 : 0;
    differing += scenario.samples[i].prompt_tokens != scenario.samples[0].prompt_tokens ? 1 : 0;
  }
  EXPECT_GT(differing, 0);
  EXPECT_GT(cut, 0);
}

TEST_F(PostTrainingRun, AlikeSamplesLeaveNobodyIdle) {
  const PostTrainingResult result = run({"post_training.output_spread=0"});
  ASSERT_TRUE(result.feasible());
  EXPECT_NEAR(result.idle_fraction, 0.0, 1e-9);
  EXPECT_NEAR(result.tail.base(), 0.0, 1e-9);
  EXPECT_EQ(result.sequence_length, 512 + 512);
  EXPECT_DOUBLE_EQ(result.tokens_per_step, 256.0 * 1024.0);
}

TEST_F(PostTrainingRun, ALongerTailLeavesMoreIdle) {
  double idle = -1.0;
  double step = 0.0;
  for (const char* spread : {"0", "0.4", "0.8", "1.6"}) {
    const PostTrainingResult result = run({std::string("post_training.output_spread=") + spread});
    ASSERT_TRUE(result.feasible());
    EXPECT_GT(result.idle_fraction, idle) << spread;
    EXPECT_GT(result.step_time.base(), step) << spread;
    idle = result.idle_fraction;
    step = result.step_time.base();
  }
}

TEST_F(PostTrainingRun, MoreNodesNeverGenerateMoreSlowly) {
  core::Duration before = core::Duration::infinity();
  for (const int nodes : {1, 2, 3}) {
    const PostTrainingResult result =
        run(split({"post_training.rollout_nodes=" + std::to_string(nodes),
                   "workload.global_batch=48", "post_training.samples_per_prompt=24"}));
    ASSERT_TRUE(result.feasible());
    EXPECT_LE(result.times.rollout, before) << nodes;
    EXPECT_EQ(result.rollout->num_replicas, 8 * nodes);
    before = result.times.rollout;
  }
}

TEST_F(PostTrainingRun, StalenessHidesTheTrainerThenTheTail) {
  const PostTrainingResult waiting = run(split());
  const PostTrainingResult one_off = run(split({"post_training.max_staleness=1"}));
  const PostTrainingResult four_off = run(split({"post_training.max_staleness=4"}));
  EXPECT_EQ(one_off.times.rollout, waiting.times.rollout);
  EXPECT_DOUBLE_EQ(
      one_off.step_time.base(),
      (std::max(waiting.times.generating(), waiting.times.training()) + waiting.times.weights)
          .base());
  EXPECT_LT(one_off.step_time, waiting.step_time);
  EXPECT_LT(four_off.times.rollout, one_off.times.rollout);
}

TEST_F(PostTrainingRun, UpdatesAreEpochsOverTheSamples) {
  const PostTrainingResult once = run();
  const PostTrainingResult twice = run({"post_training.epochs=2"});
  EXPECT_EQ(once.updates_per_step, 4);
  EXPECT_EQ(twice.updates_per_step, 8);
  EXPECT_DOUBLE_EQ(twice.times.update / once.times.update, 2.0);
  EXPECT_DOUBLE_EQ(twice.times.log_probs / once.times.log_probs, 1.0);
  EXPECT_EQ(twice.num_steps, 250);
}

TEST_F(PostTrainingRun, AnEstimateIsOfTheUpdatesAlone) {
  const PostTrainingResult events = run();
  const PostTrainingResult estimate = simulate(checked(), {.method = Method::kEstimate});
  EXPECT_EQ(estimate.times.rollout, events.times.rollout);
  EXPECT_EQ(estimate.times.log_probs, events.times.log_probs);
  EXPECT_NEAR(estimate.times.update / events.times.update, 1.0, 0.1);
}

TEST_F(PostTrainingRun, ForwardPassesAreThoseThatAreWanted) {
  const PostTrainingResult none =
      run({"post_training.reference_model=false", "post_training.recompute_log_probs=false"});
  EXPECT_EQ(none.times.log_probs + none.times.reference, core::Duration{});
  const PostTrainingResult both = run();
  EXPECT_GT(both.times.log_probs, core::Duration{});
  EXPECT_EQ(both.times.log_probs, both.times.reference);
}

TEST_F(PostTrainingRun, StateCrossesThePcieLinksTwice) {
  const CheckedPostTraining scenario = checked({"post_training.offload_rate=1 TB/s"});
  const PostTrainingResult result = simulate(scenario);
  // FSDP: bf16 weights and fp32 state of a 32nd of the model, and the frozen copy's weights.
  double state = 0.0;
  for (const models::MemoryLine& line : result.trainer_memory.lines) {
    if (line.name == "parameters" || line.name == "optimizer_state") state += 2 * line.size.base();
    if (line.name == "reference_model") state += line.size.base();
  }
  const double rate = models::host_link_rate(scenario.trainer.scenario.cluster.node).base();
  EXPECT_GT(state, 0.0);
  EXPECT_NEAR(result.times.offload.base(), 8.0 * state / rate, 1e-9);
  EXPECT_NEAR(run({"post_training.offload_rate=2 GB/s"}).times.offload.base(), state / 2e9, 1e-9);
}

/// 36 layers of four matrices of attention, three of the block and two norms, and both ends.
TEST_F(PostTrainingRun, EachTensorTakesItsTime) {
  const auto weights = [](const char* overhead) {
    return run({std::string("post_training.tensor_overhead=") + overhead}).times.weights;
  };
  EXPECT_NEAR((weights("2 ms") - weights("0 ms")).base(), 2e-3 * (36 * 9 + 3), 1e-9);
}

TEST_F(PostTrainingRun, MeanAnswersAreThoseThatAreCutOff) {
  const Changes cut{"post_training.output_spread=1", "post_training.max_output_tokens=700",
                    "post_training.prompts=512"};
  double sum = 0.0;
  const CheckedPostTraining scenario = checked(cut);
  for (const models::Request& sample : scenario.samples) sum += sample.output_tokens;
  EXPECT_NEAR(sum / static_cast<double>(scenario.samples.size()) / 512.0, 1.0, 0.02);
}

TEST_F(PostTrainingRun, AWholeTrainerSendsOverAllItsNics) {
  const auto one = run(split()).times.weights;
  const auto all = run(split({"post_training.whole_trainer_sends=true"})).times.weights;
  EXPECT_LT(all, one);
}

TEST_F(PostTrainingRun, WeightsLeaveOverOneNicOfTheTrainer) {
  const CheckedPostTraining scenario = checked(split());
  const PostTrainingResult result = simulate(scenario);
  const double bytes = result.weights.base();
  EXPECT_DOUBLE_EQ(
      bytes, models::weights_size(scenario.rollout.inference.model, core::Precision::kBf16).base());
  constexpr double kNic = 50e9;  // 400 Gb/s
  EXPECT_GT(result.times.weights.base(), bytes / kNic);
  EXPECT_LT(result.times.weights.base(), 1.6 * bytes / kNic);
  const PostTrainingResult slower = run(split({"post_training.sync_overhead=10 s"}));
  EXPECT_NEAR((slower.times.weights - result.times.weights).base(), 10.0, 1e-9);
}

TEST_F(PostTrainingRun, ReplicasMayTakeSeveralNodes) {
  const PostTrainingResult result = run({"inference.tp=16"});
  ASSERT_TRUE(result.feasible());
  EXPECT_EQ(result.rollout->num_replicas, 2);
  EXPECT_EQ(result.rollout->num_accelerators, 32);
  // Weights and their all-reduces over two nodes: a token takes longer than within one.
  const PostTrainingResult within = run({"inference.tp=8"});
  EXPECT_EQ(within.rollout->num_replicas, 4);
  EXPECT_GT(result.times.rollout, within.times.rollout);
}

TEST_F(PostTrainingRun, WhatDoesNotFitSaysSo) {
  const auto of_model = [](const char* model) {
    return Changes{std::string("workload.model=") + model, std::string("inference.model=") + model,
                   "inference.tp=null"};
  };
  const PostTrainingResult trainer = run(of_model("qwen3-235b-a22b"));
  ASSERT_FALSE(trainer.feasible());
  EXPECT_NE(trainer.infeasible.front().find("trainer: "), std::string::npos);
  Changes large = of_model("qwen3-32b");
  large.insert(large.end(), {"inference.tp=1", "inference.memory_share=0.7"});
  const PostTrainingResult rollout = run(large);
  ASSERT_EQ(rollout.infeasible.size(), 1U);
  EXPECT_NE(rollout.infeasible.front().find("rollout: at tp 1 an accelerator"), std::string::npos);
  EXPECT_EQ(rollout.infeasible.front().find("offload_trainer"), std::string::npos);
  large.emplace_back("post_training.offload_trainer=false");
  EXPECT_NE(run(large).infeasible.front().find("offload_trainer"), std::string::npos);
  const PostTrainingResult longest =
      run({"inference.model.context=0", "inference.output_tokens=200000",
           "post_training.output_spread=1", "workload.sequence_length=0", "cluster.node=dgx-h100"});
  ASSERT_FALSE(longest.feasible());
  EXPECT_TRUE(std::ranges::any_of(longest.infeasible, [](const std::string& reason) {
    return reason.starts_with("rollout: at tp 1 the longest sample");
  }));
}

TEST_F(PostTrainingRun, AllProblemsAtOnce) {
  EXPECT_EQ(problems({"post_training.max_staleness=2", "inference.load={requests: 3}",
                      "workload.global_batch=96", "inference.model=qwen3-4b"}),
            (std::vector<std::string>{"inference.load", "inference.model",
                                      "post_training.max_staleness", "workload.global_batch"}));
  // Those between sections, of the trainer, of the rollout and of the cluster, each once.
  EXPECT_EQ(problems({"inference.tp=64"}),
            (std::vector<std::string>{"inference.tp", "inference.tp", "inference.tp"}));
  EXPECT_EQ(problems({"cluster.node.nics.count=12", "inference.tp=24", "parallelism.tp=5",
                      "post_training.prompts=33"}),
            (std::vector<std::string>{"cluster.node.nics.count", "inference.tp", "parallelism.tp",
                                      "parallelism.tp", "parallelism.tp", "parallelism",
                                      "workload.global_batch"}));
  EXPECT_EQ(problems(split({"post_training.rollout_nodes=4"})),
            (std::vector<std::string>{"post_training.rollout_nodes"}));
  EXPECT_EQ(problems({"post_training.rollout_nodes=2"}),
            (std::vector<std::string>{"post_training.offload_trainer"}));
  EXPECT_EQ(problems({"cluster.storage={node: powerscale-f600p, count: 3, switch: s5232f-on}"}),
            (std::vector<std::string>{"cluster.storage"}));
  EXPECT_EQ(problems({"workload.sequence_length=512"}),
            (std::vector<std::string>{"workload.sequence_length"}));
  EXPECT_EQ(problems({"parallelism.tp=5", "inference.tp=7"}),
            (std::vector<std::string>{"inference.tp", "parallelism.tp", "parallelism.tp",
                                      "parallelism.tp", "parallelism"}));
}

}  // namespace
}  // namespace railwright::simulation
