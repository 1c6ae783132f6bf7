// SPDX-License-Identifier: Apache-2.0
#include "serving_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "railwright/core/arithmetic.hpp"
#include "railwright/models/inference/footprint.hpp"
#include "railwright/models/workload/layers.hpp"

namespace railwright::simulation {

namespace {

/// Returns the share in time below which so many of `num_asked` are late that this is no chance.
double surely_late_share(double percentile, std::int64_t num_asked) {
  const auto asked = static_cast<double>(num_asked);
  const double allowed = (1.0 - percentile) * asked;
  return percentile - std::max(allowed, 3.0 * std::sqrt(allowed) + 3.0) / asked;
}

}  // namespace

std::string why_rejected(const models::Inference& inference, double cache_tokens,
                         const models::Request& request) {
  const std::int64_t tokens = std::int64_t{request.prompt_tokens} + request.output_tokens;
  const std::int64_t context = models::longest_context(inference.model);
  if (context > 0 && tokens > context) {
    return fmt::format("the longest has {} tokens, the context of {} {}", tokens,
                       inference.model.name, context);
  }
  const double kept = models::kept_tokens(inference.model, static_cast<double>(tokens));
  if (kept <= cache_tokens) return {};
  return fmt::format("the longest keeps {:.0f} tokens in the cache, which holds {:.0f}", kept,
                     cache_tokens);
}

double residence_of(const models::BatchCycle& prompts, const models::BatchCycle& answers,
                    double output_tokens) {
  return prompts.time_to_first_token().base() +
         answers.time_per_output_token().base() * output_tokens;
}

ServingRun late_run(const RunRequests& requests, std::int64_t num_replicas, double share) {
  return {.num_requests = requests.num_asked(),
          .num_replicas = num_replicas,
          .mean_replicas = static_cast<double>(num_replicas),
          .rejected = requests.rejected.count,
          .rejected_why = requests.rejected.reason,
          .within_latencies = share};
}

ServingRun rejected_run(const RunRequests& requests, std::int64_t num_replicas) {
  return late_run(requests, num_replicas, 0.0);
}

ServedLoad::ServedLoad(const Replica& replica, std::int64_t batch, core::Duration start_time)
    : ServedLoad(replica, batch, std::vector<models::Request>{}) {
  const models::RequestLoad& load = *inference_.load;
  plan_ = {
      .routing = load.routing, .autoscaling = load.autoscaling, .start_time = start_time.base()};
  whole_.reset();
  if (!load.keeps_coming() && !load.has_users()) {
    whole_ = whole_run(inference_.requests(), rejection());
  }
}

ServedLoad::ServedLoad(const Replica& replica, std::int64_t batch,
                       std::vector<models::Request> requests)
    : replica_(replica),
      inference_(replica.inference()),
      batch_(batch),
      limits_(queue_limits(replica, batch)),
      times_(replica),
      groups_(std::min<std::int64_t>(replica.layout().pp, batch)) {
  whole_ = whole_run(std::move(requests), {});
}

Rejection ServedLoad::rejection() const {
  return [this](const models::Request& request) {
    return why_rejected(inference_, limits_.cache_tokens, request);
  };
}

/// Returns the mean behaviour of a replica with as many requests under way as its share of the load
/// takes; of a full batch where autoscaling sets the share.
models::BatchCycle ServedLoad::steady_cycle(std::int64_t num_replicas) const {
  if (plan_.autoscaling) return replica_.cycle(batch_);
  const double share = inference_.wanted_requests_per_s() / static_cast<double>(num_replicas);
  const std::int64_t too_few = largest_batch(batch_ - 1, [&](std::int64_t batch) {
    return replica_.cycle(batch).requests_per_s() < share;
  });
  return replica_.cycle(too_few + 1);
}

RunRequests ServedLoad::requests_on(std::int64_t num_replicas) const {
  const models::BatchCycle cycle = steady_cycle(num_replicas);
  SteadyService service{.residence = residence_of(cycle, cycle, inference_.output_tokens),
                        .num_replicas = num_replicas * groups_};
  if (plan_.autoscaling) {
    service.settling = plan_.start_time + plan_.autoscaling->scale_down_after.base() +
                       2.0 * plan_.autoscaling->interval.base();
  } else {
    service.takes_in_turn = plan_.routing == models::Routing::kInTurn;
  }
  return steady_run(inference_, service, rejection());
}

/// Replicas are alike: the one with most users stands for all, with its share of the requests.
ServedLoad::Done ServedLoad::of_users(std::int64_t num_replicas) {
  const models::RequestLoad& load = *inference_.load;
  const std::int64_t queues = num_replicas * groups_;
  const std::int64_t users = core::ceil_div(load.num_users(), queues);
  const std::int64_t count = core::ceil_div(load.requests * users, load.num_users());
  Done done{.requests = whole_run(models::draw_lengths(load, count, inference_.prompt_tokens,
                                                       inference_.output_tokens),
                                  rejection()),
            .answers = {},
            .totals = {}};
  RunRequests& requests = done.requests;
  requests.part = {.taken = users, .of = load.num_users()};
  done.answers.resize(requests.all.size());
  if (requests.count == 0) return done;
  const LoopStage stage{
      .requests = requests.all, .limits = limits_, .times = times_, .answers = done.answers};
  const LoopTotals loop = run_users({&stage, 1}, users_plan(inference_, users));
  done.totals = loop.stages.front();
  if (loop.last_taken > 0.0) requests.window.end = loop.last_taken;
  return done;
}

ServedLoad::Done ServedLoad::of_arrivals(std::int64_t num_replicas, IfLate if_late) {
  Done done{.requests = whole_ ? *whole_ : requests_on(num_replicas), .answers = {}, .totals = {}};
  const RunRequests& requests = done.requests;
  done.answers.resize(requests.all.size());
  if (requests.count == 0) return done;
  // The groups of requests in the stages of a replica run beside one another.
  PoolPlan plan = plan_;
  plan.num_replicas = whole_ ? num_replicas * groups_ : requests.part.taken;
  plan.window = requests.window;
  std::optional<LateRequests> late =
      late_requests(inference_, requests, if_late, [&](std::size_t i) {
        return requests.counts(i) &&
               !are_in_time(inference_, waits_of(inference_, requests.all[i], done.answers[i]));
      });
  plan.late = late ? &*late : nullptr;
  done.totals = run_pool(requests.all, plan, limits_, times_, done.answers);
  return done;
}

ServingRun ServedLoad::run(std::int64_t num_replicas, IfLate if_late) {
  const bool has_users = !whole_ && inference_.load->has_users();
  const Done done = has_users ? of_users(num_replicas) : of_arrivals(num_replicas, if_late);
  const RunRequests& requests = done.requests;
  const PoolTotals& totals = done.totals;
  if (requests.count == 0) return rejected_run(requests, num_replicas);
  if (totals.in_time_at_most) return late_run(requests, num_replicas, *totals.in_time_at_most);
  ServingRun run{.num_requests = requests.num_asked(),
                 .num_replicas = plan_.autoscaling ? totals.most_replicas : num_replicas,
                 .rejected = requests.rejected.count,
                 .rejected_why = requests.rejected.reason};
  add_rates(requests, done.answers, totals.end, run);
  run.mean_replicas = plan_.autoscaling ? totals.replica_seconds / run.duration.base()
                                        : static_cast<double>(num_replicas);
  // No iteration begins in the window of a load that is light enough.
  if (totals.iterations > 0.0) {
    run.mean_batch = totals.running / totals.iterations * static_cast<double>(groups_);
  }
  run.busy_fraction = totals.busy / totals.replica_seconds;
  run.cache_fraction = totals.most_cached / limits_.cache_tokens;
  run.preemptions = totals.preemptions;
  add_latencies(inference_, requests, done.answers, run);
  return run;
}

UsersPlan users_plan(const models::Inference& inference, std::int64_t users) {
  return {.users = users,
          .think_time = inference.load->think_time.base(),
          .reading = inference.prefix_read.base(),
          .overhead = inference.overhead(inference.prompt_tokens).base(),
          .seed = inference.load->seed};
}

std::optional<LateRequests> late_requests(const models::Inference& inference,
                                          const RunRequests& requests, IfLate if_late,
                                          std::function<bool(std::size_t)> is_late) {
  if (if_late == IfLate::kGoesOn || !inference.load ||
      rejects_too_many(inference, late_run(requests, 1, 1.0))) {
    return {};
  }
  const double share = inference.load->percentile;
  const double least =
      if_late == IfLate::kStops ? share : surely_late_share(share, requests.num_asked());
  return LateRequests(requests, least, std::move(is_late));
}

bool are_surely_late(const models::Inference& inference, double share_in_time,
                     std::int64_t num_asked) {
  return share_in_time < surely_late_share(inference.load->percentile, num_asked);
}

bool meets_latencies(const models::Inference& inference, const ServingRun& run) {
  return run.within_latencies >= inference.load->percentile;
}

bool rejects_too_many(const models::Inference& inference, const ServingRun& run) {
  return run.taken_share() < inference.load->percentile;
}

}  // namespace railwright::simulation
