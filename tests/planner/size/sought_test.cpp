// SPDX-License-Identifier: Apache-2.0
// `size` without a deadline: the most tokens, or the soonest training, within a power or a budget.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "../../support/source_tree.hpp"
#include "quick_size.hpp"
#include "railwright/output/json/json.hpp"
#include "railwright/output/text/verdict.hpp"
#include "railwright/planner/size/size.hpp"
#include "railwright/simulation/scenario/with_settings.hpp"

namespace railwright::test {
namespace {

constexpr double kSecondsOfDay = 86400.0;

/// Llama 2 7B on nodes that never fail, without storage.
planner::SizingResult sized_for(const std::string& goals,
                                const std::vector<std::string>& more = {}) {
  return planner::size(quick_to_size(goals, more), source_catalogue(), {});
}

std::string refused(const std::string& goals, const std::vector<std::string>& more = {}) {
  try {
    sized_for(goals, more);
  } catch (const core::ConfigError& error) {
    return error.what();
  }
  return "nothing";
}

const planner::Sized& chosen(const planner::SizingResult& result) {
  return result.sized.at(result.chosen.value());
}

/// As many whole steps as fit into a day; each trains on its batch of 4,096 tokens a sequence.
TEST(MostTokens, FillTheTimeWithinThePower) {
  const auto result =
      sized_for("{find: most_tokens, deadline: 1 d, power: 60 kW, max_global_batch: 512}");
  ASSERT_TRUE(result.feasible());
  const planner::SizedCluster& cluster = chosen(result).cluster;
  EXPECT_LE(cluster.power().base(), 60e3);
  EXPECT_NE(chosen(result).binds.find("it draws"), std::string::npos) << chosen(result).binds;
  const double step = cluster.result.step_time.base();
  const auto steps = static_cast<double>(cluster.result.steps);
  EXPECT_LE(steps * step, kSecondsOfDay * (1.0 + 1e-9));
  EXPECT_GT((steps + 2.0) * step, kSecondsOfDay);
  const auto batch = static_cast<double>(cluster.configuration.configuration.global_batch);
  EXPECT_DOUBLE_EQ(cluster.tokens, steps * batch * 4096.0);
  const std::string verdict = output::verdict(result);
  EXPECT_NE(verdict.find("billion tokens"), std::string::npos) << verdict;
  EXPECT_NE(output::to_json(result).find("\"find\": \"most_tokens\""), std::string::npos);
}

/// The cluster that trains on the most tokens in a day is the one that trains on five billion
/// soonest.
TEST(Soonest, IsTheSameClusterForTokensThatAreGiven) {
  const std::string limits = "power: 60 kW, max_global_batch: 512}";
  const auto most = sized_for("{find: most_tokens, deadline: 1 d, " + limits);
  const auto soonest = sized_for("{tokens: 5e9, " + limits);
  ASSERT_TRUE(soonest.feasible());
  EXPECT_EQ(soonest.find, simulation::Sought::kSoonest);
  const planner::SizedCluster& cluster = chosen(soonest).cluster;
  EXPECT_EQ(cluster.num_nodes, chosen(most).cluster.num_nodes);
  const auto batch = static_cast<double>(cluster.configuration.configuration.global_batch);
  const double steps = std::ceil(5e9 / (batch * 4096.0));
  EXPECT_NEAR(cluster.training_time.base(), steps * cluster.result.step_time.base(),
              1e-6 * cluster.training_time.base());
}

/// Nodes alone have a price, 100,000 USD: half a million buys five, and they train for the four
/// years.
TEST(MostTokens, OfABudgetInTheYearsOfOwnership) {
  const auto result = sized_for(
      "{find: most_tokens, budget: 500000 USD, max_global_batch: 512}",
      {"prices={nodes: {xe9680-h100: 100000 USD}, electricity: 0 USD/kWh, ownership: 4 y, "
       "utilization: 0.5}"});
  ASSERT_TRUE(result.feasible());
  EXPECT_NEAR(result.deadline.base(), 2 * 365.25 * kSecondsOfDay, 1.0);
  EXPECT_NE(chosen(result).binds.find("6 nodes: it costs 600000 USD"), std::string::npos)
      << chosen(result).binds;
  EXPECT_LE(chosen(result).cluster.num_nodes, 5);
  EXPECT_NEAR(chosen(result).cluster.training_time / result.deadline, 1.0, 1e-4);
}

/// 17 days of January, 28 of February, 31 of March, 30 of April and 31 of May.
TEST(MostTokens, ByADay) {
  const auto result = sized_for(
      "{find: most_tokens, start: 2027-01-15, by: 2027-06-01, power: 25 kW, max_global_batch: "
      "512}");
  EXPECT_DOUBLE_EQ(result.deadline.base(), (17 + 28 + 31 + 30 + 31) * kSecondsOfDay);
}

TEST(Goals, SayWhatTheyLack) {
  const auto says = [](const std::string& text, const char* words) {
    EXPECT_NE(text.find(words), std::string::npos) << text;
  };
  says(refused("{tokens: 5e9}"), "what limits the cluster?");
  says(refused("{find: smallest, power: 1 MW}"), "goals.deadline: missing");
  says(refused("{find: most_tokens, power: 1 MW}"), "in which time?");
  says(refused("{find: most_tokens, deadline: 1 d, power: 1 MW, tokens: 5e9}"), "has no use");
  says(refused("{by: 2027-06-01, power: 1 MW}"), "`start` and `by` go together");
  says(refused("{start: 2027-06-01, by: 2027-02-30}"), "'2027-02-30' is no day");
  says(refused("{start: 2027-06-01, by: 2027-01-15}"), "is not after `start`");
  says(refused("{deadline: 1 d, start: 2027-01-15, by: 2027-06-01}"),
       "is given together with `deadline`");
}

}  // namespace
}  // namespace railwright::test
