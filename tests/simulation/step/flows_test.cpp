// SPDX-License-Identifier: Apache-2.0
// What steps with experts, shared sequences and sharded states put on the fabric.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "../../support/scenario.hpp"
#include "fold_checks.hpp"
#include "railwright/models/collective/communicator.hpp"
#include "railwright/models/kernel/expert_exchange.hpp"
#include "railwright/simulation/closed_form/estimate.hpp"
#include "railwright/simulation/step/step.hpp"

namespace railwright::simulation {
namespace {

using test::BuiltScenario;

test::Settings mixtral_step(const std::string& parallelism, const test::Settings& more = {}) {
  return test::join(
      {"workload={model: mixtral-8x7b, sequence_length: 4096, global_batch: 128, "
       "micro_batch: 1, steps: 1}",
       "cluster.nodes=4", "cluster.node.accelerator.memory={value: 1 TB, source: test}",
       "parallelism={" + parallelism + "}"},
      more);
}

std::map<core::LinkId, double> loads(const std::vector<models::CollectiveFlow>& flows) {
  std::map<core::LinkId, double> sum;
  for (const auto& flow : flows) {
    for (const core::LinkUse& use : flow.route) sum[use.link] += use.coefficient;
  }
  return sum;
}

TEST(Flows, PartsOfAnExpertExchangeMakeTheWhole) {
  const BuiltScenario built(mixtral_step("ep: 8"));
  const GroupCalls& calls = built.costs.calls[static_cast<std::size_t>(LayerCall::kExpert)];
  ASSERT_EQ(calls.flows.size(), 32U);
  EXPECT_EQ(calls.bytes, 2LL * 4096 * 4096 * 2);
  std::vector<models::CollectiveFlow> whole;
  for (int node = 0; node < 4; ++node) {
    std::vector<int> members;
    for (int i = 0; i < 8; ++i) members.push_back(8 * node + i);
    whole.push_back(models::Communicator(built.built.fabric, members,
                                         built.checked.scenario.software.collectives)
                        .flow(models::CollectiveOp::kAllToAll, static_cast<double>(calls.bytes)));
  }
  const auto parts = loads(calls.flows);
  for (const auto& [link, load] : loads(whole)) EXPECT_NEAR(parts.at(link), load, 1e-12);
}

/// DeepEP's kernels inside a node, and the bytes that leave it.
class ExpertExchangeFlow : public testing::Test {
 protected:
  static constexpr auto kExpert = static_cast<std::size_t>(LayerCall::kExpert);

