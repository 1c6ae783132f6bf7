// SPDX-License-Identifier: Apache-2.0
#include "serving_run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

namespace railwright::simulation {

double seconds_or_infinite(const std::optional<core::Duration>& wanted) {
  return wanted ? wanted->base() : std::numeric_limits<double>::infinity();
}

double add_rates(std::span<const models::Request> requests, double end, ServingRun& run) {
  double tokens = 0.0;
  for (const models::Request& request : requests) tokens += request.output_tokens;
  const double duration = end - requests.front().arrival;
  run.duration = core::Duration::from_base(duration);
  run.requests_per_s = static_cast<double>(requests.size()) / duration;
  run.output_tokens_per_s = tokens / duration;
  return duration;
}

void add_latencies(const models::Inference& inference, std::span<const models::Request> requests,
                   std::span<const Answer> answers, ServingRun& run) {
  const double first_limit = seconds_or_infinite(inference.time_to_first_token);
  const double token_limit = seconds_or_infinite(inference.time_per_output_token);
  std::vector<double> first;
  std::vector<double> between;
  std::vector<double> whole;
  std::size_t num_within = 0;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const double before = inference.prefix_read.base() - requests[i].arrival;
    const double waited = answers[i].first_token + before;
    first.push_back(waited);
    whole.push_back(answers[i].end + before);
    double per_token = 0.0;
    if (requests[i].output_tokens > 1) {
      per_token = (answers[i].end - answers[i].first_token) / (requests[i].output_tokens - 1.0);
      between.push_back(per_token);
    }
    if (waited <= first_limit && per_token <= token_limit) ++num_within;
  }
  run.time_to_first_token = percentiles(first);
  run.time_per_output_token = percentiles(between);
  run.latency = percentiles(whole);
  run.within_latencies = static_cast<double>(num_within) / static_cast<double>(requests.size());
}

ServedLoad::ServedLoad(const Replica& replica, std::int64_t batch, core::Duration start_time)
    : ServedLoad(replica, batch, replica.inference().requests()) {
  const models::RequestLoad& load = *replica.inference().load;
  plan_ = {
      .routing = load.routing, .autoscaling = load.autoscaling, .start_time = start_time.base()};
}

ServedLoad::ServedLoad(const Replica& replica, std::int64_t batch,
                       std::vector<models::Request> requests)
    : inference_(replica.inference()),
      requests_(std::move(requests)),
      answers_(requests_.size()),
      limits_(queue_limits(replica, batch)),
      times_(replica),
      replica_groups_(replica.layout().pp) {}

ServingRun ServedLoad::run(std::int64_t num_replicas) {
  // The groups of requests in the stages of a replica run beside one another.
  const std::int64_t groups = replica_groups_;
  plan_.num_replicas = num_replicas * groups;
  const PoolTotals totals = run_pool(requests_, plan_, limits_, times_, answers_);
  ServingRun run{.num_requests = static_cast<std::int64_t>(requests_.size()),
                 .num_replicas = totals.most_replicas / groups};
  const double duration = add_rates(requests_, totals.end, run);
  run.mean_replicas = totals.replica_seconds / duration / static_cast<double>(groups);
  run.mean_batch = totals.running / totals.iterations * static_cast<double>(groups);
  run.busy_fraction = totals.busy / totals.replica_seconds;
  run.cache_fraction = totals.most_cached / limits_.cache_tokens;
  run.preemptions = totals.preemptions;
  add_latencies(inference_, requests_, answers_, run);
  return run;
}

bool meets_latencies(const models::Inference& inference, const ServingRun& run) {
  return run.within_latencies >= inference.load->percentile;
}

}  // namespace railwright::simulation
