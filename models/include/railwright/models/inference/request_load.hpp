// SPDX-License-Identifier: Apache-2.0
// Arriving requests: their number, times and lengths.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "railwright/core/config/fields.hpp"

namespace railwright::models {

enum class Arrivals : std::uint8_t { kAtOnce, kPoisson, kGamma, kEven };

/// The requests of a simulated run.
struct RequestLoad {
  int requests = 1000;
  Arrivals arrivals = Arrivals::kPoisson;
  double burstiness = 0.5;
  double prompt_spread = 0.0;
  double output_spread = 0.0;
  std::optional<int> replicas;
  double percentile = 0.99;
  int seed = 1;

  static constexpr auto fields() {
    using core::between;
    using core::field;
    using core::optional;
    using L = RequestLoad;
    return core::field_list(
        field("requests", &L::requests, "Requests of the run.", between(1, 10'000'000)),
        field("arrivals", &L::arrivals,
              "When they come: all at once; as a Poisson process, at times drawn from a gamma "
              "distribution, or at even times, at the wanted requests a second.",
              optional),
        field("burstiness", &L::burstiness,
              "Shape of that gamma distribution: 1 is a Poisson process, less comes in bursts, "
              "more is more even. [@vllm_arguments]",
              between(0.01, 1000), optional),
        field("prompt_spread", &L::prompt_spread,
              "Standard deviation of the tokens of prompts over their mean, drawn from a lognormal "
              "distribution; 0: all alike.",
              between(0, 10), optional),
        field("output_spread", &L::output_spread, "As prompt_spread, of answers.", between(0, 10),
              optional),
        field("replicas", &L::replicas,
              "Replicas that answer; where absent, the fewest that meet the latencies.",
              between(1, 1'000'000)),
        field("percentile", &L::percentile,
              "Share of the requests that the wanted latencies must hold for.",
              between(0.01, 0.9999), optional),
        field("seed", &L::seed, "Of the draws.", between(0, 2'000'000'000), optional));
  }
};

struct Request {
  double arrival = 0.0;  ///< seconds
  std::int32_t prompt_tokens = 1;
  std::int32_t output_tokens = 1;
};

/// Draws requests in the order of arrival; the same seed gives the same requests on every machine.
std::vector<Request> draw_requests(const RequestLoad& load, double requests_per_s,
                                   double prompt_tokens, double output_tokens);

}  // namespace railwright::models

namespace railwright::core {
template <>
struct EnumNames<models::Arrivals> {
  static constexpr std::array<std::pair<std::string_view, models::Arrivals>, 4> kNames{
      {{"at_once", models::Arrivals::kAtOnce},
       {"poisson", models::Arrivals::kPoisson},
       {"gamma", models::Arrivals::kGamma},
       {"even", models::Arrivals::kEven}}};
};
}  // namespace railwright::core