  static BuiltScenario built(const std::string& parallelism, const std::string& dispatcher) {
    return BuiltScenario(mixtral_step(
        parallelism, {"workload.model=deepseek-v3", "software.expert_dispatcher=" + dispatcher}));
  }
  /// Of a byte of the buffers of all members, what goes through adapters.
  static double through_adapters(const BuiltScenario& built) {
    double sum = 0.0;
    for (const auto& [link, load] : loads(built.costs.calls[kExpert].flows)) {
      const core::Link& of = built.built.fabric.links()[static_cast<std::size_t>(link)];
      if (of.tier == core::Tier::kInjection) sum += load;
    }
    return sum;
  }
  static double time_of_call(const BuiltScenario& built) {
    const GroupCalls& calls = built.costs.calls[kExpert];
    return models::isolated_time(models::merge(calls.flows), static_cast<double>(calls.bytes),
                                 built.costs.capacity)
        .base();
  }
};

TEST_F(ExpertExchangeFlow, TakesItsKernelsTimeInsideANode) {
  const BuiltScenario one = built("ep: 8", "deepep");
  const core::Accelerator device = one.checked.scenario.running_accelerator();
  const models::ExpertExchangeShape shape{.num_tokens = 4096,
                                          .token_bytes = 2LL * 7168,
                                          .top_k = 8,
                                          .num_experts = 256,
                                          .num_nodes = 1,
                                          .per_node = 8,
                                          .groups = 8,
                                          .top_groups = 4};
  const auto of = [&](models::ExpertExchangeOp op, models::ExpertExchangeKernel kernel) {
    return models::expert_exchange_time(device, *device.kernels->expert_exchange, kernel, op, shape)
        .base();
  };
  double expected = 0.0;
  for (const auto op : {models::ExpertExchangeOp::kDispatch, models::ExpertExchangeOp::kCombine}) {
    expected += 0.5 * std::min(of(op, models::ExpertExchangeKernel::kThroughput),
                               of(op, models::ExpertExchangeKernel::kScaleUp));
  }
  EXPECT_NEAR(time_of_call(one) / expected, 1.0, 0.02);
  EXPECT_EQ(through_adapters(one), 0.0);
}

/// Eight experts in four of eight groups, two of them a node: a token reaches 2.9 of four nodes, of
/// which 2.2 are others, where six of its eight copies leave.
TEST_F(ExpertExchangeFlow, ATokenGoesToANodeOnce) {
  const double once = through_adapters(built("ep: 32", "deepep"));
  const double copies = through_adapters(built("ep: 32", "all_to_all"));
  EXPECT_NEAR(once / copies, 2.2 / 6.0, 0.02);
  EXPECT_LT(time_of_call(built("ep: 32", "deepep")), time_of_call(built("ep: 32", "all_to_all")));
}

/// The router chooses four of eight groups: on eight nodes a token reaches at most four of them.
TEST_F(ExpertExchangeFlow, TheRoutersGroupsBoundTheNodesOfAToken) {
  const auto with_groups = [](int groups, int top_groups, const std::string& dispatcher) {
    return BuiltScenario(mixtral_step(
        "ep: 64", {"workload.model=deepseek-v3", "workload.global_batch=256", "cluster.nodes=8",
                   "workload.model.experts.groups=" + std::to_string(groups),
                   "workload.model.experts.top_groups=" + std::to_string(top_groups),
                   "software.expert_dispatcher=" + dispatcher}));
  };
  const BuiltScenario limited = with_groups(8, 4, "deepep");
  const BuiltScenario free = with_groups(1, 1, "deepep");
  EXPECT_LT(through_adapters(limited) / through_adapters(free), 0.75);
  EXPECT_LT(time_of_call(limited), 0.45 * time_of_call(free));
  EXPECT_LT(time_of_call(limited), time_of_call(with_groups(8, 4, "all_to_all")));
}

/// An adapter of twice the rate behind the same PCIe link moves no more.
TEST_F(ExpertExchangeFlow, ThePcieLinkOfAnAcceleratorBoundsIt) {
  const auto with = [](const test::Settings& rates) {
    return BuiltScenario(mixtral_step(
        "ep: 32", test::join({"workload.model=deepseek-v3", "software.expert_dispatcher=deepep",
                              "cluster.node.nics.nic={line_rate: 1600 Gb/s, pcie_bandwidth: 200 "
                              "GB/s}"},
                             rates)));
  };
  const double slow = time_of_call(with({"cluster.node.accelerator.pcie_bandwidth=50 GB/s"}));
  EXPECT_NEAR(slow / time_of_call(with({"cluster.node.accelerator.pcie_bandwidth=50 GB/s",
                                        "cluster.node.nics.nic.line_rate=800 Gb/s"})),
              1.0, 1e-6);
  EXPECT_GT(slow, 1.1 * time_of_call(with({"cluster.node.accelerator.pcie_bandwidth=200 GB/s"})));
}

TEST(Flows, ARingCarriesTheKeysAndValuesOfTheWholeSequence) {
  const BuiltScenario built(mixtral_step("tp: 2, cp: 4, sequence_parallel: true"));
  const GroupCalls& calls = built.costs.calls[static_cast<std::size_t>(LayerCall::kContext)];
  ASSERT_EQ(calls.flows.size(), 16U);
  // 8 key-value heads of 128 elements over tp 2, keys and values, two bytes.
  EXPECT_EQ(calls.bytes, 4LL * 128 * 2 * 2 * 4096);
  EXPECT_EQ(built.costs.calls[0].bytes, 2LL * 4096 * 4096 / 4);
}

test::Settings swapping(const std::string& exchange, int ranks = 1) {
  return {"software.context_exchange={value: " + exchange + ", source: test}",
          "software.context_swap_ranks={value: " + std::to_string(ranks) + ", source: test}"};
}

TEST(Flows, RanksThatSwapSendQueriesKeysValuesAndOutputs) {
  const std::string layout = "tp: 2, cp: 4, sequence_parallel: true";
  const BuiltScenario built(mixtral_step(layout, swapping("all_to_all")));
  const GroupCalls& calls = built.costs.calls[static_cast<std::size_t>(LayerCall::kContext)];
  EXPECT_TRUE(calls.is_swap);
  // Of 4,096 / 4 tokens, 16 heads each of queries and outputs, and 4 each of keys and values.
  EXPECT_EQ(calls.bytes, (16LL + 16 + 4 + 4) * 128 * 2 * 4096 / 4);
  std::vector<models::CollectiveFlow> whole;
  for (int first = 0; first < 32; first += 8) {
    for (int tensor = 0; tensor < 2; ++tensor) {
      std::vector<int> members;
      for (int i = 0; i < 4; ++i) members.push_back(first + 2 * i + tensor);
      whole.push_back(models::Communicator(built.built.fabric, members,
                                           built.checked.scenario.software.collectives)
                          .flow(models::CollectiveOp::kAllToAll, static_cast<double>(calls.bytes)));
    }
  }
  const auto parts = loads(calls.flows);
  for (const auto& [link, load] : loads(whole)) EXPECT_NEAR(parts.at(link), load, 1e-12);
}

/// Groups of one rank swap nothing, and a group of all goes round nothing. A call of both has the
/// mean of a ring's passes.
TEST(Flows, SwapsAndRingsMeetAtTheirEnds) {
  const auto time_of_call = [](const test::Settings& settings) {
    const BuiltScenario built(mixtral_step("cp: 4", settings));
    const GroupCalls& calls = built.costs.calls[static_cast<std::size_t>(LayerCall::kContext)];
    return models::isolated_time(calls.flows.front(), static_cast<double>(calls.bytes),
                                 built.costs.capacity);
  };
  EXPECT_NEAR(time_of_call(swapping("all_to_all_ring", 1)) / time_of_call(swapping("ring")), 1.5,
              1e-9);
  EXPECT_EQ(time_of_call(swapping("all_to_all_ring", 4)), time_of_call(swapping("all_to_all")));
  EXPECT_GT(time_of_call(swapping("all_to_all_ring", 2)), time_of_call(swapping("all_to_all")));
}

TEST(Flows, RanksThatSwapNeedHeads) {
  EXPECT_THROW(BuiltScenario(mixtral_step("cp: 16", swapping("all_to_all_ring", 3))),
               core::ConfigError);
  EXPECT_THROW(BuiltScenario(mixtral_step(
                   "tp: 4, cp: 8, sequence_parallel: true",
                   test::join(swapping("all_to_all"), {"workload.model.num_heads=16"}))),
               core::ConfigError);
}

TEST(Flows, ExpertsAreReducedAmongTheirOwnReplicas) {
  const BuiltScenario built(mixtral_step("ep: 8"));
  const auto& syncs = built.costs.stages[0].syncs;
  ASSERT_EQ(syncs.size(), 2U);
  std::int64_t dense = 0;
  std::int64_t expert = 0;
  for (const Bucket& bucket : syncs[0].buckets) dense += bucket.parameter_bytes;
  for (const Bucket& bucket : syncs[1].buckets) expert += bucket.parameter_bytes;
  const auto& model = models::transformer_of(built.checked.scenario.workload);
  const std::int64_t experts = 32LL * 8 * 3 * 4096 * 14336;
  EXPECT_EQ(expert, 2 * experts / 8);
  EXPECT_EQ(dense, 2 * (models::num_parameters(model) - experts));
}

TEST(Flows, HybridShardingGathersWithinItsGroup) {
  const BuiltScenario built(mixtral_step("zero_group: 8"));
  for (const core::LinkUse& use : built.costs.stages[0].syncs[0].parameter_gather.route) {
    const auto tier = built.built.fabric.links()[static_cast<std::size_t>(use.link)].tier;
    EXPECT_NE(tier, core::Tier::kInjection);
  }
  bool crosses = false;
  for (const core::LinkUse& use : built.costs.stages[0].syncs[0].gradient_sync.route) {
    const auto tier = built.built.fabric.links()[static_cast<std::size_t>(use.link)].tier;
    crosses = crosses || tier == core::Tier::kInjection;
  }
  EXPECT_TRUE(crosses);
}

test::Settings zero3(const std::string& more) {
  return {"software.zero_stage={value: 3, source: test}", "software.sync_every_microbatch=" + more};
}

const test::Settings kZero2{"software.zero_stage={value: 2, source: test}"};

/// Ranks that hold a share of the gradients have no room to sum whole ones.
/// [deepspeed/runtime/zero/stage_1_and_2.py]
TEST(Flows, DividedGradientsAreReducedInEveryMicroBatch) {
  EXPECT_FALSE(BuiltScenario(mixtral_step("tp: 1")).costs.reduces_every_microbatch);
  const BuiltScenario divided(mixtral_step("tp: 1", kZero2));
  EXPECT_TRUE(divided.costs.reduces_every_microbatch);
  EXPECT_FALSE(divided.costs.gathers_every_pass);
  EXPECT_FALSE(BuiltScenario(mixtral_step("tp: 1, pp: 2", kZero2)).costs.reduces_every_microbatch);
}

/// Ranks that cut all experts among them gather copies where the dispatcher makes these first, and
/// tokens where it does not; whole experts over nodes gather none.
/// [megatron/core/transformer/moe/token_dispatcher.py]
TEST(Flows, CutExpertsGatherCopiesThatTheAllToAllDispatcherMade) {
  const auto gathers = [](const std::string& parallelism, const std::string& dispatcher) {
    const BuiltScenario built(
        mixtral_step(parallelism + ", sequence_parallel: true",
                     {"software.expert_dispatcher=" + dispatcher, "software.recompute=none"}));
    constexpr std::size_t kSecondLayer = 1;
    return built.costs.stages[0]
        .forward[kSecondLayer]
        .calls[static_cast<std::size_t>(LayerCall::kTensor)];
  };
  EXPECT_EQ(gathers("tp: 8", "all_to_all"), 3.0);
  EXPECT_EQ(gathers("tp: 8", "deepep"), 2.0);
  EXPECT_EQ(gathers("tp: 2, ep: 4", "all_to_all"), 3.0);
  EXPECT_EQ(gathers("tp: 2, ep: 8, etp: 1", "all_to_all"), 1.0);
}

/// Activations of fp8 are casts of 16 bits within products; those of tf32 are 4 bytes wide.
TEST(Flows, RanksSendTheBytesOfActivations) {
  const auto bytes = [](const std::string& precision) {
    const BuiltScenario built(mixtral_step("tp: 2, cp: 2, ep: 4, sequence_parallel: true",
                                           {"software.precision=" + precision}));
    std::vector<std::int64_t> of_calls;
    for (const GroupCalls& call : built.costs.calls) of_calls.push_back(call.bytes);
    return of_calls;
  };
  const std::vector<std::int64_t> half = bytes("bf16");
  EXPECT_EQ(bytes("fp8"), half);
  const std::vector<std::int64_t> whole = bytes("tf32");
  ASSERT_EQ(half.size(), kNumLayerCalls);
  for (std::size_t call = 0; call < kNumLayerCalls; ++call) {
    EXPECT_GT(half[call], 0);
    EXPECT_EQ(whole[call], 2 * half[call]);
  }
}

struct Case {
  const char* name;
  test::Settings settings;
  double max_off;  ///< of the estimate
};

std::vector<Case> cases() {
  return {{"experts in a node", mixtral_step("ep: 8"), 0.05},
          {"experts over nodes", mixtral_step("ep: 8, rank_order: tp-cp-dp-ep-pp"), 0.05},
          {"experts cut", mixtral_step("tp: 2, ep: 4, sequence_parallel: true"), 0.05},
          {"experts cut alone", mixtral_step("tp: 8, sequence_parallel: true"), 0.05},
          {"experts whole", mixtral_step("tp: 2, ep: 8, etp: 1, sequence_parallel: true"), 0.05},
          {"shared sequences", mixtral_step("cp: 2"), 0.05},
          {"sequences over nodes", mixtral_step("cp: 16"), 0.05},
          {"swapped over nodes", mixtral_step("cp: 16", swapping("all_to_all")), 0.05},
          {"swapped in nodes", mixtral_step("cp: 16", swapping("all_to_all_ring", 8)), 0.05},
          {"all", mixtral_step("tp: 2, cp: 2, ep: 4, pp: 2, sequence_parallel: true"), 0.05},
          {"gpipe", mixtral_step("pp: 4, schedule: gpipe"), 0.05},
          {"hybrid sharding", mixtral_step("zero_group: 8"), 0.05},
          {"gradients divided", mixtral_step("tp: 1", kZero2), 0.25},
          {"fully sharded", mixtral_step("tp: 1", zero3("true")), 0.25},
          {"fully sharded, once reduced", mixtral_step("tp: 1", zero3("false")), 0.15},
          {"fully sharded in groups", mixtral_step("zero_group: 8", zero3("true")), 0.15}};
}

TEST(Flows, FoldedAndUnfoldedStepsAreTheSame) {
  for (const Case& c : cases()) {
    const BuiltScenario built(c.settings);
    test_fold::expect_same_step(built, c.name);
  }
}

TEST(Flows, TheEstimateFollowsTheSimulation) {
  for (const Case& c : cases()) {
    const BuiltScenario built(c.settings);
    const double simulated = simulate_step(built.costs).step_time.base();
    const double estimated = estimate_step(built.costs).total().base();
    EXPECT_NEAR(estimated / simulated, 1.0, c.max_off) << c.name;
  }
}

}  // namespace
}  // namespace railwright::simulation
