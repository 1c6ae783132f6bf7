// SPDX-License-Identifier: Apache-2.0
// Of a track record of two rows.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <future>
#include <vector>

#include "../../support/scenario.hpp"
#include "railwright/core/config/reader.hpp"
#include "railwright/core/config/writer.hpp"
#include "railwright/models/software/installation_fields.hpp"
#include "railwright/models/software/profile_fields.hpp"
#include "railwright/simulation/scenario/provenance.hpp"

namespace railwright::simulation {
namespace {

using test::scenario;

constexpr const char* kRecord = R"(
name: training_steps
rows:
  - {accelerator: h100-sxm, software: nemo-24.09, precision: bf16, left_out: 7, fitted: 2, num_accelerators: 512, combinations: [{layout: dp, node: 8 by switch}, {layout: tp+pp, node: 8 by switch, transport: infiniband, nics_per_accelerator: 1, nic_rate: 400 Gb/s, fabric: rail_optimized}, {layout: zero-3, node: 8 by switch, transport: roce, nics_per_accelerator: 1, nic_rate: 400 Gb/s, fabric: "leaf_spine 2:1"}], shortest_sequence: 2048, longest_sequence: 8192, settings: ["software.recompute=full"]}
  - {accelerator: h100-sxm, software: nemo-24.09, precision: fp8, left_out: 0, fitted: 3, num_accelerators: 512, combinations: [{layout: dp, node: 8 by switch}], shortest_sequence: 2048, longest_sequence: 8192}
)";

const std::string kWithErrors = std::string(kRecord) + R"(
families_left_out:
  - {class: like_published, families: 7, steps: 200, median_error: 0.04, percentile_90: 0.1, low: 0.94, high: 1.09}
  - {class: changed, families: 7, steps: 200, median_error: 0.07, percentile_90: 0.2, low: 0.94, high: 1.09}
  - {class: new_stack, families: 9, steps: 300, median_error: 0.1, percentile_90: 0.22, low: 0.85, high: 1.27}
  - {class: experts, families: 3, steps: 90, median_error: 0.11, percentile_90: 0.3, low: 0.9, high: 1.31}
  - {class: new_device, families: 8, steps: 90, median_error: 0.2, percentile_90: 0.35, low: 0.8, high: 1.5}
difference_growth: 0.5
)";

class BasisOf : public testing::Test {
 protected:
  BasisOf() {
    const std::filesystem::path folder =
        std::filesystem::path(testing::TempDir()) / "basis_test" / "track_records";
    std::filesystem::create_directories(folder);
    record_file_ = folder / "training_steps.yaml";
    write(kRecord);
    catalogue_ = core::Catalogue(
        {folder.parent_path(), std::string(RAILWRIGHT_SOURCE_DIR) + "/models/catalogue"});
    read("neutral", installation_);
  }

  template <class T>
  void read(const std::string& name, T& entry) {
    core::Reader reader(&catalogue_);
    reader.read(core::text_node(name), "", entry);
    reader.throw_if_any();
  }

  void write(const std::string& record) const { std::ofstream(record_file_) << record; }

  [[nodiscard]] Basis basis() const { return basis_of(traits_, installation_, catalogue_).value(); }

  std::filesystem::path record_file_;
  core::Catalogue catalogue_{std::vector<std::string>{}};
  StepTraits traits_{.accelerator = "h100-sxm",
                     .software = "nemo-24.09",
                     .precision = core::Precision::kBf16,
                     .layout = "tp+pp",
                     .transport = "infiniband",
                     .nics_per_accelerator = 1.0,
                     .nic_rate = core::Bandwidth::from_base(50e9),
                     .fabric = "rail_optimized",
                     .node = "8 by switch",
                     .sequence_length = 4096,
                     .num_accelerators = 64,
                     .settings = {},
                     .stated = {},
                     .assumed = {}};
  models::Installation installation_;
};

TEST_F(BasisOf, StepsLeftOutIsValidated) {
  const Basis found = basis();
  EXPECT_EQ(found.kind, BasisKind::kValidated);
  EXPECT_EQ(found.left_out, 7);
  EXPECT_EQ(found.fitted, 2);
  EXPECT_TRUE(found.changes.empty());
  EXPECT_EQ(found.says,
            "7 published runs of h100-sxm with nemo-24.09 in bf16 that nothing was fitted to");
}

