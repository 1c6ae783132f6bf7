// SPDX-License-Identifier: Apache-2.0
// Precisions that devices have, and what a layer costs in each.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "../../support/scenario.hpp"
#include "published_h100.hpp"
#include "railwright/core/error.hpp"
#include "railwright/models/compute/compute.hpp"

namespace railwright::models {
namespace {

using core::Precision;

std::vector<std::string> accelerators() {
  std::vector<std::string> names;
  const std::filesystem::path folder =
      std::filesystem::path(RAILWRIGHT_SOURCE_DIR) / "models/catalogue/accelerators";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    names.push_back(entry.path().stem().string());
  }
  return names;
}

std::string precision(std::string_view name) {
  return "software.precision={value: " + std::string(name) + ", source: test}";
}

std::string problem_of(const test::Settings& settings) {
  try {
    test::scenario(test::published_h100(settings));
  } catch (const core::ConfigError& error) {
    return error.what();
  }
  return "";
}

ComputeModel model_of(const test::Settings& settings) {
  const auto checked = test::scenario(test::published_h100(settings));
  return {checked.scenario.cluster.node.accelerator, checked.scenario.workload, checked.layout,
          checked.scenario.software, 1.0};
}

TEST(Precision, EveryDeviceComputesInWhatItHasAndRefusesTheRest) {
  EXPECT_GE(accelerators().size(), 18U);
  for (const std::string& name : accelerators()) {
    const std::string device = "cluster.node.accelerator=" + name;
    double before = 0.0;
    for (const auto& [word, value] : core::kWordsOf<Precision>) {
      const std::string problem = problem_of({device, precision(word)});
      if (!problem.empty()) {
        EXPECT_NE(problem.find("software.precision: " + name + " does not multiply"),
                  std::string::npos)
            << problem;
        continue;
      }
      const auto checked = test::scenario({device, precision(word)});
      const double rate = checked.scenario.cluster.node.accelerator.peak_rate(value)
                              .value_or(core::ComputeRate{})
                              .base();
      EXPECT_GE(rate, before) << name << " " << word;
      before = rate;
      EXPECT_GT(model_of({device, precision(word)}).layer(LayerKind::kDense).forward.total(),
                core::Duration{});
    }
    EXPECT_GT(before, 0.0) << name;
  }
}

TEST(Precision, AV100HasFp16AndNoBf16) {
  const std::string device = "cluster.node.accelerator=v100-sxm2";
  EXPECT_EQ(problem_of({device, precision("fp16")}), "");
  EXPECT_NE(problem_of({device}).find("v100-sxm2 does not multiply bf16, only fp32, fp16"),
            std::string::npos)
      << problem_of({device});
}

// Numbers of a token on one of two tensor-parallel ranks, by where they are cast, and the rank's
// weights.
constexpr double kCastWidth = 4096.0;
constexpr double kCastFeedForward = 11008.0;
constexpr double kCastTokens = 4096.0;
constexpr double kCastFromNorms = 2 * kCastWidth;
constexpr double kCastInputs = kCastWidth / 2 + kCastFeedForward / 2;
constexpr double kCastOutputs = 3 * kCastWidth / 2 + kCastWidth + kCastFeedForward + kCastWidth;
constexpr double kCastParameters =
    (4 * kCastWidth * kCastWidth + 3 * kCastWidth * kCastFeedForward) / 2;
constexpr double kCastBandwidth = 3.35e12 * 0.9;

/// Of a token: inputs of the four matrices and their outputs are cast, 2 bytes read and two copies
/// of 1 byte written. Norms give one copy in place of 2 bytes, which is read and written once more.
TEST(Precision, Fp8PaysForItsCasts) {
  const PassCost wide = model_of({}).layer(LayerKind::kDense);
  const PassCost narrow = model_of({precision("fp8")}).layer(LayerKind::kDense);
  EXPECT_NEAR((narrow.forward.elementwise - wide.forward.elementwise).base(),
              kCastTokens * (4 * kCastInputs + kCastFromNorms) / kCastBandwidth, 1e-12);
  EXPECT_NEAR((narrow.backward.elementwise - wide.backward.elementwise).base(),
              4 * kCastTokens * kCastOutputs / kCastBandwidth, 1e-12);
  // Weights once a step, or, where they are given up in between, with each micro-batch.
  EXPECT_NEAR(model_of({precision("fp8")}).weight_cast_time(kCastParameters).base(),
              4 * kCastParameters / kCastBandwidth, 1e-12);
  EXPECT_EQ(model_of({}).weight_cast_time(kCastParameters), core::Duration{});
  const ComputeModel sharded =
      model_of({precision("fp8"), "software.zero_stage={value: 3, source: test}"});
  EXPECT_EQ(sharded.weight_cast_time(kCastParameters), core::Duration{});
  EXPECT_NEAR(
      (sharded.layer(LayerKind::kDense).forward.elementwise - narrow.forward.elementwise).base(),
      4 * kCastParameters / kCastBandwidth, 1e-12);
  EXPECT_EQ(narrow.forward.attention, wide.forward.attention);
  EXPECT_LT(narrow.forward.matrix, wide.forward.matrix * 0.65);
  EXPECT_GT(narrow.forward.matrix, wide.forward.matrix * 0.5);
}

/// Of a number of an input: 2 bytes read, 1 written, and 2 transposed, from which the cast of the
/// backward pass reads 2 and writes 1; a norm has it at hand, and writes nothing else. Weights are
/// transposed by a pass of 4 bytes, and gradients get their scales in one of 4.
TEST(Precision, RowsAreCastAlongBothDimensionsInEachMicroBatch) {
  const PassCost wide = model_of({}).layer(LayerKind::kDense);
  const ComputeModel model =
      model_of({precision("fp8"), "software.fp8_scaling={value: row, source: test}"});
  const PassCost& rows = model.layer(LayerKind::kDense);
  EXPECT_NEAR(
      (rows.forward.elementwise - wide.forward.elementwise).base(),
      (kCastTokens * (5 * kCastInputs + kCastFromNorms) + 3 * kCastParameters) / kCastBandwidth,
      1e-12);
  EXPECT_NEAR((rows.backward.elementwise - wide.backward.elementwise).base(),
              (kCastTokens * (7 * (kCastInputs + kCastFromNorms) + 8 * kCastOutputs) +
               11 * kCastParameters) /
                  kCastBandwidth,
              1e-12);
  EXPECT_EQ(model.weight_cast_time(kCastParameters), core::Duration{});
  EXPECT_EQ(rows.forward.matrix,
            model_of({precision("fp8")}).layer(LayerKind::kDense).forward.matrix);
}

TEST(Precision, Fp8LeavesTheHeadAlone) {
  const PassCost wide = model_of({}).head();
  const PassCost narrow = model_of({precision("fp8")}).head();
  EXPECT_EQ(narrow.forward.total(), wide.forward.total());
  EXPECT_EQ(narrow.backward.total(), wide.backward.total());
}

TEST(Precision, Fp32MovesTwiceTheBytes) {
  const PassCost half = model_of({}).layer(LayerKind::kDense);
  const PassCost full = model_of({precision("fp32")}).layer(LayerKind::kDense);
  EXPECT_NEAR(full.forward.elementwise / half.forward.elementwise, 2.0, 1e-12);
  EXPECT_GT(full.forward.matrix, half.forward.matrix * 10.0);
}

}  // namespace
}  // namespace railwright::models
