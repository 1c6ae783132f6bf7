// SPDX-License-Identifier: Apache-2.0
// Times of passes: sums of kernels, between what their bytes and operations take at the peak and
// what the kernels alone take.
#include "railwright/models/inference/passes.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "../../support/inference.hpp"
#include "../../support/pass_time.hpp"
#include "railwright/models/inference/footprint.hpp"
#include "railwright/models/kernel/attention.hpp"
#include "railwright/models/kernel/gemm.hpp"

namespace railwright::models {
namespace {

using Settings = std::vector<std::string>;

struct Bench {
  explicit Bench(const Settings& settings)
      : checked(test::inference(settings)), device(checked.cluster.cluster.node.accelerator) {}

  [[nodiscard]] PassTime time(const TokenPass& pass, const ReplicaLayout& layout = {}) const {
    return pass_time(device, checked.inference, layout, pass);
  }

  simulation::CheckedInference checked;
  core::Accelerator device;
};

constexpr double kLayerMatrices = 4096.0 * (4 * 4096 + 3 * 11008);  // of Llama 2 7B

TEST(Passes, OneTokenReadsEveryWeightAndTheCache) {
  const Bench bench({});
  const PassTime time = bench.time(decode_pass(1, 500));
  const double bytes = 2 * (32 * kLayerMatrices + 32000.0 * 4096) + 500 * 32 * 2 * 4096 * 2.0;
  const double peak = bytes / bench.device.memory_bandwidth.value.base();
  EXPECT_GT(time.bandwidth.base(), peak);
  EXPECT_LT(time.bandwidth.base(), 1.35 * peak);
  EXPECT_EQ(time.compute.base(), 0.0);
}

// One of each head, two of the whole, in each of 32 layers.
TEST(Passes, NormsOfQueriesAndKeysAreKernels) {
  const auto gaps = [](const std::string& norm) {
    const Bench bench({"inference.model.query_key_norm=" + norm});
    return layers_time(bench.device, bench.checked.inference, {}, 8.0, 8.0).gaps /
           bench.device.kernel_overhead.value;
  };
  EXPECT_NEAR(gaps("head") - gaps("none"), 32.0, 1e-6);
  EXPECT_NEAR(gaps("whole") - gaps("none"), 64.0, 1e-6);
}

// Of Qwen3-Next's 48 layers 12 attend; the others carry a state.
TEST(Passes, NormsOfQueriesAndKeysAreOfLayersThatAttend) {
  const auto gaps = [](const std::string& norm) {
    const Bench bench(
        {"inference.model=qwen3-next-80b-a3b", "inference.model.query_key_norm=" + norm});
    return layers_time(bench.device, bench.checked.inference, {}, 8.0, 8.0).gaps /
           bench.device.kernel_overhead.value;
  };
  EXPECT_NEAR(gaps("head") - gaps("none"), 12.0, 1e-6);
}

TEST(Passes, ALayerIsTheSumOfItsKernels) {
  const Bench bench({});
  const double rows = 4096.0;
  const PassTime layers = layers_time(bench.device, bench.checked.inference, {}, rows, rows);
  core::Duration products;
  for (const auto& [columns, inner] :
       {std::pair{3 * 4096, 4096}, {4096, 4096}, {2 * 11008, 4096}, {4096, 11008}}) {
    products += gemm_time(bench.device, gemm_of(4096, columns, inner));
  }
  // Two norms with their residual, four accesses each, and the activation of three, in 16 bits.
  const double streamed = rows * 2.0 * (2 * 4 * 4096 + 3 * 11008);
  const core::Duration elementwise =
      core::DataSize::from_base(streamed) /
      (bench.device.memory_bandwidth.value * bench.device.memory_efficiency.value);
  EXPECT_NEAR((layers.compute + layers.bandwidth) / ((products + elementwise) * 32.0), 1.0, 1e-12);
  // Four launches of products and three of the kernels between them.
  EXPECT_NEAR(layers.gaps.base(),
              32 * (4 * bench.device.kernels->gemm.bf16.launch_time.base() +
                    3 * bench.device.kernel_overhead.value.base()),
              1e-12);
}

// Norms behind all-reduces have no launch of their own where the engine joins both.
TEST(Passes, JoinedNormsHaveNoGaps) {
  const auto gaps = [](const std::string& generations, const ReplicaLayout& layout) {
    const Bench bench({"inference.engine.fuses_all_reduce=" + generations});
    return layers_time(bench.device, bench.checked.inference, layout, 8, 8).gaps.base();
  };
  const ReplicaLayout four{.size = 4};
  const double overhead = Bench({}).device.kernel_overhead.value.base();
  EXPECT_NEAR(gaps("[]", four) - gaps("[hopper]", four), 32 * 2 * overhead, 1e-12);
  EXPECT_EQ(gaps("[ampere]", four), gaps("[]", four));
  EXPECT_EQ(gaps("[hopper]", {}), gaps("[]", {}));
}

TEST(Passes, NarrowWeightsAreReadFaster) {
  const TokenPass one = decode_pass(1, 1);
  const core::Duration wide = Bench({}).time(one).bandwidth;
  const core::Duration narrow = Bench({"inference.weights=fp8"}).time(one).bandwidth;
  // Where the device cannot multiply a format, its weights are read and widened.
  const core::Duration alone = Bench({"inference.weights=fp4"}).time(one).bandwidth;
  EXPECT_LT(narrow, wide * 0.65);
  EXPECT_LT(alone, wide * 0.45);
}

TEST(Passes, PiecesBesideDecodeStepsShareTheWeights) {
  const Bench bench({});
  const TokenPass decode = decode_pass(64, 1000);
  TokenPass piece = prefill_pass(500);
  TokenPass both = piece;
  both.decodes = decode.decodes;
  both.context = decode.context;
  EXPECT_EQ(both.tokens(), 564);
  const core::Duration together = bench.time(both).total();
  EXPECT_GT(together, std::max(bench.time(decode).total(), bench.time(piece).total()));
  EXPECT_LT(together, bench.time(decode).total() + bench.time(piece).total());
}

TEST(Passes, AnInterruptedPromptAttendsToWhatPassedBefore) {
  const Bench bench({});
  const TokenPass second{.prompts = 1, .prompt_tokens = 4000, .prompt_keys = 8000};
  EXPECT_GT(bench.time(second).total(), bench.time(prefill_pass(4000)).total());
  EXPECT_LT(bench.time(second).total(), bench.time(prefill_pass(8000)).total());
}

TEST(Passes, RanksShareTheWork) {
  const Bench bench({"inference.model=llama-2-70b", "inference.engine.fuses_all_reduce=[]"});
  const PassTime one = bench.time(prefill_pass(4000));
  const PassTime eight = bench.time(prefill_pass(4000), {.size = 8});
  EXPECT_GT(one.compute / eight.compute, 6.5);  // of 8: smaller products fill the device less
  EXPECT_LE(one.compute / eight.compute, 8.3);  // tables of shapes reach a little over it
  EXPECT_EQ(one.gaps, eight.gaps);
}

TEST(Passes, WhoAttendsByItselfPassesItsOwnTokens) {
  const Bench bench({"inference.model=qwen3-30b-a3b"});
  const ReplicaLayout layout{.size = 4, .attention_dp = true, .ep = 4};
  const TokenPass of_all = decode_pass(64, 1000);
  const TokenPass own = decode_pass(16, 1000);
  const Inference& inference = bench.checked.inference;
  EXPECT_EQ(decode_attention_time(bench.device, inference, layout, of_all).total(),
            decode_attention_time(bench.device, inference, {}, own).total());
  EXPECT_EQ(head_time(bench.device, inference, layout, 64).total(),
            head_time(bench.device, inference, {}, 16).total());
  // A quarter of the experts, all of which have tokens, is read in less than all of them.
  EXPECT_LT(layers_time(bench.device, inference, layout, 64, 64).total(),
            layers_time(bench.device, inference, {}, 64, 64).total());
}

// A prompt passes on one accelerator whole, however many share the requests.
TEST(Passes, ThePromptOfOneAcceleratorIsNotSpreadOverAll) {
  const TokenPass pass{
      .prompts = 1.0, .prompt_tokens = 1000.0, .prompt_keys = 1000.0, .decodes = 30.0};
  EXPECT_EQ(pass.tokens_of_rank(1), 1030.0);
  EXPECT_EQ(pass.tokens_of_rank(8), 1004.0);
  EXPECT_EQ((TokenPass{.prompts = 1.5, .prompt_tokens = 100.0}).tokens_of_rank(1), 150.0);
}

TEST(Passes, AnIterationRunsAsTheNextLargerGraph) {
  ServingEngine engine;
  engine.max_graph_batch.value = 300;
  engine.graph_batches = {1, 2, 4, 256, 512};
  EXPECT_EQ(engine.captured_batch(1), 1);
  EXPECT_EQ(engine.captured_batch(3), 4);
  EXPECT_EQ(engine.captured_batch(5), 256);
  EXPECT_EQ(engine.captured_batch(257), 300);  // the largest has a graph, too
  EXPECT_EQ(engine.captured_batch(301), std::nullopt);
  engine.graph_batches = {};
  EXPECT_EQ(engine.captured_batch(257), 257);
}

TEST(Passes, LatentAttentionReadsTheNarrowVector) {
  const Bench bench({"inference.model=deepseek-v3"});
  const double keys = 1e6;
  const PassTime time =
      decode_attention_time(bench.device, bench.checked.inference, {}, decode_pass(8, keys));
  const double bytes = 8 * keys * 61 * (512 + 64) * 2;
  EXPECT_GT(time.total().base(), bytes / bench.device.memory_bandwidth.value.base());
  EXPECT_LT(time.total().base(), 2.0 * bytes / bench.device.memory_bandwidth.value.base());
}

TEST(Passes, AllReducesAreTwoALayerAndOneBehindTheEmbedding) {
  const Bench bench({});
  EXPECT_EQ(num_all_reduces(bench.checked.inference.model), 65);
  EXPECT_EQ(all_reduce_size(bench.checked.inference.model, 3).base(), 3 * 4096 * 2.0);
}

// Half the bytes of the weights are never slower to read at the batches of users who wait.
TEST(Passes, Fp4IsNotSlowerThanFp8OnB200) {
  for (const char* model : {"llama-3.3-70b", "deepseek-v3", "qwen3-235b-a22b"}) {
    const Settings base{std::string("inference.model=") + model, "cluster.node=dgx-b200",
                        "inference.kv_cache=fp8"};
    Settings fp4 = base;
    fp4.emplace_back("inference.weights=fp4");
    Settings fp8 = base;
    fp8.insert(fp8.end(), {"inference.weights=fp8", "inference.block_scales=true"});
    const Bench narrow(fp4);
    const Bench wide(fp8);
    for (const double batch : {1.0, 4.0, 16.0, 64.0, 128.0}) {
      const TokenPass pass = decode_pass(batch, 2000);
      EXPECT_LT(narrow.time(pass, {.size = 8}).total(), wide.time(pass, {.size = 8}).total() * 1.03)
          << model << " at " << batch;
    }
  }
}

TEST(Passes, WhatIsNoExpertKeepsSixteenBitsBesideNarrowExperts) {
  const Settings fp4{"inference.model=gpt-oss-120b", "inference.weights=fp4",
                     "cluster.node=dgx-b200"};
  Settings all = fp4;
  all.emplace_back("inference.dense_weights=fp4");
  const Bench mixed(fp4);
  const Bench narrow(all);
  EXPECT_EQ(mixed.checked.inference.dense_format(), core::Precision::kFp16);
  EXPECT_GT(mixed.time(decode_pass(1, 500)).bandwidth, narrow.time(decode_pass(1, 500)).bandwidth);
  const Transformer& model = mixed.checked.inference.model;
  EXPECT_GT(dense_weights_beyond(model, {}, core::Precision::kFp4, core::Precision::kFp16).base(),
            0.0);
  EXPECT_EQ(dense_weights_beyond(model, {}, core::Precision::kFp4, core::Precision::kFp4).base(),
            0.0);
}

// Each engine launches its own kernels beside attention: the gaps of as many, in each layer.
TEST(Passes, KernelsBesideAttentionAreGaps) {
  const Bench none({"inference.engine.attention_kernels=0"});
  const Bench two({"inference.engine.attention_kernels=2"});
  const TokenPass pass = decode_pass(4, 500);
  EXPECT_NEAR((two.time(pass).gaps - none.time(pass).gaps).base(),
              32 * 2 * two.device.kernel_overhead.value.base(), 1e-12);
}

}  // namespace
}  // namespace railwright::models