/// Nobody knows what ran where the profile fills in a recipe.
TEST_F(BasisOf, ARecipeThatIsNotStatedIsNotValidated) {
  traits_.stated = {"recompute"};
  traits_.assumed = {"attention", "bucket"};
  EXPECT_EQ(basis().kind, BasisKind::kEstimated);
  EXPECT_EQ(basis().assumed, traits_.assumed);
  EXPECT_EQ(basis().says,
            "like 9 published runs of h100-sxm with nemo-24.09 in bf16, 2 of 3 recipe settings "
            "assumed");
}

TEST_F(BasisOf, FittedStepsAloneIsCalibrated) {
  traits_.precision = core::Precision::kFp8;
  traits_.layout = "dp";
  traits_.transport.clear();
  EXPECT_EQ(basis().kind, BasisKind::kCalibrated);
  EXPECT_EQ(basis().fitted, 3);
}

/// The interval is that of families which a fit has not seen, by what is known of the step.
TEST_F(BasisOf, FamiliesLeftOutMakeTheInterval) {
  EXPECT_FALSE(basis().median_error);
  EXPECT_EQ(basis().low, 1.0);
  write(kWithErrors);
  EXPECT_EQ(basis().median_error, 0.04);
  EXPECT_EQ(basis().percentile_90, 0.1);
  EXPECT_EQ(basis().low, 0.94);
  EXPECT_EQ(basis().high, 1.09);
  EXPECT_TRUE(basis().says.starts_with(
      "for runs like it half of the errors are below 4 %, nine in ten below 10 %; "));
  traits_.software = "nemo-23.11";
  EXPECT_EQ(basis().of, StepClass::kNewStack);
  EXPECT_EQ(basis().says,
            "for stacks like it half of the errors are below 10 %, nine in ten below 22 %; no "
            "published run of nemo-23.11; 12 published runs on h100-sxm, 0 of nemo-23.11");
  EXPECT_EQ(basis().low, 0.85);
  traits_.has_experts = true;
  EXPECT_EQ(basis().median_error, 0.11);
}

/// A device without a published run never has the error of those with one, whatever else is known.
TEST_F(BasisOf, ANewDeviceBorrowsNoErrorOfOthers) {
  write(kWithErrors);
  traits_.accelerator = "mi300x";
  for (const bool has_experts : {false, true}) {
    for (const char* software : {"nemo-24.09", "nemo-23.11"}) {
      traits_.software = software;
      traits_.has_experts = has_experts;
      EXPECT_EQ(basis().of, StepClass::kNewDevice);
      EXPECT_EQ(basis().median_error, 0.2);
      EXPECT_TRUE(basis().says.starts_with("on such devices half"));
    }
  }
}

/// Each difference widens the interval by as much as the record says, and more than two of them
/// make another class.
TEST_F(BasisOf, EachDifferenceWidensTheInterval) {
  write(kWithErrors);
  Basis before = basis();
  for (int n = 1; n <= 6; ++n) {
    traits_.settings.push_back("software.key_" + std::to_string(n) + "=1");
    const Basis now = basis();
    EXPECT_EQ(now.kind, BasisKind::kEstimated);
    EXPECT_LT(now.low, before.low);
    EXPECT_GT(now.high, before.high);
    EXPECT_NEAR(now.high, std::pow(1.09, std::sqrt(1.0 + 0.5 * n)), 1e-12);
    EXPECT_EQ(now.of, n <= 2 ? StepClass::kLikePublished : StepClass::kChanged);
    before = now;
  }
  EXPECT_EQ(before.median_error, 0.07);
}

/// What ran is known where a recipe is stated: its settings are differences that widen nothing.
TEST_F(BasisOf, AStatedRecipeWidensNothing) {
  write(kWithErrors);
  const Basis before = basis();
  traits_.settings = {"software.recompute=full", "software.bucket=40 MB"};
  EXPECT_EQ(basis().changes.size(), 1U);  // a published step had recompute=full
  EXPECT_EQ(basis().high, before.high);
  EXPECT_EQ(basis().kind, BasisKind::kEstimated);
}

