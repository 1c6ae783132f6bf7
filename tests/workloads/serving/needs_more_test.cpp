// SPDX-License-Identifier: Apache-2.0
// Accelerators that a service is known to need more than, against those that simulate() finds.
#include "railwright/workloads/serving/needs_more.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "../../../workloads/src/serving/serving_run.hpp"
#include "../../support/inference.hpp"
#include "railwright/topologies/topology.hpp"

namespace railwright::simulation {
namespace {

using Settings = std::vector<std::string>;

const Settings kChat = {"cluster.nodes=64",
                        "inference.model=llama-3.1-8b",
                        "inference.tp=1",
                        "inference.requests_per_s=400",
                        "inference.time_to_first_token=0.3 s",
                        "inference.time_per_output_token=30 ms",
                        "inference.load={requests: 4000, prompt_spread: 1, output_spread: 1, "
                        "percentile: 0.95}"};

class NeedsMore : public testing::TestWithParam<std::string> {};

TEST_P(NeedsMore, NeverThanAreFoundToDo) {
  Settings settings = kChat;
  settings.push_back(GetParam());
  const CheckedInference checked = test::inference(settings);
  const auto built = checked.cluster.topology->build(checked.cluster.cluster);
  const InferenceResult found = simulate(checked, built);
  ASSERT_TRUE(found.feasible()) << found.infeasible.front();
  const std::int64_t enough = found.num_accelerators;
  ASSERT_GT(enough, 10);
  for (const std::int64_t more : {0, 1, 2, 5}) {
    EXPECT_FALSE(surely_needs_more(checked, built, enough + more)) << more;
  }
  EXPECT_TRUE(surely_needs_more(checked, built, enough / 2));
  EXPECT_TRUE(surely_needs_more(checked, built, 1));
}

INSTANTIATE_TEST_SUITE_P(Services, NeedsMore,
                         testing::Values("inference.load.routing=in_turn",
                                         "inference.load.routing=fewest_requests",
                                         "inference.disaggregated={prefill_tp: 1}"));

// Of few requests some more may be late by chance: of 200 two may be, of 20,000 two hundred.
TEST(SurelyLate, TakesMoreThanChance) {
  Settings settings = kChat;
  settings.emplace_back("inference.load.percentile=0.99");
  const models::Inference inference = test::inference(settings).inference;
  EXPECT_FALSE(are_surely_late(inference, 191.0 / 200, 200));
  EXPECT_TRUE(are_surely_late(inference, 190.0 / 200, 200));
  EXPECT_FALSE(are_surely_late(inference, 0.981, 20000));
  EXPECT_TRUE(are_surely_late(inference, 0.979, 20000));
  // A run that may stop goes on as long.
  const RunRequests requests{.all = std::vector<models::Request>(200), .count = 200};
  const std::vector<std::size_t> one(1);
  auto late =
      late_requests(inference, requests, IfLate::kStopsIfSurely, [](std::size_t) { return true; });
  ASSERT_TRUE(late);
  for (int i = 0; i < 9; ++i) late->count(one);
  EXPECT_FALSE(late->are_too_many());
  late->count(one);
  EXPECT_TRUE(late->are_too_many());
}

// Replicas that are stated, users and requests that come at once ask for no number.
TEST(NeedsMoreOfOthers, IsNotTold) {
  for (const std::string load : {"inference.load.replicas=1", "inference.load.arrivals=at_once"}) {
    Settings settings = kChat;
    settings.push_back(load);
    const CheckedInference checked = test::inference(settings);
    const auto built = checked.cluster.topology->build(checked.cluster.cluster);
    EXPECT_FALSE(surely_needs_more(checked, built, 1)) << load;
  }
}

}  // namespace
}  // namespace railwright::simulation
