// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/workload/transformer.hpp"

#include <gtest/gtest.h>

#include "../../support/scenario.hpp"
#include "railwright/models/workload/training.hpp"

namespace railwright::models {
namespace {

Transformer model(const std::string& name) {
  return test::scenario({"workload.model=" + name}).scenario.workload.model;
}

TEST(Transformer, HasThePublishedNumberOfParameters) {
  EXPECT_EQ(num_parameters(model("llama-2-7b")), 6'738'415'616);
  EXPECT_EQ(num_parameters(model("llama-2-70b")), 68'976'648'192);
  EXPECT_NEAR(static_cast<double>(num_parameters(model("gpt-3-175b"))), 175e9, 1e9);
}

TEST(Transformer, CountsEachMatrixOfALayer) {
  const Transformer grouped = model("llama-2-70b");
  const std::int64_t q = 8192LL * 8192;
  const std::int64_t k = 8192LL * 1024;  // 8 of 64 heads of 128
  const std::int64_t ffn = 8192LL * 28672;
  EXPECT_EQ(layer_matrix_parameters(grouped), q + 2 * k + q + 3 * ffn);
  EXPECT_EQ(layer_parameters(grouped), q + 2 * k + q + 3 * ffn + 16384);
  EXPECT_EQ(embedding_parameters(grouped), 32000LL * 8192);

  Transformer plain = grouped;
  plain.gated_ffn = false;
  EXPECT_EQ(layer_matrix_parameters(grouped) - layer_matrix_parameters(plain), ffn);
}

TEST(Transformer, CountsATiedHeadOnce) {
  Transformer tied = model("llama-2-7b");
  tied.tied_embeddings = true;
  EXPECT_EQ(num_parameters(tied), 6'738'415'616 - 32000LL * 4096);
}

TEST(Transformer, TrainingWorkIsSixPerMatrixParameterAndTheAttention) {
  const Transformer m = model("llama-2-7b");
  // All parameters but the input embedding (a look-up) and the norms (65 of 4096).
  const double matrices = 6'738'415'616.0 - 32000.0 * 4096 - 65.0 * 4096;
  const double attention = 12.0 * 32 * 4096 * 4096;
  EXPECT_DOUBLE_EQ(training_work_per_token(m, 4096).base(), 6.0 * matrices + attention);
  const double longer = training_work_per_token(m, 8192).base();
  EXPECT_DOUBLE_EQ(longer - training_work_per_token(m, 4096).base(), attention);
}

TEST(Training, CountsTheTokensOfAStep) {
  const auto checked = test::scenario();
  EXPECT_EQ(tokens_per_step(checked.scenario.workload), 144 * 4096);
}

}  // namespace
}  // namespace railwright::models