/// A fitted site keeps its own interval.
TEST_F(BasisOf, OfASiteTakesNothingFromFamilies) {
  installation_.compute_efficiency.estimate = true;
  EXPECT_FALSE(basis().median_error);
  EXPECT_EQ(basis().high, 1.0);
}

TEST_F(BasisOf, OtherPairsIsEstimated) {
  traits_.accelerator = "mi300x";
  EXPECT_EQ(basis().kind, BasisKind::kEstimated);
  EXPECT_EQ(
      basis().says,
      "no published run on mi300x; 0 published runs on mi300x, 12 of nemo-24.09; differences: "
      "nemo-24.09 on mi300x");
}

TEST_F(BasisOf, AnotherPrecisionIsADifference) {
  traits_.precision = core::Precision::kFp4;
  EXPECT_EQ(basis().kind, BasisKind::kEstimated);
  EXPECT_EQ(basis().changes, std::vector<std::string>{"precision fp4"});
}

/// A precision that nobody published with the stack has not the errors of steps that are like it.
TEST_F(BasisOf, AnUnpublishedPrecisionIsChanged) {
  write(kWithErrors);
  EXPECT_EQ(basis().of, StepClass::kLikePublished);
  traits_.precision = core::Precision::kFp4;
  EXPECT_EQ(basis().of, StepClass::kChanged);
  EXPECT_EQ(basis().median_error, 0.07);
}

/// What one change of the traits makes of a validated step.
struct TraitChange {
  std::string name;
  std::function<void(StepTraits&, models::Installation&)> make;
  std::string says;
};

class ChangedBasis : public BasisOf, public testing::WithParamInterface<TraitChange> {};

TEST_P(ChangedBasis, IsEstimatedAndSaysWhat) {
  GetParam().make(traits_, installation_);
  EXPECT_EQ(basis().kind, BasisKind::kEstimated);
  EXPECT_EQ(basis().changes, std::vector<std::string>{GetParam().says});
  EXPECT_EQ(
      basis().says,
      "1 difference from 9 published runs of h100-sxm with nemo-24.09 in bf16; differences: " +
          GetParam().says);
}

using Traits = StepTraits;
using Site = models::Installation;

INSTANTIATE_TEST_SUITE_P(
    Changes, ChangedBasis,
    testing::Values(
        TraitChange{"ComputeEfficiency",
                    [](Traits&, Site& site) { site.compute_efficiency.value = 1.3; },
                    "installation.compute_efficiency=1.3"},
        TraitChange{"Transport", [](Traits& traits, Site&) { traits.transport = "tcp"; },
                    "transport tcp (published: infiniband, one node alone, roce)"},
        TraitChange{"Nics", [](Traits& traits, Site&) { traits.nics_per_accelerator = 0.125; },
                    "0.125 NICs an accelerator (published: 1)"},
        TraitChange{
            "NicRate",
            [](Traits& traits, Site&) { traits.nic_rate = core::Bandwidth::from_base(25e9); },
            "NICs of 200 Gb/s (published: 400 Gb/s)"},
        TraitChange{"Oversubscription",
                    [](Traits& traits, Site&) { traits.fabric = "rail_optimized 8:1"; },
                    "fabric rail_optimized 8:1 (published: leaf_spine 2:1, rail_optimized)"},
        TraitChange{"Node", [](Traits& traits, Site&) { traits.node = "8 by none"; },
                    "nodes of 8 by none (published: 8 by switch)"},
        TraitChange{"Layout", [](Traits& traits, Site&) { traits.layout = "cp"; },
                    "parallelism cp (published: dp, tp+pp, zero-3)"},
        TraitChange{"Combination", [](Traits& traits, Site&) { traits.transport = "roce"; },
                    "transport roce (published, but not with all of the rest)"},
        TraitChange{"Sequence", [](Traits& traits, Site&) { traits.sequence_length = 262144; },
                    "sequence length 262144 (published: 2048 to 8192)"},
        TraitChange{"Scale", [](Traits& traits, Site&) { traits.num_accelerators = 1024; },
                    "1024 accelerators (published: up to 512)"},
        TraitChange{"Profile",
                    [](Traits& traits, Site&) { traits.settings = {"software.fused_loss=true"}; },
                    "software.fused_loss=true"}),
    [](const auto& change) { return change.param.name; });

