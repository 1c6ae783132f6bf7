// SPDX-License-Identifier: Apache-2.0
// Weights outside device memory, and accelerators that do not reach one another.
#include <gtest/gtest.h>

#include "../../support/inference.hpp"
#include "railwright/core/error.hpp"
#include "railwright/models/offload/tier.hpp"

namespace railwright::simulation {
namespace {

using Settings = std::vector<std::string>;

/// Llama 3.1 405B, 812 GB in bf16, on four H100 with tiers of these sizes.
InferenceResult run(const std::string& small, const std::string& large, const Settings& more = {}) {
  const auto tier = [](const std::string& name, const std::string& keys) {
    return "{name: " + name + ", description: a tier, " + keys + "}";
  };
  Settings settings{
      "inference.model=llama-3.1-405b",
      "inference.offload=[" + tier("near", "capacity: " + small + ", read_rate: 400 GB/s") + ", " +
          tier("far", "capacity: " + large + ", read_rate: 20 GB/s, medium: file_system") + "]"};
  settings.insert(settings.end(), more.begin(), more.end());
  return simulate(test::inference(settings));
}

TEST(Offload, TheFirstTierThatHoldsAllWeightsIsTaken) {
  const InferenceResult near = run("900 GB", "10 TB");
  ASSERT_TRUE(near.feasible());
  EXPECT_EQ(near.offload->tier, "near");
  EXPECT_EQ(near.offload->level, 2);
  EXPECT_DOUBLE_EQ(near.offload->size.base(), 2.0 * 405'853'388'800);
  const InferenceResult far = run("800 GB", "10 TB");
  EXPECT_EQ(far.offload->tier, "far");
  EXPECT_EQ(far.offload->level, 3);
}

TEST(Offload, APassTakesAsLongAsItsWeightsNeed) {
  const InferenceResult far = run("1 GB", "10 TB");
  const double seconds = 2.0 * 405'853'388'800 / 20e9;
  EXPECT_DOUBLE_EQ(far.offload->time.base(), seconds);
  EXPECT_NEAR(far.decode.total().base(), seconds, 1e-9);
  EXPECT_NEAR(far.prefill.total().base(), seconds, 1e-9);
}

TEST(Offload, TheNarrowestLinkOnTheWayCounts) {
  const auto checked = test::inference();
  const core::ComputeNode& node = checked.cluster.cluster.node;
  models::OffloadTier tier;
  tier.read_rate.value = core::Bandwidth::from_base(1e12);
  // Four switches of 55 GB/s above four accelerators of 55 GB/s.
  EXPECT_DOUBLE_EQ(models::stream_rate(tier, node).base(), 220e9);
  tier.medium = models::OffloadMedium::kFileSystem;
  const core::NicSet& nics = node.front_end;
  EXPECT_DOUBLE_EQ(models::stream_rate(tier, node).base(), nics.count * nics.nic.num_ports *
                                                               nics.nic.line_rate.value.base() *
                                                               nics.transport.efficiency.value);
  tier.read_rate.value = core::Bandwidth::from_base(1e9);
  EXPECT_DOUBLE_EQ(models::stream_rate(tier, node).base(), 1e9);

  // One request of 4 KiB at a time: 28 us each; then by operations a second.
  tier.latency.value = core::Duration::from_base(28e-6);
  tier.request.value = core::DataSize::from_base(4096.0);
  tier.num_requests.value = 1;
  EXPECT_DOUBLE_EQ(models::read_rate(tier, node).base(), 4096 / 28e-6);
  tier.write_operations_per_s = core::Sourced<double>{1000.0, "test", false};
  EXPECT_DOUBLE_EQ(models::write_rate(tier, node).base(), 4096e3);
  EXPECT_DOUBLE_EQ(models::read_rate(tier, node).base(), 4096 / 28e-6);
}

TEST(Offload, SaysWhatTheLargestTierLacks) {
  const InferenceResult result = run("300 GB", "700 GB");
  EXPECT_FALSE(result.feasible());
  EXPECT_EQ(result.infeasible.back(),
            "weights of 812 GB: the largest tier to offload to holds 700 GB, 112 GB too little");
}

TEST(Offload, WhatFitsIsNotOffloaded) {
  EXPECT_FALSE(run("900 GB", "10 TB", {"inference.model=llama-2-7b"}).offload.has_value());
}

TEST(Slices, AreReplicasOfTheirOwn) {
  const Settings slices{"cluster.node=r760xa-h100-mig-1g.10gb"};
  const InferenceResult result = simulate(test::inference(slices));
  EXPECT_EQ(result.tp, 1);
  EXPECT_FALSE(result.feasible());  // 13.5 GB of weights in 10 GB; two slices would hold them
  try {
    test::inference({slices[0], "inference.tp=2"});
    FAIL();
  } catch (const core::ConfigError& error) {
    EXPECT_NE(std::string(error.what())
                  .find("accelerators of r760xa-h100-mig-1g.10gb do not reach one another"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace railwright::simulation
