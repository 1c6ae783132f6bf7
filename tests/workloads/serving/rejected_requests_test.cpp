// SPDX-License-Identifier: Apache-2.0
// Requests that no replica has room for are rejected and counted.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "../../support/inference.hpp"
#include "railwright/core/sim/random.hpp"

namespace railwright::simulation {
namespace {

using Settings = std::vector<std::string>;

// Whatever is asked, no cache is fuller than full and no share above one.
TEST(RejectedRequests, NoCacheIsFullerThanFull) {
  core::RandomStream random(11);
  const auto one_of = [&](const std::vector<std::string>& list) {
    return list[random.below(list.size())];
  };
  std::int64_t rejected = 0;
  for (int i = 0; i < 60; ++i) {
    const Settings settings{"inference.model.context=0",
                            "inference.tp=" + one_of({"1", "2"}),
                            "inference.pp=" + one_of({"1", "1", "2"}),
                            "inference.engine=" + one_of({"vllm", "sglang", "tensorrt-llm"}),
                            "inference.memory_share=" + one_of({"0.25", "0.3", "0.9"}),
                            "inference.prompt_tokens=" + one_of({"200", "2000", "9000"}),
                            "inference.output_tokens=" + one_of({"2", "80", "400"}),
                            "inference.load.prompt_spread=" + one_of({"0", "1", "4"}),
                            "inference.load.output_spread=" + one_of({"0", "2"}),
                            "inference.load.arrivals=" + one_of({"at_once", "poisson", "even"}),
                            "inference.load.routing=" + one_of({"in_turn", "fewest_requests"}),
                            "inference.load.replicas=" + one_of({"1", "3"}),
                            "inference.load.percentile=0.5",
                            "inference.load.requests=150",
                            "inference.requests_per_s=" + one_of({"0.2", "3"})};
    const InferenceResult result = simulate(test::inference(settings));
    if (!result.run) continue;
    SCOPED_TRACE(i);
    EXPECT_LE(result.run->cache_fraction, 1.0 + 1e-9);
    EXPECT_LE(result.run->busy_fraction, 1.0 + 1e-9);
    EXPECT_LE(result.run->within_latencies, result.run->taken_share() + 1e-12);
    EXPECT_EQ(result.run->rejected > 0, !result.run->rejected_why.empty());
    rejected += result.run->rejected;
  }
  EXPECT_GT(rejected, 10);
}

const char* const kTrace =
    "inference.load.trace=\"arrival_s,prompt_tokens,output_tokens\\n0,400,20\\n1,600000,20\"";

// One of two requests has no room anywhere; the other is answered as if it came alone.
TEST(RejectedRequests, TheOthersAreAnswered) {
  const Settings base{"inference.model.context=0", "inference.tp=1", "inference.load.replicas=1",
                      kTrace};
  Settings half = base;
  half.emplace_back("inference.load.percentile=0.5");
  const InferenceResult result = simulate(test::inference(half));
  ASSERT_TRUE(result.feasible()) << result.infeasible.front();
  EXPECT_EQ(result.run->num_requests, 2);
  EXPECT_EQ(result.run->rejected, 1);
  EXPECT_EQ(result.run->within_latencies, 0.5);
  EXPECT_NEAR(result.run->output_tokens_per_s * result.run->duration.base(), 20.0, 1e-9);

  const InferenceResult refused = simulate(test::inference(base));
  ASSERT_FALSE(refused.feasible());
  EXPECT_NE(refused.infeasible.front().find("1 of 2 requests are rejected, 1 % may be: the longest "
                                            "keeps 600020 tokens in the cache, which holds"),
            std::string::npos)
      << refused.infeasible.front();
}

TEST(RejectedRequests, PromptsApartRejectWhatEitherKindHasNoRoomFor) {
  const InferenceResult result = simulate(test::inference(
      {"inference.model.context=0", "inference.tp=1", "inference.load.percentile=0.5", kTrace,
       "inference.disaggregated={prefill_tp: 1, prefill_replicas: 1, decode_replicas: 1}"}));
  ASSERT_TRUE(result.run);
  EXPECT_EQ(result.run->rejected, 1);
  EXPECT_LE(result.run->cache_fraction, 1.0);
}

// Lengths that are drawn beyond the model's context are rejected as the engine does.
TEST(RejectedRequests, DrawnLengthsBeyondTheContextAreRejected) {
  const auto with_spread = [](const char* spread) {
    return *simulate(test::inference({"inference.tp=1", "inference.requests_per_s=3",
                                      "inference.load.requests=2000",
                                      "inference.load.percentile=0.5", spread}))
                .run;
  };
  EXPECT_EQ(with_spread("inference.load.prompt_spread=0").rejected, 0);
  const ServingRun spread = with_spread("inference.load.prompt_spread=1");
  // P(lognormal of mean 1000 and spread 1 above 4096 - 101) = 0.022
  EXPECT_NEAR(static_cast<double>(spread.rejected) / 2000.0, 0.022, 0.008);
  EXPECT_NE(spread.rejected_why.find("the context of llama-2-7b 4096"), std::string::npos)
      << spread.rejected_why;
}

}  // namespace
}  // namespace railwright::simulation
