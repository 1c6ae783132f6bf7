// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/inference/request_load.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "railwright/core/config/number_table.hpp"
#include "railwright/core/sim/random.hpp"

namespace railwright::models {

namespace {

constexpr double kMostTokens = 1e8;

constexpr auto kColumns = std::to_array<core::NumberColumn>({
    {.name = "arrival_s", .most = 1e9},
    {.name = "prompt_tokens", .least = 1.0, .most = kMostTokens, .is_whole = true},
    {.name = "output_tokens", .least = 1.0, .most = kMostTokens, .is_whole = true},
});

/// Draws tokens from a lognormal with this mean, whose standard deviation is `spread` of it; at
/// least one token.
std::int32_t tokens_of(core::RandomStream& random, double mean, double spread) {
  const double drawn = random.lognormal(mean, spread);
  return static_cast<std::int32_t>(std::llround(std::clamp(drawn, 1.0, kMostTokens)));
}

/// Returns the time at which as many requests have come with the swing as without it at `steady`.
double swung(const RequestLoad& load, double steady) {
  if (load.swing == 0.0) return steady;
  const double reach = load.swing * load.period.base() / (2.0 * std::numbers::pi);
  double low = std::max(steady - reach, 0.0);
  double high = steady + reach;
  for (int i = 0; i < 48; ++i) {
    const double time = 0.5 * (low + high);
    const double come = time - reach * std::sin(2.0 * std::numbers::pi * time / load.period.base());
    (come < steady ? low : high) = time;
  }
  return high;
}

}  // namespace

std::vector<Request> read_requests(std::string_view trace, const core::Location& where,
                                   std::vector<core::Diagnostic>& problems) {
  std::vector<Request> list;
  for (const std::vector<double>& row : core::read_number_table(trace, kColumns, "request", where,
                                                                "inference.load.trace", problems)) {
    list.push_back({.arrival = row[0],
                    .prompt_tokens = static_cast<std::int32_t>(row[1]),
                    .output_tokens = static_cast<std::int32_t>(row[2])});
  }
  std::ranges::stable_sort(list, {}, &Request::arrival);
  const double first = list.empty() ? 0.0 : list.front().arrival;
  for (Request& request : list) request.arrival -= first;
  return list;
}

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
    if (load.arrivals == Arrivals::kGamma) {
      time += arrivals.gamma(load.burstiness) / requests_per_s;
    }
    if (load.arrivals == Arrivals::kEven) time += 1.0 / requests_per_s;
    request = {.arrival = swung(load, time),
               .prompt_tokens = tokens_of(prompts, prompt_tokens, load.prompt_spread),
               .output_tokens = tokens_of(outputs, output_tokens, load.output_spread)};
  }
  return list;
}

}  // namespace railwright::models
