// SPDX-License-Identifier: Apache-2.0
// Power and cost of a service, by hand.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "../../support/inference.hpp"
#include "railwright/output/text/text.hpp"

namespace railwright::simulation {
namespace {

using Settings = std::vector<std::string>;

const char* const kPrices =
    "prices={ownership: 1461 d, electricity: 0.1 USD/kWh, nodes: {xe8640: 200000 USD}}";

InferenceResult service_with(Settings settings) {
  settings.insert(settings.begin(), "inference.tp=1");
  return simulate(test::inference(settings));
}

TEST(ServingPower, IdlesAndAnswersInTheShareOfItsLoad) {
  const double one = service_with({}).cycle.requests_per_s();
  const auto at = [&](double share) {
    return service_with({"inference.requests_per_s=" + std::to_string(share * one)});
  };
  const InferenceResult half = at(0.5);
  const InferenceResult full = at(1.0 - 1e-6);
  ASSERT_TRUE(half.power && full.power);
  // One of the four accelerators of a node works, half of the time.
  EXPECT_NEAR(half.power->busy_fraction, 0.125, 1e-6);
  EXPECT_NEAR(full.power->busy_fraction, 0.25, 1e-6);
  const core::Power idle = full.power->node.of(models::Activity::kIdle);
  const core::Power of_load =
      full.power->mean.nodes.total() - idle * 2.0;  // a node at work, one redundant
  EXPECT_NEAR((half.power->mean.nodes.total() - idle * 2.0) / of_load, 0.5, 1e-5);
  EXPECT_GT(of_load.base(), 0.0);
  EXPECT_LT(full.power->mean_power(), full.power->peak_power());
  // Half the tokens for hardly less power.
  EXPECT_GT(half.power->energy_per_token(), full.power->energy_per_token() * 1.5);
}

TEST(ServingPower, ABuildingTakesMoreAndACapSlows) {
  const InferenceResult plain = service_with({});
  const InferenceResult housed = service_with({"power.pue=1.5"});
  EXPECT_NEAR(housed.power->mean_power() / plain.power->mean_power(), 1.5, 1e-12);
  const InferenceResult capped = service_with({"power.node_cap=2 kW"});
  EXPECT_GT(capped.prefill.total(), plain.prefill.total());
  EXPECT_LE(capped.power->node.of(models::Activity::kCompute).base(), 2000.0 * (1.0 + 1e-12));
}

TEST(ServingPower, AMillionTokensCostTheirShareOfTheYears) {
  const InferenceResult result = service_with({kPrices, "inference.requests_per_s=5"});
  ASSERT_TRUE(result.cost);
  const double hours = 1461.0 * 24.0;
  const double electricity = result.power->mean_power().base() / 1e3 * hours * 0.1;
  const double total = 200000.0 * 2 + electricity;  // a node for the load, one redundant
  EXPECT_NEAR(result.cost->ownership.total().base() / total, 1.0, 1e-9);
  const double tokens = 5.0 * 101.0 * hours * 3600.0;
  EXPECT_NEAR(result.cost->per_million_tokens.base() / (total / tokens * 1e6), 1.0, 1e-9);
  // Switch, NICs and cables have none.
  EXPECT_FALSE(result.cost->ownership.unpriced.empty());
  const std::string text = output::to_text(result);
  EXPECT_NE(text.find("a million output tokens"), std::string::npos);
  EXPECT_NE(text.find("without a price 1 x qm9790"), std::string::npos) << text;
}

TEST(ServingPower, SaysNothingWhereTheClusterIsTooSmall) {
  const InferenceResult result = service_with({kPrices, "inference.requests_per_s=100000"});
  EXPECT_FALSE(result.feasible());
  EXPECT_FALSE(result.power);
  EXPECT_FALSE(result.cost);
}

TEST(ServingPower, MoreLoadNeverDrawsLess) {
  double last = 0.0;
  for (const int rate : {1, 2, 5, 10, 20, 40, 60, 80}) {
    const InferenceResult result =
        service_with({"inference.requests_per_s=" + std::to_string(rate)});
    if (!result.power) break;
    EXPECT_GE(result.power->mean_power().base(), last * (1.0 - 1e-12)) << rate;
    last = result.power->mean_power().base();
  }
}

}  // namespace
}  // namespace railwright::simulation
