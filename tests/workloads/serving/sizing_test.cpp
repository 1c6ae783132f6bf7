// SPDX-License-Identifier: Apache-2.0
// How many nodes a load needs, and what does not fit.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <string>

#include "../../support/inference.hpp"
#include "railwright/models/inference/footprint.hpp"
#include "railwright/output/json/json.hpp"
#include "railwright/output/text/text.hpp"
#include "railwright/output/text/verdict.hpp"

namespace railwright::simulation {
namespace {

using Settings = std::vector<std::string>;

InferenceResult result_of(const Settings& settings) { return simulate(test::inference(settings)); }

TEST(Sizing, TheBatchFillsTheMemoryAndNotOneMore) {
  const InferenceResult result = result_of({"inference.tp=1"});
  ASSERT_TRUE(result.feasible());
  EXPECT_EQ(result.batch_limit, BatchLimit::kMemory);
  const double cache = 1101.0 * 2 * 32 * 4096 * 2;
  const double logits = 32000.0 * 4;
  const double prompt = 1000 * 2.0 * (3 * 4096 + 2 * 11008) + logits;
  const double room = 0.9 * 81559 * 1048576.0 - 2 * 6'738'415'616.0 - prompt;
  EXPECT_EQ(result.largest_batch, static_cast<std::int64_t>(room / cache));
  EXPECT_EQ(result.cycle.batch, static_cast<double>(result.largest_batch));
  EXPECT_LE(result.memory.total(), result.memory_capacity);
}

// Two barriers of a step of NCCL's Simple protocol each; 65 all-reduces of four accelerators.
TEST(Sizing, AllReducesWithoutFlagsHaveBarriers) {
  const auto waits = [](const std::string& generations) {
    return result_of({"inference.tp=4", "inference.max_batch=1",
                      "inference.engine.fuses_all_reduce=" + generations})
        .decode.communication.base();
  };
  const double more = waits("[]") - waits("[hopper]");
  EXPECT_GT(more, 65 * 3.4e-6);
  EXPECT_LE(more, 65 * 2 * 3.4e-6 * (1 + 1e-9));
}

// In each of 32 layers a sum of few bytes with its two barriers, whatever joins all-reduces.
TEST(Sizing, ANormOfAllHeadsIsSummedOverTheAccelerators) {
  const auto waits = [](const std::string& norm, const std::string& tp) {
    return result_of({"inference.tp=" + tp, "inference.max_batch=1",
                      "inference.engine.fuses_all_reduce=[hopper]",
                      "inference.model.query_key_norm=" + norm})
        .decode.communication.base();
  };
  EXPECT_GT(waits("whole", "4") - waits("head", "4"), 32 * 2 * 3.4e-6);
  EXPECT_LT(waits("whole", "4"), 3.0 * waits("head", "4"));
  EXPECT_EQ(waits("head", "4"), waits("none", "4"));
  EXPECT_EQ(waits("whole", "1"), 0.0);
}

TEST(Sizing, PromptsThatRunAsGraphsNeedFewLaunches) {
  const auto prefill = [](const std::string& tokens) {
    return result_of({"inference.tp=1", "inference.prompt_tokens=100",
                      "inference.engine.host_launch=1 ms",
                      "inference.engine.prompt_graph_tokens=" + tokens})
        .prefill.total()
        .base();
  };
  EXPECT_NEAR(prefill("0") - prefill("128"), 32 * (12 - 2) * 1e-3, 1e-9);
  EXPECT_EQ(prefill("99"), prefill("0"));
}

TEST(Sizing, NodesFollowTheLoad) {
  const double one = result_of({"inference.tp=1"}).cycle.requests_per_s();
  const auto at = [&](double load) {
    return result_of({"inference.tp=1", "inference.requests_per_s=" + std::to_string(load)});
  };
  EXPECT_EQ(at(0.99 * one).num_replicas, 1);
  EXPECT_EQ(at(1.01 * one).num_replicas, 2);
  EXPECT_EQ(at(3.99 * one).nodes_for_load, 1);  // four accelerators a node
  EXPECT_EQ(at(4.01 * one).nodes_for_load, 2);
  EXPECT_EQ(at(4.01 * one).num_nodes, 3);  // one in reserve
  const InferenceResult tokens =
      result_of({"inference.tp=1", "inference.tokens_per_s=" + std::to_string(1.01 * one * 101)});
  EXPECT_EQ(tokens.num_replicas, 2);
}

TEST(Sizing, ALatencyMakesTheBatchSmallerAndNotTheNodeFaster) {
  const InferenceResult free = result_of({"inference.tp=1"});
  const double wanted = 0.5 * free.cycle.time_per_output_token().base();
  const InferenceResult bound = result_of(
      {"inference.tp=1", "inference.time_per_output_token=" + std::to_string(wanted) + " s"});
  EXPECT_EQ(bound.batch_limit, BatchLimit::kTimePerOutputToken);
  EXPECT_LT(bound.cycle.batch, free.cycle.batch);
  EXPECT_LE(bound.cycle.time_per_output_token().base(), wanted);
  EXPECT_LT(bound.cycle.requests_per_s(), free.cycle.requests_per_s());
  EXPECT_EQ(bound.largest_batch, free.largest_batch);
  EXPECT_EQ(result_of({"inference.tp=1", "inference.max_batch=7"}).cycle.batch, 7.0);
}

TEST(Sizing, TakesTheDivisionThatNeedsFewestAccelerators) {
  const Settings load{"inference.model=llama-2-70b", "inference.requests_per_s=2"};
  const InferenceResult best = result_of(load);
  for (const int tp : {1, 2, 4}) {
    Settings forced = load;
    forced.push_back("inference.tp=" + std::to_string(tp));
    const InferenceResult other = result_of(forced);
    EXPECT_EQ(other.feasible(), tp > 1) << tp;  // 138 GB of weights
    if (!other.feasible()) continue;
    EXPECT_LE(best.num_accelerators, other.num_accelerators) << tp;
  }
}

TEST(Sizing, SaysByHowMuchAModelDoesNotFit) {
  const Settings large{"inference.model=llama-3.1-405b", "cluster.nodes=1"};
  const InferenceResult result = result_of(large);
  EXPECT_FALSE(result.feasible());
  ASSERT_EQ(result.infeasible.size(), 1U);
  const models::Transformer model = test::inference(large).inference.model;
  EXPECT_EQ(result.memory.lines[0].size,
            models::weights_on_rank(model, {.size = 4}, core::Precision::kBf16));
  EXPECT_EQ(
      result.infeasible[0],
      "at tp 4 an accelerator needs 198 GiB of its 79.6 GiB memory for one request, 119 GiB too "
      "much: weights 189 GiB, kv cache 135 MiB, activations 1.16 GiB, reserved 7.96 GiB");
}

TEST(Sizing, SaysByHowMuchALatencyIsMissed) {
  const InferenceResult result =
      result_of({"inference.tp=1", "inference.time_per_output_token=2 ms"});
  ASSERT_EQ(result.infeasible.size(), 1U);
  const std::regex sentence(
      "at tp 1 each further token takes ([0-9.]+) ms with no other request, ([0-9.]+) ms more than "
      "the 2.00 ms wanted");
  std::smatch numbers;
  ASSERT_TRUE(std::regex_match(result.infeasible[0], numbers, sentence)) << result.infeasible[0];
  EXPECT_NEAR(std::stod(numbers[1]) - std::stod(numbers[2]), 2.0, 0.011);
}

TEST(Sizing, SaysHowManyNodesAreMissing) {
  const InferenceResult result = result_of({"inference.tp=1", "inference.requests_per_s=1000"});
  EXPECT_FALSE(result.feasible());
  ASSERT_EQ(result.infeasible.size(), 1U);
  EXPECT_EQ(result.infeasible[0],
            std::to_string(result.num_nodes) + " nodes are needed, " +
                std::to_string(result.nodes_for_load) + " for the load and 1 redundant, " +
                std::to_string(result.num_nodes - 4) + " more than the 4 there are");
}

TEST(Sizing, AnswersAsJsonAndText) {
  const InferenceResult result = result_of({"inference.requests_per_s=1"});
  const auto json = nlohmann::json::parse(output::to_json(result));
  EXPECT_TRUE(json["feasible"]);
  EXPECT_EQ(json["num_nodes"], 2);
  EXPECT_EQ(json["batch_limit"], "memory");
  const auto& parts = json["decode_breakdown"];
  double sum = 0.0;
  for (const auto& part : parts) sum += part.get<double>();
  EXPECT_NEAR(json["decode_s"].get<double>(), sum, 1e-12);
  EXPECT_NE(output::verdict(result).find("; 1 node spare"), std::string::npos);
}

TEST(Sizing, AnEngineThatWasComparedHasAnInterval) {
  const auto with = [](const std::string& engine) {
    return simulate(test::inference({"inference.requests_per_s=60", "inference.redundant_nodes=0",
                                     "cluster.nodes=16", "inference.engine=" + engine}));
  };
  const InferenceResult known = with("tensorrt-llm");
  ASSERT_TRUE(known.throughput);
  EXPECT_LT(known.throughput->low, 1.0);
  EXPECT_GT(known.throughput->high, 1.0);
  // As many nodes as a service of this throughput needs.
  const double rate = known.throughput->low * known.cycle.requests_per_s();
  const double in_node = 4.0 / known.tp;
  EXPECT_EQ(known.num_nodes_high, std::llround(std::ceil(std::ceil(60 / rate) / in_node)));
  EXPECT_GE(known.num_nodes_high, known.num_nodes);
  EXPECT_TRUE(with("vllm").throughput);
  EXPECT_TRUE(with("sglang").throughput);
  // The engine that is meant where none is named.
  EXPECT_TRUE(simulate(test::inference()).throughput);
  EXPECT_EQ(simulate(test::inference()).num_nodes_high, 0) << "no load is wanted";
}

// On B200 fp4 weights meet narrow inputs and int4 ones are multiplied in 16 bits: a prompt takes
// longer, a step of one request reads as much. Blocks of fp8 have casts of their own.
TEST(Sizing, FormatsOfWeightsDiffer) {
  const auto with = [](const Settings& more) {
    Settings settings{"cluster.node=dgx-b200", "inference.model=llama-3.1-8b", "inference.tp=1",
                      "inference.engine.host_launch=0 us"};
    settings.insert(settings.end(), more.begin(), more.end());
    return result_of(settings);
  };
  const InferenceResult fp4 = with({"inference.weights=fp4"});
  const InferenceResult int4 = with({"inference.weights=int4"});
  EXPECT_GT(int4.prefill.total() / fp4.prefill.total(), 1.5);
  EXPECT_EQ(int4.memory.lines[0].size, fp4.memory.lines[0].size);
  const InferenceResult tensor = with({"inference.weights=fp8"});
  const InferenceResult blocks = with({"inference.weights=fp8", "inference.block_scales=true"});
  EXPECT_NE(blocks.prefill.total(), tensor.prefill.total());
  EXPECT_NEAR(blocks.prefill.total() / tensor.prefill.total(), 1.0, 0.4);
}

// Where no graph holds an iteration, the device follows the host: a short prompt takes what its
// launches do, more of them in layers with experts and with latent attention.
TEST(Sizing, ShortPromptsWaitForTheirLaunches) {
  const auto prompt = [](const std::string& model) {
    return result_of({"cluster.node=dgx-b200", "inference.model=" + model, "inference.tp=8",
                      "inference.weights=fp8", "inference.prompt_tokens=16",
                      "inference.engine.host_launch=1 ms", "inference.engine.kernels_per_layer=12",
                      "inference.engine.host_iteration=0 ms", "inference.engine.host_request=0 ms"})
        .prefill.total()
        .base();
  };
  EXPECT_NEAR(prompt("llama-3.1-8b"), 1e-3 * 32 * 12, 1e-9);
  // Of 61 layers with latent attention 58 have experts.
  EXPECT_NEAR(prompt("deepseek-r1"), 1e-3 * (61 * (12 + 20) + 58 * 20), 1e-9);
}

}  // namespace
}  // namespace railwright::simulation
