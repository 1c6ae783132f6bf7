// SPDX-License-Identifier: Apache-2.0
// Sequences packed with documents.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "../../support/scenario.hpp"
#include "railwright/core/error.hpp"
#include "railwright/core/sim/random.hpp"
#include "railwright/models/compute/compute.hpp"
#include "railwright/models/workload/training.hpp"

namespace railwright::models {
namespace {

test::Settings with_documents(const std::string& documents) {
  return {"workload.documents=[" + documents + "]"};
}

Training workload(const std::string& documents) {
  return test::scenario(with_documents(documents)).scenario.workload;
}

core::Duration attention_time_of(const test::Settings& settings) {
  const auto checked = test::scenario(settings);
  const simulation::Scenario& s = checked.scenario;
  return ComputeModel(s.cluster.node.accelerator, s.workload, checked.layout, s.software, 1.0)
      .layer(LayerKind::kDense)
      .forward.attention;
}

/// A token stands in a document of 256 as often as in one of 1,024: 3 x 256 tokens to 1 x 1,024.
TEST(Documents, TheirLengthsAreWeighedByTokens) {
  const double mean = (3 * 256.0 * 256 + 1024.0 * 1024) / (3 * 256 + 1024);
  EXPECT_DOUBLE_EQ(mean_document(workload("{tokens: 256, share: 3}, {tokens: 1024}")), mean);
  EXPECT_DOUBLE_EQ(mean_document(workload("{tokens: 512}")), 512);
  EXPECT_DOUBLE_EQ(mean_document(test::scenario().scenario.workload), 4096);
}

TEST(Documents, AttentionHasTheWorkOfTheirSquares) {
  const core::Duration whole = attention_time_of({});
  EXPECT_EQ(attention_time_of(with_documents("{tokens: 4096}")), whole)
      << "one document is no packing";
  const double half = attention_time_of(with_documents("{tokens: 2048}")) / whole;
  EXPECT_GT(half, 0.5);
  EXPECT_LT(half, 0.65) << "shorter sequences run at a lower rate";
  const Training quarter = workload("{tokens: 1024}");
  const double matrices = 32.0 * (4.0 * 4096 * 4096 + 3.0 * 4096 * 11008) + 32000.0 * 4096;
  EXPECT_DOUBLE_EQ(training_work_per_step(quarter).base() / tokens_per_step(quarter),
                   6 * matrices + 12.0 * 32 * 4096 * 1024);
}

TEST(Documents, UnfusedAttentionMakesAllScoresAnyway) {
  const test::Settings unfused{"software.attention={value: unfused, source: test}"};
  EXPECT_EQ(attention_time_of(test::join(unfused, with_documents("{tokens: 512}"))),
            attention_time_of(unfused));
}

/// Replicas of equal tokens whose documents are drawn: the fullest of 64, in the mean of 400 steps.
TEST(Documents, AStepWaitsForTheFullestReplica) {
  const Training training = workload("{tokens: 200, share: 8}, {tokens: 2000, share: 2}");
  constexpr int kReplicas = 64;
  constexpr double kSequences = 40;
  core::RandomStream random(7);
  double sum = 0.0;
  for (int step = 0; step < 400; ++step) {
    double fullest = 0.0;
    for (int replica = 0; replica < kReplicas; ++replica) {
      double squares = 0.0;
      double tokens = 0.0;
      while (tokens < kSequences * training.sequence_length) {
        const double length = random.uniform() < 0.8 ? 200 : 2000;
        squares += length * length;
        tokens += length;
      }
      fullest = std::max(fullest, squares / tokens);
    }
    sum += fullest / mean_document(training);
  }
  const double predicted = attention_of_fullest_replica(training, kReplicas, kSequences);
  EXPECT_GT(predicted, 1.01);
  // sqrt(2 ln n) is above the mean of the largest of n deviates, 2.88 for 2.35 of 64.
  EXPECT_NEAR((predicted - 1.0) * 2.35 / 2.88, sum / 400 - 1.0, 0.15 * (predicted - 1.0));
  EXPECT_EQ(attention_of_fullest_replica(training, 1, kSequences), 1.0);
  EXPECT_EQ(attention_of_fullest_replica(workload("{tokens: 512}"), 64, 8), 1.0) << "all alike";
}

TEST(Documents, FitIntoASequence) {
  EXPECT_THROW(test::scenario(with_documents("{tokens: 4097}")), core::ConfigError);
}

}  // namespace
}  // namespace railwright::models
