// SPDX-License-Identifier: Apache-2.0
// What a rank holds, against counts by hand.
#include "railwright/models/inference/footprint.hpp"

#include <gtest/gtest.h>

#include "../../support/inference.hpp"

namespace railwright::models {
namespace {

Transformer model(const std::string& name) {
  return test::inference({"inference.model=" + name}).inference.model;
}

double cache(const std::string& name, int tp) {
  return kv_cache_per_token(model(name), tp, core::Precision::kFp16).base();
}

TEST(Footprint, OneRankHoldsAllParameters) {
  for (const char* name : {"llama-2-7b", "llama-2-70b", "bloom-176b", "dbrx", "deepseek-v3"}) {
    EXPECT_EQ(weights_size(model(name), core::Precision::kBf16).base(),
              2.0 * static_cast<double>(num_parameters(model(name))))
        << name;
  }
}

TEST(Footprint, RanksShareMatricesButNotNorms) {
  const Transformer llama = model("llama-2-70b");
  const double norms = 8192.0 * (2 * 80 + 1);
  const double matrices = static_cast<double>(num_parameters(llama)) - norms;
  EXPECT_EQ(weights_on_rank(llama, {.size = 8}, core::Precision::kBf16).base(),
            2.0 * (matrices / 8 + norms));
}

TEST(Footprint, EmbeddingsAndHeadKeepSixteenBits) {
  const Transformer llama = model("llama-2-70b");
  const double embeddings = 2.0 * 32000 * 8192;
  const double layers = static_cast<double>(num_parameters(llama)) - embeddings;
  EXPECT_EQ(weights_size(llama, core::Precision::kFp4).base(), 0.5 * layers + 2.0 * embeddings);
}

TEST(Footprint, WhoAttendsByItselfHoldsAttentionWholeAndItsShareOfTheExperts) {
  const Transformer mixture = model("qwen3-30b-a3b");
  const double experts = 48.0 * 128 * 3 * 2048 * 768;
  const double others = static_cast<double>(num_parameters(mixture)) - experts;
  const ReplicaLayout layout{.size = 8, .attention_dp = true, .ep = 8};
  EXPECT_EQ(weights_on_rank(mixture, layout, core::Precision::kBf16).base(),
            2.0 * (others + experts / 8));
}

TEST(Footprint, CacheIsKeysAndValuesOfTheHeadsThatThereAre) {
  EXPECT_EQ(cache("llama-2-7b", 1), 32 * 2 * 4096 * 2.0);      // one head each
  EXPECT_EQ(cache("llama-2-70b", 1), 80 * 2 * 8 * 128 * 2.0);  // grouped
  EXPECT_EQ(cache("llama-2-70b", 4), 80 * 2 * 2 * 128 * 2.0);
  EXPECT_EQ(cache("llama-2-70b", 16), 80 * 2 * 1 * 128 * 2.0);  // a rank has at least one head
  for (const int tp : {1, 8}) EXPECT_EQ(cache("deepseek-v3", tp), 61 * (512 + 64) * 2.0) << tp;
}

TEST(Footprint, FewerBytesAnElementAreFewerBytesAToken) {
  const Transformer llama = model("llama-2-7b");
  const double fp16 = kv_cache_per_token(llama, 1, core::Precision::kFp16).base();
  EXPECT_EQ(kv_cache_per_token(llama, 1, core::Precision::kFp8).base(), fp16 / 2);
  EXPECT_EQ(kv_cache_per_token(llama, 1, core::Precision::kFp32).base(), fp16 * 2);
}

TEST(Footprint, ActivationsAreThoseOfTheWidestProduct) {
  // Gate and up of Llama 2 7B: 4096 in, 2 x 11008 out, beside two residual streams.
  const double logits = 32000.0 * 4;
  EXPECT_EQ(activations(model("llama-2-7b"), {}, 100, 3, 0).base(),
            100 * 2.0 * (3 * 4096 + 2 * 11008) + 3 * logits);
}

// Experts of eight accelerators: each token of the eight comes once, its output goes back, and the
// products are of the pairs that fall to this one.
TEST(Footprint, ActivationsOfSharedExpertsAreThoseOfTheirPairs) {
  const Transformer mixtral = model("mixtral-8x7b");
  const ReplicaLayout layout{.size = 8, .attention_dp = true, .ep = 8};
  const double pairs = 100 * 8 * 2 / 8.0 * 5;
  EXPECT_EQ(activations(mixtral, layout, 100, 0, pairs).base(),
            2.0 * (100 * 2.0 * 4096 + 2.0 * 4096 * 800 + pairs * (4096 + 2 * 14336)));
}

TEST(Footprint, TheLargestPieceIsALayerOrTheEmbedding) {
  EXPECT_EQ(largest_streamed_piece(model("bloom-7b1"), {}, core::Precision::kBf16).base(),
            2 * 250880.0 * 4096);
  // The first layers of Llama 2 70B are larger than its embedding of 32000 x 8192.
  const double h = 8192.0;
  EXPECT_EQ(largest_streamed_piece(model("llama-2-70b"), {}, core::Precision::kBf16).base(),
            2 * (h * (10240 + 8192 + 3 * 28672) + 2 * h));
}

}  // namespace
}  // namespace railwright::models
