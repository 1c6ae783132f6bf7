// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/money/ownership.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "railwright/core/units/literals.hpp"
#include "railwright/models/money/comparable_costs.hpp"
#include "railwright/models/money/exchange.hpp"

namespace railwright::models {
namespace {

using namespace core::literals;  // NOLINT(google-build-using-namespace)
using core::Duration;
using core::Money;

constexpr double kYear = 365.25 * 86400.0;

Money dollars(double value) { return Money::from_base(value); }
Duration years(double value) { return Duration::from_base(value * kYear); }

/// 1 W for a year is 8.766 kWh.
constexpr double kDollarsPerKilowattHour = 1.0 / 3.6e6;

Prices prices() {
  Prices prices;
  prices.nodes = {{"node", dollars(1000)}};
  prices.nics = {{"nic", dollars(10)}};
  prices.switches = {{"switch", dollars(200)}};
  prices.cables = {{"wire", dollars(1)}};
  prices.ownership = years(4);
  return prices;
}

const std::vector<Purchase> kPurchases = {
    {"nodes", "node", 3}, {"nics", "nic", 8}, {"switches", "switch", 1}, {"cables", "wire", 9}};

TEST(Purchases, AreThePartsTheCablesOfTheBillAndSpares) {
  core::ComputeNode node;
  node.name = "node";
  node.accelerator.name = "gpu";
  node.num_accelerators.value = 8;
  node.nics.nic.name = "nic";
  node.nics.count = 4;
  node.front_end.nic.name = "slow nic";
  node.front_end.count = 2;
  core::PartsList parts;
  parts.parts = {{.kind = "node", .name = "node", .count = 2},
                 {.kind = "nic", .name = "nic", .count = 8},
                 {.kind = "nic", .name = "slow nic", .count = 4},
                 {.kind = "cable", .name = "host link", .count = 8},
                 {.kind = "cable", .name = "storage back-end link", .count = 6},
                 {.kind = "cpu_node", .name = "head", .count = 3}};
  parts.fabric.cables = {{.from = "node", .to = "leaf", .cable = "wire", .count = 8},
                         {.from = "leaf", .to = "spine", .cable = "wire", .count = 5},
                         {.from = "leaf", .to = "core", .cable = "", .count = 7}};
  const auto count = [all = purchases(parts, node, 1)](std::string_view kind,
                                                       std::string_view name) {
    int found = -1;
    for (const Purchase& one : all) {
      if (one.kind == kind && one.name == name) found = one.count;
    }
    return found;
  };
  EXPECT_EQ(count("nodes", "node"), 3);
  EXPECT_EQ(count("accelerators", "gpu"), 24);
  EXPECT_EQ(count("nics", "nic"), 12);
  EXPECT_EQ(count("nics", "slow nic"), 6);
  EXPECT_EQ(count("cables", "wire"), 13);
  EXPECT_EQ(count("cables", "leaf to core"), 7);
  EXPECT_EQ(count("cables", "storage back-end link"), 6);
  EXPECT_EQ(count("cables", "host link"), -1);
  EXPECT_EQ(count("cpu_nodes", "head"), 3);
}

TEST(Ownership, ByHand) {
  Prices p = prices();
  p.electricity = EnergyPrice::from_base(0.1 * kDollarsPerKilowattHour);
  p.maintenance = 0.05;
  p.staff = MoneyRate::from_base(100.0 / kYear);
  const Ownership cost = cost_of_ownership(p, kPurchases, 1000.0_W);
  EXPECT_TRUE(cost.unpriced.empty());
  EXPECT_DOUBLE_EQ(cost.capital.base(), 3000 + 80 + 200 + 9);
  EXPECT_NEAR(cost.electricity.base(), 4 * 8766 * 0.1, 1e-6);
  EXPECT_NEAR(cost.maintenance.base(), 4 * 0.05 * 3289, 1e-9);
  EXPECT_NEAR(cost.staff.base(), 400, 1e-9);
  EXPECT_NEAR(cost.total().base(), 3289 + 3506.4 + 657.8 + 400, 1e-6);
}

/// 16 accelerators at 100 USD a year for four years; 3 nodes at 50 USD and 9 cables at 2 USD to put
/// up; a fifth of 3289 USD is left.
TEST(Ownership, LicencesLabourAndWhatIsLeft) {
  Prices p = prices();
  p.software = {{"support", MoneyRate::from_base(60.0 / kYear)},
                {"licence", MoneyRate::from_base(40.0 / kYear)}};
  p.labour = {{"nodes", dollars(50)}, {"cables", dollars(2)}};
  p.residual = 0.2;
  std::vector<Purchase> with = kPurchases;
  with.push_back({"accelerators", "gpu", 16});
  const Ownership cost = cost_of_ownership(p, with, {});
  EXPECT_NEAR(cost.software.base(), 16 * 100 * 4, 1e-9);
  EXPECT_DOUBLE_EQ(cost.labour.base(), 3 * 50 + 9 * 2);
  EXPECT_NEAR(cost.residual.base(), 657.8, 1e-9);
  EXPECT_NEAR(cost.total().base(), 3289 + 6400 + 168 - 657.8, 1e-9);
  p.discount_rate = 0.25;
  p.ownership = years(2);
  EXPECT_NEAR(cost_of_ownership(p, with, {}).residual.base(), 657.8 / (1.25 * 1.25), 1e-9);
}

TEST(Ownership, LaterYearsWeighLess) {
  Prices p = prices();
  p.maintenance = 0.1;
  p.discount_rate = 0.25;
  p.ownership = years(2);
  // 1 / 1.25 + 1 / 1.25^2 = 1.44 years.
  EXPECT_NEAR(cost_of_ownership(p, kPurchases, {}).maintenance.base(), 1.44 * 328.9, 1e-9);
}

TEST(Ownership, ListsWhatHasNoPrice) {
  Prices p = prices();
  p.nics.clear();
  const Ownership cost = cost_of_ownership(p, kPurchases, 1000.0_W);
  ASSERT_EQ(cost.unpriced.size(), 2U);
  EXPECT_EQ(cost.unpriced[0].name, "nic");
  EXPECT_EQ(cost.unpriced[0].count, 8);
  EXPECT_EQ(cost.unpriced[1].kind, "electricity");
  EXPECT_DOUBLE_EQ(cost.capital.base(), 3209);
  EXPECT_EQ(cost.electricity, Money{});
  // Nothing is not a missing price.
  p.nics = {{"nic", Money{}}};
  EXPECT_EQ(cost_of_ownership(p, kPurchases, {}).unpriced.size(), 1U);
}

TEST(Ownership, AcceleratorsAreInTheirNodesUnlessTheyHaveAPrice) {
  Prices p = prices();
  const std::vector<Purchase> with = {{"nodes", "node", 2}, {"accelerators", "gpu", 16}};
  EXPECT_DOUBLE_EQ(cost_of_ownership(p, with, {}).capital.base(), 2000);
  EXPECT_EQ(cost_of_ownership(p, with, {}).unpriced.size(), 1U);  // electricity
  p.accelerators = {{"gpu", dollars(100)}};
  EXPECT_DOUBLE_EQ(cost_of_ownership(p, with, {}).capital.base(), 3600);
}

TEST(Ownership, JobsThatFillTheirTimePayAll) {
  Prices p = prices();
  p.utilization = 0.8;
  // 80 runs of a hundredth of the years each.
  EXPECT_NEAR(80 * share_of_ownership(p, dollars(1000), years(0.04)).base(), 1000, 1e-9);
  p.discount_rate = 0.25;
  p.ownership = years(2);
  EXPECT_NEAR(share_of_ownership(p, dollars(1152), years(1)).base(), 1000, 1e-9);
}

std::vector<std::string> unpriced(const std::vector<Purchase>& a, const std::vector<Purchase>& b,
                                  CostBasis basis) {
  const core::Power power = core::Power::from_base(1.0);
  const Ownership first = cost_of_ownership(prices(), a, power);
  const Ownership second = cost_of_ownership(prices(), b, power);
  const std::array costs{&first, &second};
  return unpriced_that_decide(costs, basis);
}

TEST(ComparableCosts, PartsWithoutAPriceDecideWhereTheirNumbersDiffer) {
  using Names = std::vector<std::string>;
  const std::vector<Purchase> priced = {{"nodes", "node", 3}};
  const std::vector<Purchase> with_two = {{"nodes", "node", 3}, {"switches", "unknown", 2}};
  const std::vector<Purchase> larger = {{"nodes", "node", 4}, {"switches", "unknown", 2}};
  const std::vector<Purchase> other = {{"nodes", "no price", 1}};
  EXPECT_EQ(unpriced(priced, other, CostBasis::kOwnership), Names{"no price"});
  EXPECT_EQ(unpriced(priced, with_two, CostBasis::kOwnership), Names{"unknown"});
  // Two switches more in each sum change no difference, but they do change a cost per token.
  EXPECT_EQ(unpriced(with_two, larger, CostBasis::kOwnership), Names{});
  EXPECT_EQ(unpriced(with_two, larger, CostBasis::kWork), Names{"unknown"});
  EXPECT_EQ(unpriced(with_two, with_two, CostBasis::kWork), Names{});
}

/// Four NICs of another kind and a switch more; what has no price is named where its number
/// differs.
TEST(Exchange, IsWhatOneHasMoreThanTheOther) {
  const std::vector<Purchase> now = {
      {"nodes", "node", 3}, {"nics", "nic", 8}, {"cables", "fibre", 2}};
  const std::vector<Purchase> then = {
      {"nodes", "node", 3}, {"nics", "nic", 4}, {"switches", "switch", 1}, {"cables", "fibre", 5}};
  const Exchange made = exchange(cost_of_ownership(prices(), now, core::Power{}),
                                 cost_of_ownership(prices(), then, core::Power{}));
  ASSERT_EQ(made.bought.size(), 1U);
  EXPECT_EQ(made.bought[0].purchase.name, "switch");
  EXPECT_DOUBLE_EQ(made.price().base(), 200.0);
  ASSERT_EQ(made.left_over.size(), 1U);
  EXPECT_EQ(made.left_over[0].purchase.count, 4);
  EXPECT_DOUBLE_EQ(made.left_over_new().base(), 40.0);
  EXPECT_EQ(made.unpriced, std::vector<std::string>{"fibre"});
}

}  // namespace
}  // namespace railwright::models
