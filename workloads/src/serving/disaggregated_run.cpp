// SPDX-License-Identifier: Apache-2.0
#include "disaggregated_run.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "railwright/models/workload/layers.hpp"
#include "serving_run.hpp"

namespace railwright::simulation {

namespace {

/// Returns the places of requests that need more than their first token, by arrival of their cache.
std::vector<std::size_t> by_arrival(std::span<const models::Request> requests,
                                    std::span<const Answer> answers) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    if (requests[i].output_tokens > 1) order.push_back(i);
  }
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return answers[i].end; });
  return order;
}

/// Returns the times of the transfers of requests that count.
Percentiles transfer_times(const RunRequests& requests, std::span<const Answer> answers) {
  std::vector<double> times;
  for (std::size_t i = requests.first; i < requests.first + requests.count; ++i) {
    if (requests.all[i].output_tokens == 1) continue;
    times.push_back(answers[i].end - answers[i].first_token);
  }
  return percentiles(times);
}

}  // namespace

DisaggregatedLoad::DisaggregatedLoad(const ReplicaPair& pair)
    : pair_(pair),
      inference_(pair.decode.inference()),
      prefill_limits_(queue_limits(pair.prefill, pair.prefill_batch)),
      decode_limits_(queue_limits(pair.decode, pair.decode_batch)),
      requests_(drawn()),
      prompts_(requests_.all),
      prefill_times_(pair.prefill),
      decode_times_(pair.decode) {
  for (models::Request& prompt : prompts_) {
    const bool is_sent = prompt.output_tokens > 1;
    send_times_.push_back(is_sent ? pair.transfer.time(prompt.prompt_tokens).base() : 0.0);
    prompt.output_tokens = 1;
  }
  prefill_limits_.send_times = send_times_;
  if (inference_.disaggregated->layer_by_layer) {
    prefill_limits_.num_sends = models::total_layers(inference_.model);
  }
  decode_limits_.is_cached = true;
}

/// Replicas for prompts must hold a prompt and its first token, those for answers all.
RunRequests DisaggregatedLoad::drawn() const {
  const Rejection rejection = [this](const models::Request& request) {
    models::Request prompt = request;
    prompt.output_tokens = 1;
    std::string reason = why_rejected(inference_, decode_limits_.cache_tokens, request);
    return reason.empty() ? why_rejected(inference_, prefill_limits_.cache_tokens, prompt) : reason;
  };
  if (inference_.load->has_users()) {
    return whole_run(models::draw_lengths(*inference_.load, inference_.load->requests,
                                          inference_.prompt_tokens, inference_.output_tokens),
                     rejection);
  }
  if (!inference_.load->keeps_coming()) return whole_run(inference_.requests(), rejection);
  const double residence =
      residence_of(pair_.prefill.cycle(pair_.prefill_batch), pair_.decode.cycle(pair_.decode_batch),
                   inference_.output_tokens) +
      pair_.transfer.time(inference_.prompt_tokens).base();
  return steady_run(inference_, {.residence = residence}, rejection);
}

PoolPlan DisaggregatedLoad::plan_of(std::int64_t num_replicas) const {
  return {.num_replicas = num_replicas,
          .routing = inference_.load->routing,
          .autoscaling = {},
          .start_time = 0.0,
          .window = requests_.window};
}

PromptsDone DisaggregatedLoad::pass_prompts(std::int64_t num_replicas, IfLate if_late) {
  PromptsDone done{.num_replicas = num_replicas};
  done.answers.resize(prompts_.size());
  const double limit = seconds_or_infinite(inference_.time_to_first_token);
  const auto is_in_time = [&](std::size_t i) {
    const double before = inference_.before_prompt(prompts_[i].prompt_tokens).base();
    return done.answers[i].first_token + before - prompts_[i].arrival <= limit;
  };
  std::optional<LateRequests> late =
      late_requests(inference_, requests_, if_late,
                    [&](std::size_t i) { return requests_.counts(i) && !is_in_time(i); });
  PoolPlan plan = plan_of(num_replicas);
  plan.late = late ? &*late : nullptr;
  const PoolTotals totals = run_pool(prompts_, plan, prefill_limits_, prefill_times_, done.answers);
  done.none_can = rejects_too_many(inference_, rejected_run(requests_, num_replicas));
  if (totals.in_time_at_most) {
    done.in_time = *totals.in_time_at_most;
    return done;
  }
  done.busy = totals.busy;
  done.preemptions = totals.preemptions;
  done.cache_fraction = totals.most_cached / prefill_limits_.cache_tokens;
  std::size_t num_in_time = 0;
  for (std::size_t i = requests_.first; i < requests_.first + requests_.count; ++i) {
    if (is_in_time(i)) ++num_in_time;
  }
  done.in_time = static_cast<double>(num_in_time) / static_cast<double>(requests_.num_asked());
  return done;
}

/// Returns the end beyond which a request is late. Rounding may not make it so.
double DisaggregatedLoad::last_end_of(const models::Request& request, double first_token) const {
  constexpr double kRounding = 1e-9;
  const Answer at_once{.first_token = first_token, .end = first_token};
  if (!are_in_time(inference_, waits_of(inference_, request, at_once))) return 0.0;
  const double limit = seconds_or_infinite(inference_.time_per_output_token);
  return (first_token + limit * (request.output_tokens - 1.0)) * (1.0 + kRounding);
}

