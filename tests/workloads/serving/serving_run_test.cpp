// SPDX-License-Identifier: Apache-2.0
// Requests one by one: against closed forms of queues, a second simulation, and what must be kept.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "../../../workloads/src/serving/request_queue.hpp"
#include "../../support/inference.hpp"
#include "railwright/core/fabric/fabric.hpp"
#include "slow_queue.hpp"

namespace railwright::simulation {
namespace {

using Settings = std::vector<std::string>;

ServingRun run_of(Settings settings, const Settings& more = {}) {
  settings.insert(settings.begin(), {"inference.tp=1", "inference.load.replicas=1"});
  settings.insert(settings.end(), more.begin(), more.end());
  return *simulate(test::inference(settings)).run;
}

/// One request at a time: the times between arrivals and the service are all there is.
const Settings kOneByOne{"inference.max_batch=1", "inference.load.requests=20000",
                         "inference.output_tokens=51", "inference.engine.request_overhead=0 s",
                         "inference.engine.token_overhead=0 s"};

double service(const Settings& more = {}) {
  Settings settings = kOneByOne;
  settings.insert(settings.end(), more.begin(), more.end());
  return run_of(settings, {"inference.load.arrivals=even", "inference.requests_per_s=0.001"})
      .latency.mean.base();
}

std::string rate(double requests_per_s) {
  return "inference.requests_per_s=" + std::to_string(requests_per_s);
}

// Pollaczek and Khinchine: the mean wait is rho s / (2 (1 - rho)) where all answers take as long.
TEST(ServingRun, WaitsAsTheQueueOfOneServerWithFixedServiceDoes) {
  const double s = service();
  for (const double rho : {0.3, 0.6, 0.8}) {
    const double waited = run_of(kOneByOne, {rate(rho / s)}).latency.mean.base() - s;
    EXPECT_NEAR(waited / (rho * s / (2.0 * (1.0 - rho))), 1.0, 0.06) << rho;
  }
}

// With answers of a lognormal length: lambda E[s^2] / (2 (1 - rho)), from the drawn services.
TEST(ServingRun, WaitsAsTheQueueOfOneServerWithDrawnServiceDoes) {
  const Settings drawn{"inference.load.output_spread=0.7"};
  const double mean = service(drawn);
  const double fixed = service({"inference.output_tokens=1"});
  // A service is the prompt's iteration and the steps of its answer.
  const double variance = std::pow(0.7 * 51 / 50 * (mean - fixed), 2);
  const double rho = 0.6;
  Settings settings = kOneByOne;
  settings.insert(settings.end(), drawn.begin(), drawn.end());
  const double waited = run_of(settings, {rate(rho / mean)}).latency.mean.base() - mean;
  const double expected = rho / mean * (mean * mean + variance) / (2.0 * (1.0 - rho));
  EXPECT_NEAR(waited / expected, 1.0, 0.12);
}

/// A replica of one accelerator, on a cluster that lives as long.
struct OneReplica {
  CheckedInference checked = test::inference(
      {"inference.tp=1", "inference.engine.max_tokens=2500", "inference.max_batch=24"});
  topologies::BuiltCluster built = checked.cluster.topology->build(checked.cluster.cluster);
  Replica replica{checked, built.fabric, {1}, std::nullopt};
  IterationTimes times{replica};
};

std::vector<models::Request> mixed_requests(models::Arrivals arrivals, double per_s = 12.0) {
  return models::draw_requests({.requests = 400,
                                .arrivals = arrivals,
                                .prompt_spread = 1.2,
                                .output_spread = 0.8,
                                .seed = 7},
                               per_s, 900, 60);
}

constexpr std::array kArrivals{models::Arrivals::kPoisson, models::Arrivals::kAtOnce,
                               models::Arrivals::kEven};

void expect_as_slow(OneReplica& one, const std::vector<models::Request>& requests,
                    const QueueLimits& limits, QueueTotals& totals) {
  std::vector<Answer> fast(requests.size());
  std::vector<Answer> slow(requests.size());
  totals = test::run_one(requests, limits, one.times, fast);
  test::simulate_slowly(requests, limits, one.times, slow);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    ASSERT_NEAR(fast[i].first_token, slow[i].first_token, 1e-9) << i;
    ASSERT_NEAR(fast[i].end, slow[i].end, 1e-9) << i;
    ASSERT_LT(requests[i].arrival, fast[i].first_token);
    ASSERT_LE(fast[i].first_token, fast[i].end);
  }
}

TEST(ServingRun, EndsEachRequestWhenASecondSimulationDoes) {
  OneReplica one;
  for (const auto arrivals : kArrivals) {
    const QueueLimits limits{.max_batch = 24, .max_tokens = 2500, .cache_tokens = 30000};
    QueueTotals totals;
    expect_as_slow(one, mixed_requests(arrivals), limits, totals);
    EXPECT_LE(totals.most_cached, limits.cache_tokens);
    EXPECT_EQ(totals.preemptions, 0);
  }
}

// An engine that preempts admits more at a time and passes some requests twice.
TEST(ServingRun, PreemptsAsASecondSimulationDoes) {
  OneReplica one;
  for (const auto arrivals : kArrivals) {
    const QueueLimits limits{
        .max_batch = 24, .max_tokens = 2500, .cache_tokens = 6000, .preempts = true};
    QueueTotals totals;
    const auto requests = mixed_requests(arrivals);
    expect_as_slow(one, requests, limits, totals);
    EXPECT_GT(totals.preemptions, 10);
  }
}

// SGLang passes prompts before it goes on with answers, and looks for requests now and then.
TEST(ServingRun, PassesPromptsAloneAsASecondSimulationDoes) {
  OneReplica one;
  const auto requests = mixed_requests(models::Arrivals::kPoisson);
  double tokens_given = 0.0;
  for (const auto& request : requests) tokens_given += request.output_tokens;
  for (const std::int64_t interval : {1, 10, 30}) {
    for (const double cache_tokens : {30000.0, 6000.0}) {
      const QueueLimits limits{.max_batch = 24,
                               .max_tokens = 2500,
                               .cache_tokens = cache_tokens,
                               .preempts = true,
                               .mixes_prompts = false,
                               .receive_interval = interval};
      QueueTotals totals;
      expect_as_slow(one, requests, limits, totals);
      if (totals.preemptions == 0) {
        EXPECT_EQ(totals.steps + 400.0, tokens_given);
      }
    }
  }
}

// TensorRT-LLM passes prompts whole. All prepare an iteration as the one before begins.
TEST(ServingRun, PassesWholePromptsLaterAsASecondSimulationDoes) {
  OneReplica one;
  for (const auto arrivals : kArrivals) {
    const auto requests = mixed_requests(arrivals);
    for (const bool splits : {false, true}) {
      for (const bool preempts : {false, true}) {
        const QueueLimits limits{.max_batch = 24,
                                 .max_tokens = 2500,
                                 .cache_tokens = preempts ? 6000.0 : 30000.0,
                                 .preempts = preempts,
                                 .splits_prompts = splits,
                                 .looks_ahead = true};
        QueueTotals totals;
        expect_as_slow(one, requests, limits, totals);
      }
    }
  }
}

// The second prompt waits for an iteration of its own; the third, which no iteration holds, passes
// in pieces.
TEST(ServingRun, AWholePromptWaitsForRoom) {
  OneReplica one;
  const std::vector<models::Request> requests{{.prompt_tokens = 1500, .output_tokens = 1},
                                              {.prompt_tokens = 1500, .output_tokens = 1},
                                              {.prompt_tokens = 3000, .output_tokens = 1}};
  const auto first_tokens = [&](bool splits) {
    std::vector<Answer> answers(3);
    std::vector<double> times;
    const QueueLimits limits{
        .max_batch = 8, .max_tokens = 2000, .cache_tokens = 30000, .splits_prompts = splits};
    RequestQueue queue(requests, limits, one.times, answers);
    for (std::size_t i = 0; i < 3; ++i) queue.push(i);
    queue.run_until(std::numeric_limits<double>::infinity());
    for (const Answer& answer : answers) times.push_back(answer.first_token);
    return times;
  };
  const auto pass = [&](double tokens, double keys) {
    return one.times({.prompts = 1.0, .prompt_tokens = tokens, .prompt_keys = keys});
  };
  const std::vector<double> whole = first_tokens(false);
  EXPECT_NEAR(whole[0], pass(1500, 1500), 1e-12);
  EXPECT_NEAR(whole[1], 2 * pass(1500, 1500), 1e-12);
  EXPECT_NEAR(whole[2], whole[1] + pass(2000, 2000) + pass(1000, 3000), 1e-12);
  const std::vector<double> pieces = first_tokens(true);
  EXPECT_GT(pieces[0], whole[0]);  // 500 tokens of the second pass beside it
  EXPECT_LT(pieces[2], whole[2]);
}

// One that comes in the middle of a step takes part in the step after the next.
TEST(ServingRun, APreparedIterationIsWaitedFor) {
  OneReplica one;
  const std::vector<models::Request> requests{
      {.arrival = 0.0, .prompt_tokens = 1000, .output_tokens = 1000},
      {.arrival = 0.5, .prompt_tokens = 1000, .output_tokens = 2}};
  std::vector<double> waited;
  for (const bool ahead : {false, true}) {
    std::vector<Answer> answers(2);
    const QueueLimits limits{
        .max_batch = 8, .max_tokens = 8192, .cache_tokens = 30000, .looks_ahead = ahead};
    test::run_one(requests, limits, one.times, answers);
    waited.push_back(answers[1].first_token - requests[1].arrival);
  }
  const double step = one.times({.decodes = 1.0, .decode_tokens = 1.0, .context = 1100.0});
  EXPECT_NEAR(waited[1] - waited[0], step, 0.1 * step);
}

// A request that comes while answers are given is seen after so many steps: here in the mean half.
TEST(ServingRun, RequestsWaitUntilTheyAreSeen) {
  OneReplica one;
  const std::vector<models::Request> requests{
      {.arrival = 0.0, .prompt_tokens = 1000, .output_tokens = 1000},
      {.arrival = 0.5, .prompt_tokens = 1000, .output_tokens = 2}};
  std::vector<double> waited;
  for (const std::int64_t interval : {1, 200}) {
    std::vector<Answer> answers(2);
    test::run_one(requests,
                  {.max_batch = 8,
                   .max_tokens = 8192,
                   .cache_tokens = 30000,
                   .mixes_prompts = false,
                   .receive_interval = interval},
                  one.times, answers);
    waited.push_back(answers[1].first_token - requests[1].arrival);
  }
  const double step = one.times({.decodes = 1.0, .decode_tokens = 1.0, .context = 1100.0});
  EXPECT_GT(waited[1], waited[0]);
  EXPECT_LE(waited[1] - waited[0], 200.0 * step * 1.1);
}

// Each token is given once: by the end of a prompt, or by a step. Prompts pass once without
// preemption, and the cache is empty at the end.
TEST(ServingRun, KeepsTokensAndCache) {
  OneReplica one;
  for (const auto& [preempts, mixes] : {std::pair{false, true}, {true, true}, {false, false}}) {
    for (const auto arrivals : kArrivals) {
      const auto requests = mixed_requests(arrivals);
      const QueueLimits limits{.max_batch = 24,
                               .max_tokens = 2500,
                               .cache_tokens = 6000,
                               .preempts = preempts,
                               .mixes_prompts = mixes};
      std::vector<Answer> answers(requests.size());
      RequestQueue queue(requests, limits, one.times, answers);
      double longest = 0.0;
      double prompts = 0.0;
      double outputs = 0.0;
      for (std::size_t i = 0; i < requests.size(); ++i) {
        queue.run_until(requests[i].arrival);
        queue.push(i);
        prompts += requests[i].prompt_tokens;
        outputs += requests[i].output_tokens;
        longest = std::max(longest, double(requests[i].prompt_tokens) + requests[i].output_tokens);
      }
      queue.run_until(std::numeric_limits<double>::infinity());
      const QueueTotals& totals = queue.totals();
      const double passes = 400.0 + static_cast<double>(totals.preemptions);
      if (preempts) {
        EXPECT_GT(totals.prompt_tokens, prompts);
        // One that lost its cache while its prompt passed gives no token more.
        EXPECT_GE(totals.steps + passes, outputs);
        EXPECT_LE(totals.steps + 400.0, outputs);
      } else {
        EXPECT_EQ(totals.prompt_tokens, prompts);
        EXPECT_EQ(totals.steps + passes, outputs);
      }
      EXPECT_EQ(queue.num_requests(), 0);
      EXPECT_NEAR(queue.kept_tokens(), 0.0, 1e-6);
      EXPECT_LE(totals.most_cached, std::max(limits.cache_tokens, longest));
    }
  }
}

// Little: the mean number of requests, looked at from outside, is their rate times their latency.
TEST(ServingRun, HoldsAsManyRequestsAsLittleSays) {
  OneReplica one;
  for (const double per_s : {4.0, 12.0}) {
    const auto requests = mixed_requests(models::Arrivals::kPoisson, per_s);
    const QueueLimits limits{.max_batch = 24, .max_tokens = 2500, .cache_tokens = 30000};
    std::vector<Answer> answers(requests.size());
    RequestQueue queue(requests, limits, one.times, answers);
    const double step = 1e-3;
    std::size_t next = 0;
    double sum = 0.0;
    for (double now = step / 2; next < requests.size() || queue.num_requests() > 0; now += step) {
      for (; next < requests.size() && requests[next].arrival < now; ++next) {
        queue.run_until(requests[next].arrival);
        queue.push(next);
      }
      queue.run_until(now);
      sum += static_cast<double>(queue.num_requests()) * step;
    }
    double latencies = 0.0;
    for (std::size_t i = 0; i < requests.size(); ++i) {
      latencies += answers[i].end - requests[i].arrival;
    }
    EXPECT_NEAR(sum / latencies, 1.0, 1e-3) << per_s;
  }
}

// Steady answers of many requests come at the rate that the mean iteration says.
TEST(ServingRun, OfManyRequestsAtOnceIsTheSteadyRate) {
  const InferenceResult result = simulate(
      test::inference({"inference.tp=1", "inference.load.replicas=1",
                       "inference.load.arrivals=at_once", "inference.load.requests=20000"}));
  EXPECT_NEAR(result.run->requests_per_s / result.cycle.requests_per_s(), 1.0, 0.04);
  EXPECT_NEAR(result.run->output_tokens_per_s * result.run->duration.base(), 20000.0 * 101, 1.0);
  EXPECT_NEAR(result.run->busy_fraction, 1.0, 1e-9);
  EXPECT_LE(result.run->cache_fraction, 1.0);
}

// Products and collectives of 129 requests are those of 256, where no graph is between.
TEST(ServingRun, PaddedStepsTakeTheTimeOfTheirGraph) {
  const Settings one_node{"inference.tp=2", "inference.prompt_tokens=1"};
  const auto step = [&](const char* batch, const char* graphs) {
    Settings settings = one_node;
    settings.push_back(std::string("inference.max_batch=") + batch);
    settings.push_back(std::string("inference.engine.graph_batches=") + graphs);
    return simulate(test::inference(settings)).decode;
  };
  const auto padded = step("129", "[1, 128, 256]");
  const auto exact = step("129", "[]");
  EXPECT_GT(padded.total(), exact.total());
  EXPECT_EQ(padded.communication, step("256", "[]").communication);
  EXPECT_EQ(step("128", "[1, 128, 256]").total(), step("128", "[]").total());
}

TEST(ServingRun, MoreRequestsWaitLongerAndMoreReplicasShorter) {
  double before = 0.0;
  for (const double per_s : {2.0, 8.0, 16.0, 24.0}) {
    const ServingRun one = run_of({"inference.load.requests=3000", rate(per_s)});
    EXPECT_GE(one.latency.mean.base(), before * 0.999) << per_s;
    before = one.latency.mean.base();
  }
  const Settings load{"inference.load.requests=3000", rate(60)};
  const ServingRun one = run_of(load);
  const ServingRun four = run_of(load, {"inference.load.replicas=4"});
  EXPECT_LT(four.time_to_first_token.p99, one.time_to_first_token.p99);
  EXPECT_GT(four.requests_per_s, one.requests_per_s);
}

// Wanted latencies hold for the wanted share, and with one replica less they do not.
TEST(ServingRun, ReplicasAreTheFewestThatKeepTheLatencies) {
  const Settings load{"inference.tp=1",
                      "inference.requests_per_s=60",
                      "inference.load.requests=4000",
                      "inference.time_to_first_token=0.4 s",
                      "inference.time_per_output_token=40 ms",
                      "cluster.nodes=16"};
  const InferenceResult result = simulate(test::inference(load));
  ASSERT_TRUE(result.feasible()) << result.infeasible.front();
  EXPECT_GE(result.run->within_latencies, 0.99);
  EXPECT_LE(result.run->time_to_first_token.p90.base(), 0.4);
  ASSERT_GT(result.num_replicas, 1);
  Settings fewer = load;
  fewer.push_back("inference.load.replicas=" + std::to_string(result.num_replicas - 1));
  const InferenceResult missed = simulate(test::inference(fewer));
  EXPECT_FALSE(missed.feasible());
  EXPECT_NE(missed.infeasible.back().find("99 % are wanted"), std::string::npos)
      << missed.infeasible.back();
}

TEST(RequestLoad, DrawsTheSameAndTheMeanThatIsAsked) {
  const models::RequestLoad load{
      .requests = 100000, .prompt_spread = 0.5, .output_spread = 1.0, .seed = 3};
  const auto requests = models::draw_requests(load, 5.0, 1000, 200);
  const auto again = models::draw_requests(load, 5.0, 1000, 200);
  double prompts = 0.0;
  double outputs = 0.0;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    prompts += requests[i].prompt_tokens;
    outputs += requests[i].output_tokens;
    ASSERT_EQ(requests[i].arrival, again[i].arrival);
    ASSERT_EQ(requests[i].output_tokens, again[i].output_tokens);
  }
  EXPECT_NEAR(prompts / 1e5, 1000, 8);
  EXPECT_NEAR(outputs / 1e5, 200, 3);
  EXPECT_NEAR(requests.back().arrival / 1e5, 1 / 5.0, 0.003);
}

// As many requests come in a period as without the swing, most in its middle.
TEST(RequestLoad, SwingsAroundTheMean) {
  const models::RequestLoad load{.requests = 20000,
                                 .arrivals = models::Arrivals::kEven,
                                 .swing = 0.8,
                                 .period = core::Duration::from_base(1000.0)};
  const auto requests = models::draw_requests(load, 20.0, 10, 10);
  EXPECT_NEAR(requests.back().arrival, 1000.0, 0.5);
  const auto within = [&](double from, double to) {
    return std::ranges::count_if(requests, [&](const models::Request& one) {
      return one.arrival >= from && one.arrival < to;
    });
  };
  EXPECT_NEAR(static_cast<double>(within(0, 100)) / 100, 20 * (1 - 0.8 * 0.9355), 0.2);
  EXPECT_NEAR(static_cast<double>(within(450, 550)) / 100, 20 * (1 + 0.8 * 0.9836), 0.2);
}

}  // namespace
}  // namespace railwright::simulation
