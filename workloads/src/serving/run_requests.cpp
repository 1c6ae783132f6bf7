// SPDX-License-Identifier: Apache-2.0
#include "run_requests.hpp"

#include <cmath>
#include <iterator>
#include <utility>

namespace railwright::simulation {

namespace {

/// Requests that come before those that count, and after them, at most: a bound on time and memory
/// where all replicas are simulated.
constexpr std::int64_t kMaxAround = 200'000;

/// Residence times of a mean request until the load is steady. Long answers stay longer: with
/// lognormal lengths 95 % of the requests of the steady state are under way then, up to a spread of
/// 2.
double residences(double spread) { return std::min(2.0 + 2.0 * spread * spread, 20.0); }

/// Returns the seconds to add to the time of a token: it counts from the arrival on.
double before_first_token(const models::Inference& inference, const models::Request& request) {
  return inference.before_prompt(request.prompt_tokens).base() - request.arrival;
}

/// Takes the requests out that no replica takes.
void drop_rejected(const Rejection& rejection, RunRequests& run) {
  std::vector<models::Request> taken;
  std::int64_t longest = 0;
  const std::size_t counted_end = run.first + run.count;
  std::size_t before = 0;
  std::size_t counted = 0;
  for (std::size_t i = 0; i < run.all.size(); ++i) {
    const models::Request& request = run.all[i];
    std::string reason = rejection(request);
    const bool counts = i >= run.first && i < counted_end;
    if (reason.empty()) {
      if (i < run.first) ++before;
      if (counts) ++counted;
      taken.push_back(request);
    } else if (counts) {
      ++run.rejected.count;
      const std::int64_t tokens = std::int64_t{request.prompt_tokens} + request.output_tokens;
      if (tokens > std::exchange(longest, std::max(longest, tokens))) {
        run.rejected.reason = std::move(reason);
      }
    }
  }
  run.all = std::move(taken);
  run.first = before;
  run.count = counted;
}

}  // namespace

RunRequests whole_run(std::vector<models::Request> requests, const Rejection& rejection) {
  RunRequests run{.all = std::move(requests)};
  run.count = run.all.size();
  if (run.count > 0) run.window.begin = run.all.front().arrival;
  if (rejection) drop_rejected(rejection, run);
  return run;
}

RunRequests steady_run(const models::Inference& inference, const SteadyService& service,
                       const Rejection& rejection) {
  const models::RequestLoad& load = *inference.load;
  const double wanted = inference.wanted_requests_per_s();
  const double warm = service.residence * residences(load.output_spread) + service.settling;
  const double cool = service.residence * (1.0 + load.output_spread);
  const auto replicas = static_cast<double>(service.num_replicas);
  const double around = wanted * (warm + cool) / replicas;  // requests of a replica
  const double enough = std::clamp(std::ceil(load.requests / around), 1.0, replicas);
  RunRequests run{.part = {.taken = service.takes_in_turn ? static_cast<std::int64_t>(enough)
                                                          : service.num_replicas,
                           .of = service.num_replicas}};
  const double rate = wanted * static_cast<double>(run.part.taken) / replicas;
  const auto after =
      static_cast<std::int64_t>(std::min(std::ceil(rate * cool), static_cast<double>(kMaxAround)));
  run.all =
      models::draw_earlier_requests(load, wanted, inference.prompt_tokens, inference.output_tokens,
                                    {.time = warm, .most = kMaxAround}, run.part);
  run.first = run.all.size();
  run.count = static_cast<std::size_t>(load.requests);
  const std::vector<models::Request> drawn = models::draw_requests(
      load, wanted, inference.prompt_tokens, inference.output_tokens, after, run.part);
  std::ranges::copy(drawn, std::back_inserter(run.all));

  double length = std::max(drawn[run.count - 1].arrival, static_cast<double>(run.count) / rate);
  const double period = load.period.base();
  if (load.swing > 0.0 && length >= period) length = std::floor(length / period) * period;
  const double begin = std::max(-run.all.front().arrival, 0.0);
  for (models::Request& request : run.all) request.arrival += begin;
  run.window = {.begin = begin, .end = begin + length};
  drop_rejected(rejection, run);
  return run;
}

double seconds_or_infinite(const std::optional<core::Duration>& wanted) {
  return wanted ? wanted->base() : std::numeric_limits<double>::infinity();
}

Waits waits_of(const models::Inference& inference, const models::Request& request,
               const Answer& answer) {
  Waits waits{.first_token = answer.first_token + before_first_token(inference, request)};
  if (request.output_tokens > 1) {
    waits.output_token = (answer.end - answer.first_token) / (request.output_tokens - 1.0);
  }
  return waits;
}

bool are_in_time(const models::Inference& inference, const Waits& waits) {
  return waits.first_token <= seconds_or_infinite(inference.time_to_first_token) &&
         waits.output_token <= seconds_or_infinite(inference.time_per_output_token);
}

void add_rates(const RunRequests& requests, std::span<const Answer> answers, double end,
               ServingRun& run) {
  const double until = std::isfinite(requests.window.end) ? requests.window.end : end;
  const double duration = until - requests.window.begin;
  double ended = 0.0;
  double tokens = 0.0;
  for (std::size_t i = 0; i < requests.all.size(); ++i) {
    if (answers[i].end < requests.window.begin || answers[i].end > until) continue;
    ended += 1.0;
    tokens += requests.all[i].output_tokens;
  }
  const double all_replicas =
      static_cast<double>(requests.part.of) / static_cast<double>(requests.part.taken);
  run.duration = core::Duration::from_base(duration);
  run.requests_per_s = ended / duration * all_replicas;
  run.output_tokens_per_s = tokens / duration * all_replicas;
}

void add_latencies(const models::Inference& inference, const RunRequests& requests,
                   std::span<const Answer> answers, ServingRun& run) {
  std::vector<double> first;
  std::vector<double> between;
  std::vector<double> whole;
  std::size_t num_within = 0;
  for (std::size_t i = requests.first; i < requests.first + requests.count; ++i) {
    const models::Request& request = requests.all[i];
    const Waits waits = waits_of(inference, request, answers[i]);
    first.push_back(waits.first_token);
    whole.push_back(answers[i].end + before_first_token(inference, request));
    if (request.output_tokens > 1) between.push_back(waits.output_token);
    if (are_in_time(inference, waits)) ++num_within;
  }
  run.time_to_first_token = percentiles(first);
  run.time_per_output_token = percentiles(between);
  run.latency = percentiles(whole);
  run.within_latencies =
      static_cast<double>(num_within) / static_cast<double>(requests.num_asked());
}

}  // namespace railwright::simulation