HandedOver DisaggregatedLoad::hand_over(PromptsDone prompts) const {
  HandedOver handed{.prompts = std::move(prompts), .order = {}, .arriving = {}, .last_end = {}};
  const std::vector<Answer>& answers = handed.prompts.answers;
  handed.order = by_arrival(requests_.all, answers);
  handed.arriving.reserve(handed.order.size());
  handed.last_end.reserve(handed.order.size());
  for (const std::size_t i : handed.order) {
    const models::Request& request = requests_.all[i];
    handed.arriving.push_back(request);
    handed.arriving.back().arrival = answers[i].end;
    handed.last_end.push_back(requests_.counts(i) ? last_end_of(request, answers[i].first_token)
                                                  : std::numeric_limits<double>::infinity());
  }
  return handed;
}

ServingRun DisaggregatedLoad::answer(const HandedOver& handed, std::int64_t num_replicas,
                                     IfLate if_late) {
  const PromptsDone& prompts = handed.prompts;
  const std::int64_t num_all = prompts.num_replicas + num_replicas;
  if (requests_.count == 0) return rejected_run(requests_, num_all);
  std::vector<Answer> answered(handed.arriving.size());
  std::optional<LateRequests> late = late_requests(
      inference_, requests_, if_late,
      [&](std::size_t place) { return answered[place].end > handed.last_end[place]; });
  PoolPlan plan = plan_of(num_replicas);
  plan.late = late ? &*late : nullptr;
  const PoolTotals totals =
      run_pool(handed.arriving, plan, decode_limits_, decode_times_, answered);
  if (totals.in_time_at_most) return late_run(requests_, num_all, *totals.in_time_at_most);
  std::vector<Answer> answers = prompts.answers;
  for (std::size_t k = 0; k < handed.order.size(); ++k) {
    answers[handed.order[k]].end = answered[k].end;
  }
  return run_of(prompts, totals, num_replicas, answers);
}

ServingRun DisaggregatedLoad::closed_loop(std::int64_t prompts, std::int64_t answers) {
  PromptsDone done{.num_replicas = prompts};
  done.answers.resize(prompts_.size());
  if (requests_.count == 0) return rejected_run(requests_, prompts + answers);
  std::vector<Answer> answered(prompts_.size());
  // Answers have times of their own: those at which their caches arrive.
  std::vector<models::Request> arriving = requests_.all;
  const models::RequestLoad& load = *inference_.load;
  const std::array<LoopStage, 2> stages{LoopStage{.requests = prompts_,
                                                  .limits = prefill_limits_,
                                                  .times = prefill_times_,
                                                  .num_replicas = prompts,
                                                  .routing = load.routing,
                                                  .answers = done.answers},
                                        LoopStage{.requests = arriving,
                                                  .limits = decode_limits_,
                                                  .times = decode_times_,
                                                  .num_replicas = answers,
                                                  .routing = load.routing,
                                                  .answers = answered}};
  const LoopTotals loop = run_users(stages, users_plan(inference_, load.num_users()));
  const std::vector<PoolTotals>& totals = loop.stages;
  done.busy = totals[0].busy;
  done.preemptions = totals[0].preemptions;
  done.cache_fraction = totals[0].most_cached / prefill_limits_.cache_tokens;
  for (std::size_t i = 0; i < prompts_.size(); ++i) {
    requests_.all[i].arrival = prompts_[i].arrival;
    answered[i].first_token = done.answers[i].first_token;
    if (requests_.all[i].output_tokens <= 1) answered[i].end = done.answers[i].end;
  }
  if (loop.last_taken > 0.0) requests_.window.end = loop.last_taken;
  return run_of(done, totals[1], answers, answered);
}

ServingRun DisaggregatedLoad::run_of(const PromptsDone& prompts, const PoolTotals& totals,
                                     std::int64_t num_replicas,
                                     std::span<const Answer> answers) const {
  ServingRun run{.num_requests = requests_.num_asked(),
                 .num_replicas = prompts.num_replicas + num_replicas,
                 .rejected = requests_.rejected.count,
                 .rejected_why = requests_.rejected.reason};
  add_rates(requests_, answers, std::ranges::max(answers, {}, &Answer::end).end, run);
  run.mean_replicas = static_cast<double>(run.num_replicas);
  run.preemptions = prompts.preemptions + totals.preemptions;
  run.mean_batch = totals.iterations > 0.0 ? totals.running / totals.iterations : 0.0;
  run.cache_fraction =
      std::max(totals.most_cached / decode_limits_.cache_tokens, prompts.cache_fraction);
  add_busy_shares(prompts, totals.busy, num_replicas, run);
  add_latencies(inference_, requests_, answers, run);
  return run;
}

void DisaggregatedLoad::add_busy_shares(const PromptsDone& prompts, double decode_busy,
                                        std::int64_t num_replicas, ServingRun& run) const {
  const double prefill_time = run.duration.base() * static_cast<double>(prompts.num_replicas);
  const double decode_time = run.duration.base() * static_cast<double>(num_replicas);
  double sending = 0.0;
  for (std::size_t i = 0; i < send_times_.size(); ++i) {
    const double end = prompts.answers[i].end;
    sending += requests_.window.overlap(end - send_times_[i], end);
  }
  run.pools = {.prefill_busy_fraction = prompts.busy / prefill_time,
               .decode_busy_fraction = decode_busy / decode_time,
               .transfer_busy_fraction = sending / prefill_time,
               .transfer = transfer_times(requests_, prompts.answers)};
  const double of_prefill = static_cast<double>(prompts.num_replicas) * pair_.prefill.size().tp;
  const double of_decode = static_cast<double>(num_replicas) * pair_.decode.size().tp;
  run.busy_fraction = (run.pools->prefill_busy_fraction * of_prefill +
                       run.pools->decode_busy_fraction * of_decode) /
                      (of_prefill + of_decode);
}

}  // namespace railwright::simulation
