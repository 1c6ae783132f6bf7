// SPDX-License-Identifier: Apache-2.0
// Claims of an offer: which hold, which cannot, and what the others depend on.
#include "railwright/validation/offers/check_offer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "../../support/source_tree.hpp"
#include "railwright/output/json/offer_json.hpp"
#include "railwright/output/text/offer_text.hpp"

namespace railwright::test {
namespace {

using validation::CheckedClaim;
using validation::CheckedOffer;
using validation::OfferVerdict;

/// Twenty-four nodes with a NIC for each of eight accelerators, and six storage nodes.
constexpr const char* kOffer = R"(
offer: for this test
scenarios:
  cluster:
    workload: {model: llama-2-7b, sequence_length: 4096, global_batch: 192, micro_batch: 1, steps: 100}
    parallelism: {tp: 2, pp: 1}
    cluster:
      nodes: 4
      node: {model: xe9680-h100, nics: {nic: connectx-7, count: 8}}
      fabric: {topology: single_switch, switch: qm9790}
      storage: {node: powerscale-f710, count: 6, switch: z9664f-on, num_switches: 2}
    software: nemo-23.11
    installation: neutral
claims:
)";

CheckedOffer checked(const std::string& claims, const std::string& offer = kOffer) {
  return validation::check_offer(core::parse_yaml(offer + claims, "offer.yaml"),
                                 source_catalogue());
}

CheckedClaim only(const std::string& claim) {
  CheckedOffer offer = checked("  - " + claim);
  EXPECT_EQ(offer.claims.size(), 1U);
  return std::move(offer.claims.front());
}

bool says(const CheckedClaim& claim, const std::string& words) {
  return claim.why.find(words) != std::string::npos;
}

std::string problem_of(const std::string& claims) {
  try {
    checked(claims);
  } catch (const core::ConfigError& error) {
    return error.what();
  }
  return "nothing";
}

/// 24 x 8 = 192 ports, and 2 x 16 between the switches.
TEST(CheckOffer, AddsUpPorts) {
  const CheckedClaim refuted =
      only("{claim: two switches do, is: 24 * 8 + 2 * 16, published: 128, bound: at_most}");
  EXPECT_EQ(refuted.verdict, OfferVerdict::kCannotHold);
  EXPECT_DOUBLE_EQ(*refuted.figures.predicted, 224.0);
  const CheckedClaim held =
      only("{claim: four do, is: 24 * 8 + 2 * 16, published: 256, bound: at_most}");
  EXPECT_EQ(held.verdict, OfferVerdict::kHolds);
  EXPECT_TRUE(held.why.empty());
}

/// Nobody publishes what an F710 reads; the catalogue has 15 GB/s, from 10 to 19. Six of them reach
/// 100 GB/s from 16.67 GB/s on, and never 120.
TEST(CheckOffer, ANumberThatIsKnownWithinARangeIsWhatAClaimDependsOn) {
  const std::string is =
      "is: '@cluster.cluster.storage.count * storage_nodes/powerscale-f710:read_rate'";
  const CheckedClaim depends = only("{" + is + ", published: 100 GB/s}");
  EXPECT_EQ(depends.verdict, OfferVerdict::kDependsOn) << depends.why;
  EXPECT_NEAR(*depends.figures.predicted, 6 * 15e9, 1.0);
  EXPECT_TRUE(says(depends, "read_rate of 16.6 GB/s") || says(depends, "read_rate of 16.7 GB/s"))
      << depends.why;
  const CheckedClaim refuted = only("{" + is + ", published: 120 GB/s}");
  EXPECT_EQ(refuted.verdict, OfferVerdict::kCannotHold);
  EXPECT_TRUE(says(refuted, "at best 114 GB/s")) << refuted.why;  // 6 x 19
}

/// Half of the last digit is within a figure: 12.4 rounds to 12, 12.6 does not.
TEST(CheckOffer, AFigureHoldsWithinItsLastDigit) {
  const auto of = [](const std::string& is) {
    return only("{is: " + is + ", published: 12 kW, bound: at_most}").verdict;
  };
  EXPECT_EQ(of("4 * 3.1 kW"), OfferVerdict::kHolds);
  EXPECT_EQ(of("4 * 3.15 kW"), OfferVerdict::kCannotHold);
}

/// A step is 6 x 6.74e9 x 192 x 4096 FLOPs and those of attention, over 32 x 989 TFLOP/s: 1.0 s at
/// the peak. An eighth of that cannot be, in any format or at any site.
TEST(CheckOffer, NothingBeatsThePeak) {
  const CheckedClaim claim = only("{output: step_time_s, published: 0.125 s}");
  EXPECT_EQ(claim.verdict, OfferVerdict::kCannotHold);
  EXPECT_TRUE(says(claim, "TFLOP/s of each accelerator's 989")) << claim.why;
  EXPECT_TRUE(says(claim, "software.precision=fp8")) << claim.why;
}

/// What a step takes in fp8, and a thousandth more, is claimed without the format.
TEST(CheckOffer, AFormatThatIsNotStatedIsNamed) {
  const std::string set = ", set: [software.precision=fp8]}";
  const double whole = *only("{output: step_time_s, published: 9 s}").figures.predicted;
  const double narrow = *only("{output: step_time_s, published: 9 s" + set).figures.predicted;
  ASSERT_LT(narrow, whole);
  const std::string figure =
      "{output: step_time_s, published: " + std::to_string(1.001 * narrow) + " s";
  const CheckedClaim claim = only(figure + "}");
  ASSERT_EQ(claim.verdict, OfferVerdict::kDependsOn) << claim.why;
  EXPECT_TRUE(says(claim, "with software.precision=fp8")) << claim.why;
  EXPECT_TRUE(says(claim, "taken as bf16")) << claim.why;
  EXPECT_EQ(only(figure + set).verdict, OfferVerdict::kHolds);
}

/// More is better of rates, less of all else; neither is said.
TEST(CheckOffer, KnowsWhichSideIsBetter) {
  const CheckedOffer offer = checked(
      "  - {output: tokens_per_s, published: 1}\n"
      "  - {output: step_time_s, published: 1 d}\n"
      "  - {output: power.peak_power_w, published: 1 MW}\n"
      "  - {output: racks, published: 99}\n"
      "  - {output: fabric.ports_used, published: 31}\n");
  EXPECT_EQ(offer.count(OfferVerdict::kHolds), 4);
  EXPECT_EQ(offer.claims[4].verdict, OfferVerdict::kCannotHold);  // 4 x 8 = 32
  EXPECT_FALSE(offer.feasible());
}

/// A rack of 40 kW holds all four nodes, of less than 10 kW each; all else has one of its own.
TEST(CheckOffer, CountsRacks) {
  EXPECT_DOUBLE_EQ(*only("{output: racks, published: 2}").figures.predicted, 2.0);
}

TEST(CheckOffer, SaysWhatWasChosen) {
  const CheckedOffer offer = checked("  - {output: step_time_s, published: 1 h}\n",
                                     "offer: short\nscenarios: {a: {workload: {model: llama-2-7b}, "
                                     "cluster: {nodes: 1, node: dgx-h100}}}\nclaims:\n");
  const auto has = [&](const char* key) {
    return std::ranges::any_of(offer.not_stated,
                               [&](const planner::Chosen& one) { return one.key == key; });
  };
  EXPECT_TRUE(has("software"));
  EXPECT_TRUE(has("workload.global_batch"));
  EXPECT_NE(output::to_text(offer).find("not stated"), std::string::npos);
  EXPECT_NE(output::to_json(offer).find("\"verdict\": \"holds\""), std::string::npos);
}

TEST(CheckOffer, MistakesAreNamedWithTheirClaim) {
  EXPECT_NE(problem_of("  - {published: 1}").find("claims.claim 1: needs either `output` or `is`"),
            std::string::npos);
  EXPECT_NE(problem_of("  - {output: step_time_s, published: soon}").find("offer.yaml:"),
            std::string::npos);
  EXPECT_NE(problem_of("  - {output: step_time, published: 1 s}").find("did you mean"),
            std::string::npos);
  EXPECT_NE(
      problem_of("  - {output: step_time_s, published: 1 s, scenario: b}").find("no scenario 'b'"),
      std::string::npos);
  EXPECT_NE(
      problem_of("  - {output: step_time_s, published: 1 s, set: [workload.modl=x]}").find("modl"),
      std::string::npos);
}

/// The claims of the documents that their suite rejects, with the same numbers.
TEST(CheckOffer, RefutesWhatTheDocumentsClaim) {
  const CheckedOffer offer = validation::check_offer(
      core::load_yaml(kSource + "/examples/offer-refuted-claims.yaml"), source_catalogue());
  EXPECT_EQ(offer.count(OfferVerdict::kCannotHold), 5);
  const auto why = [&](std::size_t i, const std::string& words) {
    EXPECT_NE(offer.claims[i].why.find(words), std::string::npos) << offer.claims[i].why;
  };
  why(0, "11.4 %");
  why(1, "192 host ports and 2 x 16 inter-switch ports; 2 x qm9790 have 128");
  EXPECT_EQ(offer.claims[2].verdict, OfferVerdict::kHolds);
  why(3, "2.5 TB/s is 9.92 GB/s of each of 252 storage nodes");  // 2.5e12 / 252
  EXPECT_LT(*offer.claims[4].figures.predicted, 0.01);
  why(5, "1.23 s a step");  // (3.32 x 60 - 150) / 40
}

}  // namespace
}  // namespace railwright::test