TEST_F(BasisOf, WhatPublishedStepsChangedTooIsNoChange) {
  traits_.settings = {"software.recompute=full"};
  EXPECT_EQ(basis().kind, BasisKind::kValidated);
}

TEST_F(BasisOf, OneSwitchIsAnyFabricThatIsNotOversubscribed) {
  traits_.fabric = "single_switch";
  EXPECT_EQ(basis().kind, BasisKind::kValidated);
  traits_.layout = "zero-3";
  traits_.transport = "roce";
  EXPECT_EQ(basis().kind, BasisKind::kEstimated);
}

TEST_F(BasisOf, AFactorSetOverAFittedSiteIsNotCalibrated) {
  read("h20003", installation_);
  traits_.settings = installation_.fitted_with;
  installation_.compute_efficiency = {1.3, "--set", false};
  EXPECT_EQ(basis().kind, BasisKind::kEstimated);
  EXPECT_EQ(basis().says,
            "fitted to the site h20003, with other settings: installation.compute_efficiency=1.3");
  read("h20003", installation_);
  installation_.nic_efficiency = {1.0, "--set", false};
  EXPECT_EQ(basis().changes, std::vector<std::string>{"installation.nic_efficiency=1"});
}

TEST_F(BasisOf, ASiteIsCalibratedWithTheSettingsItWasFittedWithAlone) {
  read("h20003", installation_);
  traits_.settings = installation_.fitted_with;
  ASSERT_EQ(traits_.settings.size(), 1U);
  EXPECT_EQ(basis().kind, BasisKind::kCalibrated);
  EXPECT_EQ(basis().says, "fitted to the site h20003");
  traits_.settings.emplace_back("node.scale_up=none");
  traits_.fabric = "rail_optimized 8:1";
  EXPECT_EQ(basis().kind, BasisKind::kEstimated);
  EXPECT_EQ(basis().says,
            "fitted to the site h20003, with other settings: node.scale_up=none, fabric "
            "rail_optimized 8:1");
  traits_.settings = installation_.fitted_with;
  traits_.settings.pop_back();
  traits_.fabric = "rail_optimized";
  EXPECT_EQ(basis().says,
            "fitted to the site h20003, with other settings: no "
            "accelerator.attention_efficiency=0.175");
}

TEST(StepTraits, AreReadFromTheScenario) {
  const StepTraits traits =
      scenario({"cluster.node.accelerator={model: h100-sxm, gemm_efficiency: 0.99, memory: 1 TB}",
                "software={model: nemo-24.09, zero_stage: 3}", "cluster.node.nics.count=4"})
          .traits;
  EXPECT_EQ(traits.accelerator, "h100-sxm");
  EXPECT_EQ(traits.software, "nemo-24.09");
  EXPECT_EQ(traits.layout, "tp+zero-3");
  EXPECT_EQ(traits.transport, "infiniband");
  EXPECT_EQ(traits.nics_per_accelerator, 0.5);
  EXPECT_EQ(traits.nic_rate.base(), 50e9);
  EXPECT_EQ(traits.fabric, "single_switch");
  EXPECT_EQ(traits.node, "8 by switch");
  EXPECT_EQ(traits.sequence_length, 4096);
  EXPECT_EQ(traits.num_accelerators, 16);
  EXPECT_EQ(traits.settings, (std::vector<std::string>{"accelerator.gemm_efficiency=0.99",
                                                       "software.zero_stage=3"}));
}

using Settings = std::vector<std::string>;

Settings settings_of(const Settings& changes) { return scenario(changes).traits.settings; }

