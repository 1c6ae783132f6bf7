// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/inference/request_load.hpp"

#include <algorithm>
#include <cmath>

#include "railwright/core/sim/portable_math.hpp"
#include "railwright/core/sim/random.hpp"

namespace railwright::models {

namespace {

constexpr double kMostTokens = 1e8;

/// Draws a normal variable by Marsaglia's polar method; one of its two numbers is enough here.
double normal(core::RandomStream& random) {
  while (true) {
    const double x = 2.0 * random.uniform() - 1.0;
    const double y = 2.0 * random.uniform() - 1.0;
    const double square = x * x + y * y;
    if (square >= 1.0 || square == 0.0) continue;
    return x * std::sqrt(-2.0 * core::portable_log(square) / square);
  }
}

/// Draws tokens from a lognormal with this mean, whose standard deviation is `spread` of it; at
/// least one token.
std::int32_t tokens_of(core::RandomStream& random, double mean, double spread) {
  if (spread == 0.0) return static_cast<std::int32_t>(std::llround(mean));
  const double variance = core::portable_log(1.0 + spread * spread);
  const double drawn =
      mean * core::portable_exp(std::sqrt(variance) * normal(random) - 0.5 * variance);
  return static_cast<std::int32_t>(std::llround(std::clamp(drawn, 1.0, kMostTokens)));
}

}  // namespace

std::vector<Request> draw_requests(const RequestLoad& load, double requests_per_s,
                                   double prompt_tokens, double output_tokens) {
  const auto seed = static_cast<std::uint64_t>(load.seed);
  core::RandomStream arrivals(seed, 0);
  core::RandomStream prompts(seed, 1);
  core::RandomStream outputs(seed, 2);
  std::vector<Request> list(static_cast<std::size_t>(load.requests));
  double time = 0.0;
  for (Request& request : list) {
    if (load.arrivals == Arrivals::kPoisson) time += arrivals.exponential(1.0 / requests_per_s);
    if (load.arrivals == Arrivals::kEven) time += 1.0 / requests_per_s;
    request = {.arrival = time,
               .prompt_tokens = tokens_of(prompts, prompt_tokens, load.prompt_spread),
               .output_tokens = tokens_of(outputs, output_tokens, load.output_spread)};
  }
  return list;
}

}  // namespace railwright::models
