// SPDX-License-Identifier: Apache-2.0
#include "service_objective.hpp"

#include <algorithm>
#include <cmath>

#include "railwright/planner/next_change/next_change.hpp"

namespace railwright::planner {

namespace {

using core::Duration;
using simulation::InferenceResult;

/// Relative differences below this are rounding.
constexpr double kSameNumber = 1e-9;

double saved(std::int64_t with, std::int64_t own) {
  return 1.0 - static_cast<double>(with) / static_cast<double>(own);
}

NextServiceChange improved(ServiceGain gain, double share) {
  return {.settings = {}, .gain = gain, .share = share, .result = {}};
}

std::optional<NextServiceChange> at_least_min(ServiceGain gain, double share) {
  if (share < kMinSaving) return {};
  return improved(gain, share);
}

}  // namespace

core::Duration time_of_answer(const InferenceResult& result, int output_tokens) {
  if (result.run) return result.run->latency.p99;
  return result.time_to_first_token() + result.time_per_output_token() * (output_tokens - 1.0);
}

bool ServiceObjective::fits(const InferenceResult& full) const {
  return full.feasible() || (has_given_replicas() && full.num_nodes > 0);
}

bool ServiceObjective::may_improve(const InferenceResult& full) const {
  return fits(full) && (has_given_replicas() || needs_no_more(full));
}

std::optional<NextServiceChange> ServiceObjective::gain(const InferenceResult& with) const {
  if (!with.feasible() || !needs_no_more(with) || !carries_as_much(with)) return {};
  if (!has_load()) {
    return at_least_min(ServiceGain::kThroughput,
                        with.accelerator_tokens_per_s / own_.accelerator_tokens_per_s - 1.0);
  }
  if (is_at_once()) {
    return at_least_min(ServiceGain::kDuration, 1.0 - with.run->duration / own_.run->duration);
  }
  // Given replicas do not follow from the load: fewer accelerators are slower ones, unless the
  // latencies show that they are not.
  if (has_given_replicas() && !is_as_fast(with)) return {};
  if (with.num_nodes < own_.num_nodes) {
    return improved(ServiceGain::kNodes, saved(with.num_nodes, own_.num_nodes));
  }
  if (with.num_accelerators < own_.num_accelerators) {
    return improved(ServiceGain::kAccelerators,
                    saved(with.num_accelerators, own_.num_accelerators));
  }
  if (!is_as_fast(with)) return {};
  return at_least_min(ServiceGain::kLatency, 1.0 - answer(with) / answer(own_));
}

ServiceObjective::Rank ServiceObjective::rank(const InferenceResult& one) const {
  const bool counts = has_load() && !is_at_once();
  const double value = !has_load()               ? -one.accelerator_tokens_per_s
                       : is_at_once() && one.run ? one.run->duration.base()
                       : is_at_once()            ? -one.accelerator_tokens_per_s
                                                 : answer(one).base();
  return Rank(counts ? one.num_nodes : 0, counts ? one.num_accelerators : 0, value);
}

bool ServiceObjective::is_worth_two(const InferenceResult& two, const InferenceResult& one) const {
  const auto [nodes, accelerators, value] = rank(two);
  const auto [least_nodes, least_accelerators, least] = rank(one);
  if (nodes != least_nodes) return nodes < least_nodes;
  if (accelerators != least_accelerators) return accelerators < least_accelerators;
  return value < least - kMinSaving * std::abs(least);
}

bool ServiceObjective::is_at_once() const {
  return inference_.load && inference_.load->comes_at_once();
}

bool ServiceObjective::has_given_replicas() const {
  const auto& apart = inference_.disaggregated;
  // Any replica answers users who wait as long as it takes.
  const bool waits_for_ever = inference_.load && inference_.load->has_users() &&
                              !inference_.time_to_first_token && !inference_.time_per_output_token;
  return waits_for_ever ||
         (inference_.load && (inference_.load->replicas || inference_.load->autoscaling ||
                              inference_.load->comes_at_once())) ||
         (apart && (apart->prefill_replicas || apart->decode_replicas));
}

/// A replica may be larger where no load is wanted, which counts tokens/s of an accelerator.
bool ServiceObjective::needs_no_more(const InferenceResult& with) const {
  return with.num_nodes <= own_.num_nodes &&
         (!has_load() || with.num_accelerators <= own_.num_accelerators);
}

bool ServiceObjective::carries_as_much(const InferenceResult& with) const {
  const double least = std::min(wanted_, own_.requests_per_s());
  return with.requests_per_s() >= least * (1.0 - kSameNumber);
}

/// Whether no latency that the verdict prints is longer than the scenario's.
bool ServiceObjective::is_as_fast(const InferenceResult& with) const {
  const auto holds = [](Duration time, Duration own) { return time <= own * (1.0 + kSameNumber); };
  if (with.run.has_value() != own_.run.has_value()) return false;
  if (!with.run) {
    return holds(with.time_to_first_token(), own_.time_to_first_token()) &&
           holds(with.time_per_output_token(), own_.time_per_output_token());
  }
  const auto all = [&](const simulation::Percentiles& times, const simulation::Percentiles& own) {
    return holds(times.p50, own.p50) && holds(times.p90, own.p90) && holds(times.p99, own.p99);
  };
  return all(with.run->time_to_first_token, own_.run->time_to_first_token) &&
         all(with.run->time_per_output_token, own_.run->time_per_output_token);
}

}  // namespace railwright::planner
