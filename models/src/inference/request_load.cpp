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

constexpr double kMaxTokens = 1e8;

constexpr auto kColumns = std::to_array<core::NumberColumn>({
    {.name = "arrival_s", .most = 1e9},
    {.name = "prompt_tokens", .least = 1.0, .most = kMaxTokens, .is_whole = true},
    {.name = "output_tokens", .least = 1.0, .most = kMaxTokens, .is_whole = true},
});

/// Draws tokens from a lognormal with this mean, whose standard deviation is `spread` of it, or
/// evenly from `shortest` of it on; at least one token.
std::int32_t tokens_of(core::RandomStream& random, double mean, double spread, double shortest) {
  const double share = shortest < 1.0 ? shortest + (1.0 - shortest) * random.uniform() : 1.0;
  const double drawn = random.lognormal(mean * share, spread);
  return static_cast<std::int32_t>(std::llround(std::clamp(drawn, 1.0, kMaxTokens)));
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

enum class Side : std::uint8_t { kBefore, kAfter };

/// First random stream of the requests on a side of time 0, of three.
constexpr std::uint64_t first_stream(Side side) { return side == Side::kAfter ? 0 : 3; }

/// Requests one after another, each with its distance from time 0 without a swing.
class RequestSource {
 public:
  RequestSource(const RequestLoad& load, double requests_per_s, const TakenRequests& part,
                Side side)
      : load_(load),
        requests_per_s_(requests_per_s),
        part_(part),
        arrivals_(static_cast<std::uint64_t>(load.seed), first_stream(side)),
        prompts_(static_cast<std::uint64_t>(load.seed), first_stream(side) + 1),
        outputs_(static_cast<std::uint64_t>(load.seed), first_stream(side) + 2) {
    if (side == Side::kAfter) return;
    // Times after 0 begin with requests that are taken; of even times one is at 0.
    in_turn_ = part.taken;
    if (load.arrivals == Arrivals::kEven) time_ = -1.0 / requests_per_s;
  }

  Request next(double prompt_tokens, double output_tokens) {
    if (in_turn_ == part_.taken) {
      if (part_.of > part_.taken) time_ += time_of(part_.of - part_.taken);
      in_turn_ = 0;
    }
    ++in_turn_;
    time_ += time_of(1);
    return {
        .arrival = time_,
        .prompt_tokens = tokens_of(prompts_, prompt_tokens, load_.prompt_spread, load_.shortest),
        .output_tokens = tokens_of(outputs_, output_tokens, load_.output_spread, load_.shortest)};
  }

 private:
  /// Draws the time in which so many come: a sum of gamma variables is one.
  double time_of(std::int64_t count) {
    const auto number = static_cast<double>(count);
    switch (load_.arrivals) {
      case Arrivals::kAtOnce:
        return 0.0;
      case Arrivals::kPoisson:
        return count == 1 ? arrivals_.exponential(1.0 / requests_per_s_)
                          : arrivals_.gamma(number) * number / requests_per_s_;
      case Arrivals::kGamma:
        return arrivals_.gamma(load_.burstiness * number) * number / requests_per_s_;
      case Arrivals::kEven:
        return number / requests_per_s_;
    }
    return 0.0;
  }

  const RequestLoad& load_;
  double requests_per_s_;
  TakenRequests part_;
  core::RandomStream arrivals_;
  core::RandomStream prompts_;
  core::RandomStream outputs_;
  std::int64_t in_turn_ = 0;
  double time_ = 0.0;
};

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
                                   double prompt_tokens, double output_tokens, std::int64_t more,
                                   const TakenRequests& part) {
  RequestSource source(load, requests_per_s, part, Side::kAfter);
  std::vector<Request> list(static_cast<std::size_t>(load.requests + more));
  for (Request& request : list) {
    request = source.next(prompt_tokens, output_tokens);
    request.arrival = swung(load, request.arrival);
  }
  return list;
}

std::vector<Request> draw_lengths(const RequestLoad& load, std::int64_t count, double prompt_tokens,
                                  double output_tokens) {
  RequestLoad untimed = load;
  untimed.arrivals = Arrivals::kAtOnce;
  RequestSource source(untimed, 1.0, {}, Side::kAfter);
  std::vector<Request> list(static_cast<std::size_t>(count));
  for (Request& request : list) request = source.next(prompt_tokens, output_tokens);
  return list;
}

std::vector<Request> draw_earlier_requests(const RequestLoad& load, double requests_per_s,
                                           double prompt_tokens, double output_tokens,
                                           const EarlierSpan& span, const TakenRequests& part) {
  RequestSource source(load, requests_per_s, part, Side::kBefore);
  std::vector<Request> list;
  while (std::ssize(list) < span.most) {
    Request request = source.next(prompt_tokens, output_tokens);
    request.arrival = -swung(load, request.arrival);
    if (request.arrival < -span.time) break;
    list.push_back(request);
  }
  std::ranges::reverse(list);
  return list;
}

}  // namespace railwright::models
