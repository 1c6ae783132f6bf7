// SPDX-License-Identifier: Apache-2.0
// Replicas on several nodes: stages of the layers, and layers and experts over nodes.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "../../../workloads/src/serving/replica.hpp"
#include "../../support/inference.hpp"
#include "railwright/core/error.hpp"
#include "railwright/core/fabric/fabric.hpp"
#include "railwright/models/inference/footprint.hpp"

namespace railwright::simulation {
namespace {

using Settings = std::vector<std::string>;

InferenceResult over_nodes(const Settings& settings) { return simulate(test::inference(settings)); }

Settings with(Settings settings, const Settings& more) {
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

const Settings kLarge{"inference.model=llama-3.1-405b", "cluster.nodes=8",
                      "inference.redundant_nodes=0"};

// Four accelerators of 80 GB a node: the 812 GB of weights take four nodes.
TEST(OverNodes, AModelThatNoNodeHoldsTakesStages) {
  const InferenceResult result = over_nodes(kLarge);
  ASSERT_TRUE(result.feasible()) << result.infeasible.front();
  EXPECT_EQ(result.tp, 4);
  EXPECT_EQ(result.pp, 4);
  EXPECT_EQ(result.nodes_for_load, 4);
  EXPECT_EQ(result.num_accelerators, 16);
  EXPECT_EQ(result.launch.front().find("--tp_size 4 --pp_size 4"), 19U) << result.launch.front();
  const Settings fewer = with(kLarge, {"cluster.nodes=3"});
  EXPECT_FALSE(over_nodes(fewer).feasible());
}

// Stages hold all weights once: the first has the embeddings, the last norm and head.
TEST(OverNodes, StagesHoldTheModelOnce) {
  const models::Transformer model = test::inference(kLarge).inference.model;
  const core::DataSize whole = models::weights_on_rank(model, {}, core::Precision::kBf16);
  const core::DataSize half = models::weights_on_rank(model, {.pp = 2}, core::Precision::kBf16);
  const double h = model.hidden_size;
  EXPECT_EQ(2.0 * half.base(), whole.base() + 2.0 * h);  // the last norm
}

// A token's time is that of all layers and the ways between stages; with one request in each stage
// as many answers come at a time.
TEST(OverNodes, RequestsOfAllStagesAreAnsweredBesideOneAnother) {
  const auto run = [](const char* pp, const char* batch) {
    return over_nodes({"inference.tp=4", "inference.model=llama-2-70b",
                       std::string("inference.pp=") + pp,
                       std::string("inference.max_batch=") + batch});
  };
  const InferenceResult one = run("1", "1");
  const InferenceResult two = run("2", "2");
  const core::Duration way = two.time_per_output_token() - one.time_per_output_token();
  EXPECT_GT(way.base(), 0.0);
  EXPECT_LT(way / one.time_per_output_token(), 0.05);
  EXPECT_NEAR(two.cycle.requests_per_s() / one.cycle.requests_per_s(), 2.0, 0.1);
  EXPECT_NEAR(two.decode.bandwidth / one.decode.bandwidth, 1.0, 1e-12);
}

TEST(OverNodes, StagesLeaveRoomForMoreRequests) {
  const InferenceResult one = over_nodes({"inference.tp=1"});
  const InferenceResult two = over_nodes({"inference.tp=1", "inference.pp=2"});
  EXPECT_GT(two.largest_batch, 2 * one.largest_batch);
  EXPECT_EQ(two.nodes_for_load, 1);
}

// A simulated run of stages answers at the rate of the mean iteration.
TEST(OverNodes, ARunOfStagesIsTheSteadyRate) {
  const InferenceResult result = over_nodes(
      {"inference.tp=2", "inference.pp=2", "inference.load.replicas=1", "inference.max_batch=256",
       "inference.load.arrivals=at_once", "inference.load.requests=20000"});
  EXPECT_NEAR(result.run->requests_per_s / result.cycle.requests_per_s(), 1.0, 0.04);
  EXPECT_EQ(result.run->num_replicas, 1);
  EXPECT_NEAR(result.run->mean_batch, 256.0, 4.0);
}

// Layers cut over two nodes send sums through the NIC, which the nodes' four accelerators share.
TEST(OverNodes, LayersCutOverNodesWaitForTheNetwork) {
  const InferenceResult inside = over_nodes({"inference.tp=4"});
  const InferenceResult across = over_nodes({"inference.tp=8", "inference.max_batch=64"});
  const InferenceResult wide =
      over_nodes({"inference.tp=8", "inference.max_batch=64", "cluster.node.nics.count=2"});
  EXPECT_GT(across.decode.communication, inside.decode.communication);
  EXPECT_LT(wide.decode.communication, across.decode.communication);
  EXPECT_EQ(across.num_nodes, 3);  // two of the replica, one redundant
}

// Experts over two nodes: each token's copies cross once, or all are gathered.
TEST(OverNodes, ExpertsOverNodesHoldTheMixture) {
  const Settings mixture{"inference.model=mixtral-8x22b", "inference.attention_dp=true",
                         "inference.redundant_nodes=0"};
  const InferenceResult inside = over_nodes(with(mixture, {"inference.tp=4"}));
  const InferenceResult across = over_nodes(with(mixture, {"inference.tp=8"}));
  ASSERT_TRUE(across.feasible()) << across.infeasible.front();
  EXPECT_LT(across.memory.lines[0].size, inside.memory.lines[0].size);
  EXPECT_EQ(across.nodes_for_load, 2);
}

// Two halves of the requests hide the exchange of their experts, where it is longer than what two
// halves cost more; nothing else changes.
TEST(OverNodes, HalvesHideTheExchange) {
  const Settings wide{"inference.model=mixtral-8x22b",
                      "inference.attention_dp=true",
                      "inference.tp=16",
                      "inference.max_batch=4096",
                      "inference.prompt_tokens=100",
                      "inference.redundant_nodes=0"};
  const InferenceResult one = over_nodes(wide);
  const InferenceResult two = over_nodes(with(wide, {"inference.engine.overlaps_exchange=true"}));
  EXPECT_LT(two.decode.total(), one.decode.total());
  EXPECT_LT(two.decode.communication, one.decode.communication);
  const core::Duration work = one.decode.total() - one.decode.communication - one.decode.host;
  EXPECT_GE(two.decode.total(), std::max(work, one.decode.communication));
  const Settings dense{"inference.tp=4"};
  EXPECT_EQ(over_nodes(with(dense, {"inference.engine.overlaps_exchange=true"})).decode.total(),
            over_nodes(dense).decode.total());
}

TEST(OverNodes, RefusesWhatCannotBe) {
  const auto problems = [](const Settings& settings) -> std::string {
    try {
      test::inference(settings);
    } catch (const core::ConfigError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(problems({"inference.pp=40"}).find("40 stages of 32 layers"), std::string::npos);
  EXPECT_NE(problems({"inference.tp=32"}).find("32 accelerators of a replica of the 16"),
            std::string::npos);
  EXPECT_NE(problems({"inference.pp=2", "inference.disaggregated={}"}).find("leave pp or"),
            std::string::npos);
}

// In a rack each token goes to its experts alone: more accelerators answer about as much each,
// where the host is as quick as they are.
TEST(Rack, WiderExpertsAnswerAboutAsMuchOnAnAccelerator) {
  double before = 0.0;
  for (const int tp : {9, 18, 36}) {
    const InferenceResult result = simulate(test::inference(
        {"inference.model=deepseek-r1", "inference.weights=fp4", "inference.kv_cache=fp8",
         "inference.prompt_tokens=128", "inference.output_tokens=2000", "inference.expert_skew=0",
         "inference.attention_dp=true", "inference.tp=" + std::to_string(tp),
         "inference.max_batch=" + std::to_string(64 * tp), "inference.engine.host_launch=0 us",
         "cluster.node=gb200-nvl72", "cluster.fabric.topology=rail_optimized"}));
    ASSERT_GT(result.accelerator_tokens_per_s, 0.0);
    EXPECT_GT(result.accelerator_tokens_per_s, 0.95 * before) << tp;
    before = result.accelerator_tokens_per_s;
  }
}

}  // namespace
}  // namespace railwright::simulation