TEST(StepTraits, ANodeWithOtherLinksIsAnotherOne) {
  const std::vector<std::string> own = scenario().traits.settings;
  const auto with = [&](const std::string& setting) {
    Settings all = own;
    all.push_back(setting);
    return all;
  };
  const StepTraits alone = scenario({"cluster.node.scale_up=none"}).traits;
  EXPECT_EQ(alone.node, "8 by none");
  EXPECT_EQ(settings_of({"cluster.node.host_bandwidth=1 GB/s"}),
            with("node.host_bandwidth=1 GB/s"));
  EXPECT_EQ(settings_of({"cluster.node.nics.gpudirect=false"}), with("node.nics.gpudirect=false"));
  EXPECT_EQ(settings_of({"cluster.node.name=mine"}), Settings{"node=mine"});
  EXPECT_EQ(settings_of({"cluster.node.nics.nic={model: connectx-7, pcie_bandwidth: 10 GB/s}"}),
            with("nic.pcie_bandwidth=10 GB/s"));
  EXPECT_EQ(settings_of({"cluster.faults.nodes_slow=[{node: 0, speed: 0.5}]"}),
            with("cluster.faults"));
}

/// Another library is one difference, and what is changed in it its keys.
TEST(StepTraits, ACollectiveLibraryIsNamed) {
  const std::vector<std::string> own = scenario().traits.settings;
  const auto with = [&](const std::vector<std::string>& settings) {
    Settings all = own;
    all.insert(all.end(), settings.begin(), settings.end());
    return all;
  };
  EXPECT_EQ(settings_of({"software.collectives=nccl-2.30"}),
            with({"software.collectives=nccl-2.30"}));
  EXPECT_EQ(settings_of({"software.collectives={model: nccl-2.30, ring_ll_share: 0.7}"}),
            with({"software.collectives=nccl-2.30", "software.collectives.ring_ll_share=0.7"}));
}

TEST(StepTraits, AFabricIsItsTopologyAndOversubscription) {
  const auto fabric = [](const std::string& text) {
    return scenario({"cluster.fabric={topology: " + text + "}", "cluster.nodes=8",
                     "workload.global_batch=128"})
        .traits.fabric;
  };
  EXPECT_EQ(fabric("fat_tree, switch: qm9790, oversubscription: 8"), "fat_tree 8:1");
  EXPECT_EQ(fabric("fat_tree, switch: qm9790"), "fat_tree");
  EXPECT_EQ(fabric("dual_switch, switch: qm9790, inter_switch_links: 16"), "dual_switch 2:1");
  EXPECT_EQ(fabric("dual_switch, switch: qm9790, inter_switch_links: 32"), "dual_switch");
  EXPECT_EQ(fabric("multi_plane, planes: 2, plane: {topology: fat_tree, switch: qm9790, "
                   "oversubscription: 3}"),
            "multi_plane of fat_tree 3:1");
}

TEST_F(BasisOf, ARecordThatIsWrittenAgainIsReadAgain) {
  EXPECT_EQ(basis().left_out, 7);
  const auto before = std::filesystem::last_write_time(record_file_);
  const std::string row = "{accelerator: h100-sxm, software: nemo-24.09, precision: bf16, ";
  write("rows:\n  - " + row + "left_out: 4, fitted: 0, num_accelerators: 64}\n");
  EXPECT_EQ(basis().left_out, 4);
  // As long, and later.
  write("rows:\n  - " + row + "left_out: 5, fitted: 0, num_accelerators: 64}\n");
  std::filesystem::last_write_time(record_file_, before + std::chrono::seconds(2));
  EXPECT_EQ(basis().left_out, 5);
}

TEST_F(BasisOf, EachCatalogueHasItsOwnRecord) {
  EXPECT_EQ(basis().left_out, 7);
  const core::Catalogue builtin({std::string(RAILWRIGHT_SOURCE_DIR) + "/models/catalogue"});
  const auto shipped = basis_of(traits_, installation_, builtin);
  ASSERT_TRUE(shipped);
  EXPECT_NE(shipped->says, basis().says);
}

TEST_F(BasisOf, ThreadsMayAskAtOnce) {
  std::vector<std::future<Basis>> asked;
  for (int i = 0; i < 8; ++i) {
    asked.push_back(std::async(std::launch::async, [this] { return basis(); }));
  }
  for (auto& one : asked) EXPECT_EQ(one.get().left_out, 7);
}

TEST_F(BasisOf, NoRecordIsNothing) {
  const core::Catalogue empty{std::vector<std::string>{}};
  EXPECT_FALSE(basis_of(traits_, installation_, empty));
}

}  // namespace
}  // namespace railwright::simulation
