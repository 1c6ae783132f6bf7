// SPDX-License-Identifier: Apache-2.0
// What spares a service work: drafted tokens, prompts that are cached, keys out of reach.
#include <gtest/gtest.h>

#include <cmath>

#include "../../support/inference.hpp"
#include "railwright/models/inference/footprint.hpp"
#include "railwright/models/inference/request_load.hpp"
#include "railwright/models/inference/speculative.hpp"

namespace railwright::simulation {
namespace {

using Settings = std::vector<std::string>;

InferenceResult on_one(Settings settings) {
  settings.insert(settings.begin(), "inference.tp=1");
  return simulate(test::inference(settings));
}

std::string speculative(double acceptance, int tokens = 3) {
  return "inference.speculative={acceptance: " + std::to_string(acceptance) +
         ", draft_tokens: " + std::to_string(tokens) + "}";
}

TEST(SpeculativeDecoding, GivesTheAcceptedTokensAndOneMore) {
  EXPECT_EQ((models::SpeculativeDecoding{.acceptance = {0.0, "", false}}.tokens_per_step()), 1.0);
  EXPECT_EQ((models::SpeculativeDecoding{.acceptance = {1.0, "", false}}.tokens_per_step()), 4.0);
  // 1 + 1/2 + 1/4 + 1/8
  EXPECT_DOUBLE_EQ((models::SpeculativeDecoding{.acceptance = {0.5, "", false}}.tokens_per_step()),
                   1.875);
}

/// Two in three or so: 1 + 0.7 + 0.49 + 0.343.
TEST(SpeculativeDecoding, TakesTheMiddleOfWhatIsPublished) {
  EXPECT_NEAR(models::SpeculativeDecoding{}.tokens_per_step(), 2.533, 1e-9);
}

TEST(SpeculativeDecoding, TakesWhatIsPublishedOfTheModel) {
  models::Transformer model;
  EXPECT_FALSE(models::published_acceptance(model, 3));
  model.acceptance_lengths = {{1.8, 2.3, 2.5}, "a test", false};
  for (const int tokens : {1, 2, 3}) {
    const auto acceptance = models::published_acceptance(model, tokens);
    ASSERT_TRUE(acceptance);
    const models::SpeculativeDecoding drafts{.draft_tokens = tokens, .acceptance = *acceptance};
    EXPECT_NEAR(drafts.tokens_per_step(),
                model.acceptance_lengths->value[static_cast<std::size_t>(tokens) - 1], 1e-9);
  }
  // Beyond what was measured each token is accepted as often.
  EXPECT_EQ(models::published_acceptance(model, 6)->value,
            models::published_acceptance(model, 3)->value);
}

TEST(SpeculativeDecoding, OfAStatedAcceptanceOrDraftIsNotThePublishedOne) {
  const auto read = [](const std::string& drafts) {
    return test::inference({"inference.model=qwen3.5-397b-a17b", "inference.tp=8",
                            "inference.weights=fp8", "cluster.node=dgx-b200",
                            "inference.speculative=" + drafts})
        .inference.speculative->tokens_per_step();
  };
  EXPECT_NEAR(read("{draft_tokens: 3}"), 3.39, 1e-6);
  EXPECT_NEAR(read("{draft_tokens: 3, acceptance: 0.5}"), 1.875, 1e-9);
}

TEST(SpeculativeDecoding, SpeedsUpAUserAsOftenAsItIsRight) {
  const auto user = [](const Settings& more) {
    Settings settings{"inference.max_batch=1"};
    settings.insert(settings.end(), more.begin(), more.end());
    return on_one(settings).time_per_output_token().base();
  };
  const double plain = user({});
  double before = 1e9;
  for (const double acceptance : {0.0, 0.3, 0.6, 0.9, 1.0}) {
    const double drafted = user({speculative(acceptance)});
    EXPECT_LT(drafted, before) << acceptance;
    before = drafted;
  }
  EXPECT_GT(user({speculative(0.0)}), plain);
  // One request's step reads the weights: four tokens take little longer than one, and each drafted
  // one takes a layer of 32 and the head.
  const double draft_share = 3.0 * (1.0 / 32 + 0.02);
  EXPECT_NEAR(plain / user({speculative(1.0)}), 4.0 / (1.0 + draft_share), 0.25);
}

TEST(SpeculativeDecoding, IsWorkThatALargeBatchHasNoRoomFor) {
  const auto gain = [](const std::string& batch) {
    const Settings short_prompts{batch, "inference.prompt_tokens=16"};
    Settings drafted = short_prompts;
    drafted.push_back(speculative(0.7));
    return on_one(short_prompts).time_per_output_token() / on_one(drafted).time_per_output_token();
  };
  EXPECT_GT(gain("inference.max_batch=1"), 1.8);
  EXPECT_LT(gain("inference.max_batch=512"), 0.8 * gain("inference.max_batch=1"));
}

TEST(SpeculativeDecoding, ADraftModelTakesTimeAndMemory) {
  const std::string draft =
      "inference.speculative={acceptance: 0.7, draft_tokens: 3, draft: llama-2-7b}";
  const InferenceResult own = on_one({speculative(0.7), "inference.max_batch=1"});
  const InferenceResult other = on_one({draft, "inference.max_batch=1"});
  EXPECT_GT(other.time_per_output_token().base(), 2.0 * own.time_per_output_token().base());
  const auto line = [](const InferenceResult& result) {
    return result.memory.lines.back().size.base();
  };
  EXPECT_EQ(other.memory.lines.back().name, "draft");
  EXPECT_EQ(line(other), 2.0 * 6'738'415'616.0);
  EXPECT_LT(line(own), line(other) / 30.0);
}

// Requests one by one come at the rate of the mean iteration, with both shortcuts.
TEST(ServingShortcuts, OfManyRequestsAtOnceAreTheSteadyRate) {
  const InferenceResult result =
      on_one({"inference.load.replicas=1", "inference.load.arrivals=at_once",
              "inference.load.requests=20000", speculative(0.6), "inference.prefix_hit_rate=0.4"});
  EXPECT_NEAR(result.run->requests_per_s / result.cycle.requests_per_s(), 1.0, 0.05);
  EXPECT_NEAR(result.run->output_tokens_per_s * result.run->duration.base(), 20000.0 * 101, 1.0);
  EXPECT_LE(result.run->cache_fraction, 1.0);
}

TEST(PrefixCaching, SparesTheTokensThatAreThere) {
  double before = 1e9;
  for (const char* share : {"0", "0.3", "0.6", "0.9", "1"}) {
    const double first = on_one({std::string("inference.prefix_hit_rate=") + share,
                                 "inference.engine.host_launch=0 us"})
                             .prefill.total()
                             .base();
    EXPECT_LT(first, before) << share;
    before = first;
  }
  // A token passes even where all are there, and as much cache is taken.
  const InferenceResult all = on_one({"inference.prefix_hit_rate=1"});
  EXPECT_EQ(all.cycle.pieces, 1.0);
  EXPECT_EQ(all.largest_batch, on_one({}).largest_batch);
}

TEST(LocalAttention, KeepsWhatIsInReach) {
  models::Transformer model;
  model.num_layers = 36;
  EXPECT_EQ(models::kept_tokens(model, 8192), 8192);
  model.local_attention = {.window = 128, .global_every = 2};
  EXPECT_EQ(models::kept_tokens(model, 8192), (128 + 8192) / 2.0);
  EXPECT_EQ(models::kept_tokens(model, 100), 100);
  const Settings whole{"inference.model.local_attention={window: 100000}"};
  const Settings near{"inference.model.local_attention={window: 100}"};
  EXPECT_EQ(on_one(whole).largest_batch, on_one({}).largest_batch);
  EXPECT_NEAR(static_cast<double>(on_one(near).largest_batch) /
                  static_cast<double>(on_one({}).largest_batch),
              1101.0 / 100.0, 0.2);
}

TEST(Arrivals, OfAGammaDistributionComeInBursts) {
  for (const double shape : {0.2, 1.0, 4.0}) {
    const models::RequestLoad load{
        .requests = 200'000, .arrivals = models::Arrivals::kGamma, .burstiness = shape, .seed = 3};
    const auto requests = models::draw_requests(load, 5.0, 10, 10);
    double sum = 0.0;
    double squares = 0.0;
    double last = 0.0;
    for (const models::Request& request : requests) {
      const double between = request.arrival - last;
      last = request.arrival;
      sum += between;
      squares += between * between;
    }
    const double mean = sum / static_cast<double>(requests.size());
    const double variance = squares / static_cast<double>(requests.size()) - mean * mean;
    EXPECT_NEAR(mean * 5.0, 1.0, 0.02) << shape;
    EXPECT_NEAR(variance / (mean * mean) * shape, 1.0, 0.05) << shape;
  }
}

TEST(SpeculativeDecoding, SaysWhatCannotBe) {
  const auto refusal = [](const Settings& settings) -> std::string {
    try {
      test::inference(settings);
    } catch (const core::ConfigError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(refusal({"inference.speculative={acceptance: 0.5, draft: llama-3.1-8b}"})
                .find("a draft must be of the same"),
            std::string::npos);
  EXPECT_EQ(refusal({"inference.speculative={draft_tokens: 3}"}), "");
  EXPECT_NE(refusal({speculative(1.2)}).find("acceptance"), std::string::npos);
  EXPECT_NE(refusal({"inference.max_batch=4000", speculative(0.5)}).find("4 tokens a step"),
            std::string::npos);
}

}  // namespace
}  // namespace railwright::simulation
