// SPDX-License-Identifier: Apache-2.0
#include "railwright/validation/suites/validate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <vector>

#include "../../support/source_tree.hpp"
#include "documents.hpp"

namespace railwright::test {
namespace {

using validation::ClaimRole;
using validation::ValidationCase;
using validation::ValidationResult;

const ValidationCase& case_of(const ValidationResult& result, const std::string& id) {
  const auto found = std::ranges::find(result.cases, id, &ValidationCase::id);
  if (found == result.cases.end()) throw std::out_of_range(id);
  return *found;
}

/// The claims of a suite that one claim is held against, itself among them: a hundred others tell
/// nothing of it.
core::Node only(core::Node suite, const std::string& id) {
  std::set<std::string> kept{id};
  for (const core::Node& claim : suite.find("cases")->items) {
    const core::Node* checks = claim.find("checks");
    if (claim.find("id")->text != id || checks == nullptr) continue;
    for (const core::Node& check : checks->items) {
      if (const core::Node* other = check.find("case")) kept.insert(other->text);
    }
  }
  std::erase_if(suite.find("cases")->items,
                [&](const core::Node& claim) { return !kept.contains(claim.find("id")->text); });
  std::erase_if(suite.entries, [](const core::Entry& entry) { return entry.key == "documents"; });
  return suite;
}

/// The suite with `key` of claim `id` replaced.
core::Node suite_with(const std::string& id, const std::string& key, const std::string& value) {
  core::Node suite = documents_suite();
  const std::string setting = key + "=" + value;
  for (core::Node& claim : suite.find("cases")->items) {
    if (claim.find("id")->text == id) core::set_path(claim, setting);
  }
  return suite;
}

TEST(ValidateDocuments, EveryCaseHasAPredictionAndASource) {
  EXPECT_GE(documents().cases.size(), 30U);
  EXPECT_TRUE(documents().skipped.empty());
  std::set<std::string> ids;
  for (const ValidationCase& c : documents().cases) {
    EXPECT_EQ(c.predicted.has_value(), c.role != ClaimRole::kOutside) << c.id;
    EXPECT_FALSE(c.source.empty()) << c.id;
    EXPECT_NE(c.scenario.empty(), c.about.empty()) << c.id;
    EXPECT_TRUE(ids.insert(c.id).second) << c.id;
  }
}

TEST(ValidateDocuments, SaysWhatAgreementOfItsRowsIsWorth) {
  std::map<validation::RowKind, int> counts;
  for (const validation::KindCount& count : documents().summary.kinds) {
    counts[count.kind] = count.num_rows;
  }
  using enum validation::RowKind;
  EXPECT_EQ(counts, (std::map<validation::RowKind, int>{{kPrediction, 21},
                                                        {kDerived, 29},
                                                        {kBound, 14},
                                                        {kArithmetic, 53},
                                                        {kIdentity, 5},
                                                        {kCalibrated, 26}}));
  // The headline is of predictions alone.
  std::vector<double> errors;
  for (const ValidationCase& c : documents().cases) {
    if (c.kind == kPrediction && c.role == ClaimRole::kValidate) {
      errors.push_back(std::abs(*c.relative_error));
    }
  }
  EXPECT_EQ(*std::ranges::max_element(errors), documents().summary.largest_absolute_error);
}

TEST(ValidateDocuments, ARowWhoseScenarioHoldsItsFigureIsAnIdentity) {
  const std::string id = "h20003-t4-70b-6n-c2";
  EXPECT_EQ(*case_of(documents(), id).kind, validation::RowKind::kPrediction);
  core::Node suite = only(suite_with(id, "set", "[cluster.nodes=6, run.start_up=244 min]"), id);
  EXPECT_EQ(*case_of(validation::validate(suite, source_catalogue()), id).kind,
            validation::RowKind::kIdentity);
}

TEST(ValidateDocuments, OnlyTheseCalibrate) {
  std::set<std::string> calibrate;
  for (const ValidationCase& c : documents().cases) {
    if (c.role == ClaimRole::kCalibrate) calibrate.insert(c.id);
  }
  EXPECT_EQ(calibrate, (std::set<std::string>{"ddn-bw/read",
                                              "h19611-f600p/read",
                                              "h19611-f600p/write",
                                              "h19611-nodes/max",
                                              "h19611-nodes/min",
                                              "h20003-ckpt-writers/write",
                                              "h20003-cluster-limits/nodes",
                                              "h20003-cluster-limits/read",
                                              "h20003-t4-7b-2n-c1",
                                              "h20003-t4-7b-2n-c2",
                                              "h20003-t4-nic-delta/7b_2n",
                                              "h20044-ckpt-size/b7",
                                              "h20044-ckpt-time-7b",
                                              "h20044-ckpt-tp-peak/b7",
                                              "h20044-ckpt-tp-peak/b70",
                                              "h20044-resnet-cpu/intercept",
                                              "h20044-resnet-cpu/slope",
                                              "h20044-resnet/images_4n",
                                              "h20044-resnet/images_8n",
                                              "h20044-resnet/processor_4n",
                                              "h20044-resnet/processor_8n",
                                              "metrum-70b-2n-tcp",
                                              "metrum-8b-1n",
                                              "x-bytes-per-param/h20044_b7",
                                              "x-mfu/h20003_7b",
                                              "x-storage-claims/h19611"}));
}

TEST(ValidateDocuments, H20003TimesAreWithinTheirTargets) {
  double sum = 0.0;
  int count = 0;
  for (const ValidationCase& c : documents().cases) {
    if (c.group != "h20003_table_4" || c.role != ClaimRole::kValidate) continue;
    EXPECT_LE(std::abs(*c.relative_error), 0.08) << c.id;
    sum += std::abs(*c.relative_error);
    ++count;
  }
  EXPECT_EQ(count, 6);
  EXPECT_LE(sum / count, 0.04);
}

TEST(ValidateDocuments, ABoundIsMissedOnItsWrongSideOnly) {
  const ValidationCase& order = case_of(documents(), "ddn-order/cpu_over_lustre");
  EXPECT_GT(*order.predicted, 1.5);
  EXPECT_EQ(*order.relative_error, 0.0);
  for (const auto& [bound, sign] : {std::pair{"at_most", 1.0}, {"equal", 1.0}}) {
    const std::string id = "ddn-order/cpu_over_lustre";
    const auto result =
        validation::validate(only(suite_with(id, "bound", bound), id), source_catalogue());
    EXPECT_GT(sign * *case_of(result, "ddn-order/cpu_over_lustre").relative_error, 0.5) << bound;
  }
}

// Nothing is fitted: the theoretical examples of H19611 within what their assumptions are worth.
TEST(ValidateDocuments, TrainingOfOtherDocumentsIsWithin23Percent) {
  int count = 0;
  for (const ValidationCase& c : documents().cases) {
    if (c.group != "documents_training" || c.role != ClaimRole::kValidate) continue;
    EXPECT_LE(std::abs(*c.relative_error), 0.23) << c.id;
    ++count;
  }
  EXPECT_EQ(count, 6);
}

// The training modules of H19611 as answers: 64, 384 and 128 H100 for what they shall train, to a
// module of 32: an even chance is that of the interval of sites, which moves with what is
// published.
TEST(ValidateDocuments, SizesAreTheModulesOfH19611) {
  int count = 0;
  for (const ValidationCase& c : documents().cases) {
    if (c.group != "documents_sizing") continue;
    EXPECT_EQ(*c.predicted, c.published) << c.id;
    ++count;
  }
  EXPECT_EQ(count, 3);
}

// Two numbers are fitted to six times. The sixth asks for a TCP rate at which 70B would stand
// still.
TEST(ValidateDocuments, FineTuningOnMi300xIsWithin13PercentAlsoOverTcp) {
  const auto error = [](const char* id) { return *case_of(documents(), id).relative_error; };
  for (const char* id : {"metrum-8b-1n", "metrum-8b-2n-roce", "metrum-70b-1n", "metrum-70b-2n-tcp",
                         "metrum-70b-2n-roce", "metrum-scaling/70b_micro_batch"}) {
    EXPECT_LE(std::abs(error(id)), 0.13) << id;
  }
  EXPECT_NEAR(error("metrum-8b-2n-tcp"), -0.09, 0.02);
}

TEST(ValidateDocuments, TwiceTheAcceleratorsAreMoreThanTwiceAsFastByTheLargerMicroBatchAlone) {
  EXPECT_NEAR(*case_of(documents(), "metrum-scaling/70b_held").predicted, 2.0, 0.06);
  EXPECT_GT(*case_of(documents(), "metrum-scaling/70b_roce").predicted, 2.2);
}

// From the 7B row and one number of bytes a parameter, 14.84, by hand: 16 writers on three nodes
// put six files of 63.98 GB on one of them, which takes 2.667 GB/s for a while, so 143.9 s; 56.8 s
// to serialize.
TEST(ValidateDocuments, H20044CheckpointOf70bFollowsFromThe7bRow) {
  const ValidationCase& time = case_of(documents(), "h20044-ckpt-time-70b");
  EXPECT_NEAR(*time.predicted, 200.76, 0.05);
  EXPECT_NEAR(*time.relative_error, -0.035, 0.001);
  const ValidationCase& peak = case_of(documents(), "h20044-ckpt-tp-peak/b70");
  EXPECT_NEAR(*peak.predicted, 7.111e9, 0.001e9);
  EXPECT_NEAR(*peak.relative_error, 0.013, 0.001);
}

// 5370 images/s are fitted; what a node reads is not: 5370 * 16 * 114,660 B over four and eight.
TEST(ValidateDocuments, ImagesAreReadFromAllNodesAlike) {
  const double images = *case_of(documents(), "h20044-resnet/images_4n").predicted;
  EXPECT_NEAR(images, 5370.0, 2.0);
  EXPECT_NEAR(*case_of(documents(), "h20044-resnet/read_4n").predicted, images * 16 * 114660 / 4,
              1e5);
  EXPECT_NEAR(*case_of(documents(), "h20044-resnet/read_8n").predicted, images * 16 * 114660 / 8,
              1e5);
}

// All figures of storage that nothing was fitted to are within 8 %, but for two peaks of reads that
// are higher than any mean.
TEST(ValidateDocuments, StorageIsWithin8PercentButForPeakReads) {
  const std::set<std::string> groups{"h20003_checkpoint", "h20044_checkpoint", "h20044_reads",
                                     "h20044_resnet", "storage_limits"};
  std::set<std::string> missed;
  int count = 0;
  for (const ValidationCase& c : documents().cases) {
    if (!groups.contains(c.group) || c.role != ClaimRole::kValidate) continue;
    ++count;
    if (std::abs(*c.relative_error) > 0.08) missed.insert(c.id);
  }
  EXPECT_EQ(count, 29);
  EXPECT_EQ(missed, (std::set<std::string>{"h20044-reads/b7", "h20044-reads/b70"}));
}

TEST(ValidateDocuments, RejectsWhatContradictsPhysicsOrAnotherFigure) {
  std::set<std::string> rejected;
  for (const ValidationCase& c : documents().cases) {
    if (c.role == ClaimRole::kReject) rejected.insert(c.id);
    EXPECT_EQ(c.role == ClaimRole::kReject, !c.reason.empty()) << c.id;
  }
  EXPECT_EQ(rejected, (std::set<std::string>{
                          "ddn-100s-TB", "ddn-100s-TB/gpus", "ddn-85", "ddn-batches/mod-2",
                          "h19611-24nodes/nic8", "h19611-48nodes", "h20003-adam2x/mixed",
                          "h20003-ckpt175b/per_file", "h20003-cluster-limits/write", "h20003-dbrx",
                          "h20044-resnet-cpu/saturation", "h20044-t4-7b-time", "h20044-t4-70b-time",
                          "h20044-vs-h20003/b7", "h20044-vs-h20003/b70",
                          "marketing-multipliers/h19611_30x", "marketing-multipliers/h20003_30x",
                          "marketing-multipliers/h20044_30x", "x-storage-claims/cluster_max"}));
}

// A verdict is arithmetic: the same claim with a consistent value is accepted.
TEST(ValidateDocuments, AcceptsARejectedClaimOnceItsValueIsConsistent) {
  const struct {
    std::string id;
    std::string consistent;
  } kClaims[] = {{"h20003-ckpt175b/per_file", "2.56 TB"},
                 {"ddn-85", "0.004"},
                 {"h20003-dbrx", "50 d"},
                 {"h20003-cluster-limits/write", "0.5 TB/s"},
                 // One node with four NICs, eight GPUs: twice the step of two nodes, and 150 s.
                 {"h20044-t4-7b-time", "12.6 min"},
                 // 40 steps of 29.28 s and the checkpoint's 208 s.
                 {"h20044-t4-70b-time", "22.99 min"}};
  for (const auto& claim : kClaims) {
    const auto result = validation::validate(
        only(suite_with(claim.id, "published", claim.consistent), claim.id), source_catalogue());
    EXPECT_EQ(case_of(result, claim.id).role, ClaimRole::kValidate)
        << claim.id << ": " << case_of(result, claim.id).reason;
  }
}

TEST(ValidateDocuments, RejectsAnAcceptedClaimOnceItIsImpossible) {
  const std::string id = "h20003-t4-70b-6n-c2";
  core::Node suite = only(suite_with(id, "checks", "[{kind: within_peak, steps: 500}]"), id);
  EXPECT_EQ(case_of(validation::validate(suite, source_catalogue()), id).role,
            ClaimRole::kValidate);
  for (core::Node& claim : suite.find("cases")->items) {
    if (claim.find("id")->text == id) core::set_path(claim, "published=20 min");
  }
  EXPECT_EQ(case_of(validation::validate(suite, source_catalogue()), id).role, ClaimRole::kReject);
}

// Every row is computed: half the device, and the rows that rest on it move.
TEST(ValidateDocuments, HalvingADeviceMovesItsRowsAndNoOthers) {
  core::Node suite = documents_suite();
  for (core::Entry& scenario : suite.find("scenarios")->entries) {
    core::set_path(scenario.value, "cluster.node.accelerator.bf16_rate=494.7 TFLOP/s");
    if (scenario.value.find("cluster")->find("storage") == nullptr) continue;
    core::set_path(scenario.value, "cluster.storage.node.burst_write_rate=1.5 GB/s");
  }
  const auto slower = validation::validate(suite, source_catalogue());
  EXPECT_GT(*case_of(slower, "h20003-t4-70b-6n-c1").predicted,
            1.3 * *case_of(documents(), "h20003-t4-70b-6n-c1").predicted);
  EXPECT_LT(*case_of(slower, "h20044-ckpt-tp-peak/b70").predicted,
            0.7 * *case_of(documents(), "h20044-ckpt-tp-peak/b70").predicted);
  EXPECT_EQ(*case_of(slower, "h20044-ckpt-size/b70").predicted,
            *case_of(documents(), "h20044-ckpt-size/b70").predicted);
  EXPECT_EQ(*case_of(slower, "h20003-tokens").predicted,
            *case_of(documents(), "h20003-tokens").predicted);
}

TEST(Validate, ReportsEveryProblemOfASuite) {
  core::Node suite = suite_with("h20003-tokens", "scenario", "h20003-8b");
  for (core::Node& claim : suite.find("cases")->items) {
    if (claim.find("id")->text == "h20044-t4-70b-time") {
      core::set_path(claim, "checks=[{kind: consistent_with, case: nowhere}]");
    }
    if (claim.find("id")->text == "h20003-t4-scaling/c1") core::set_path(claim, "combine=none");
  }
  try {
    validation::validate(suite, source_catalogue());
    FAIL() << "accepted";
  } catch (const core::ConfigError& error) {
    std::set<std::string> messages;
    for (const auto& diagnostic : error.diagnostics()) messages.insert(diagnostic.message);
    EXPECT_EQ(messages, (std::set<std::string>{"no scenario 'h20003-8b'", "no case 'nowhere'",
                                               "`against` and `combine` go together"}));
  }
}

}  // namespace
}  // namespace railwright::test
