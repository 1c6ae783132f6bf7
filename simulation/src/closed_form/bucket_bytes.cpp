// SPDX-License-Identifier: Apache-2.0
#include "bucket_bytes.hpp"

#include <algorithm>
#include <cstdint>

namespace railwright::simulation {

namespace {

/// Rounds a non-negative value to the nearest integer; std::llround would cost a function call.
double whole(double value) {
  return static_cast<double>(
      static_cast<std::int64_t>(value + 0.5));  // NOLINT(bugprone-incorrect-roundings)
}

}  // namespace

SyncBytes bucket_of_layer(const BucketRules& rules, double trained, double gathered) {
  if (trained == 0.0 && gathered == 0.0) return {};
  const double gradient = trained * rules.gradient_bytes;
  const double parameter = gathered * rules.parameter_bytes;
  const double most = std::max(gradient, parameter);
  auto calls = static_cast<double>(static_cast<std::int64_t>(most / rules.bucket));
  if (calls * rules.bucket < most || calls == 0.0) ++calls;
  return {.gradient = whole(gradient),
          .parameter = whole(parameter),
          .num_calls = calls,
          .last_gradient = whole(gradient),
          .last_parameter = whole(parameter),
          .last_calls = calls};
}

SyncBytes buckets_of_stage(const BucketRules& rules, double trained) {
  const auto full = static_cast<double>(static_cast<std::int64_t>(trained / rules.parameters));
  const double rest = trained - full * rules.parameters;
  const bool has_rest = rest > 0.5;
  const double last = has_rest ? rest : rules.parameters;
  if (full == 0.0 && !has_rest) return {};
  const auto bytes = [&](double each) {
    return full * whole(rules.parameters * each) + (has_rest ? whole(rest * each) : 0.0);
  };
  return {.gradient = bytes(rules.gradient_bytes),
          .parameter = bytes(rules.parameter_bytes),
          .num_calls = full + (has_rest ? 1.0 : 0.0),
          .last_gradient = whole(last * rules.gradient_bytes),
          .last_parameter = whole(last * rules.parameter_bytes),
          .last_calls = 1.0};
}

void add_layer_bucket(const SyncBytes& bucket, double count, SyncBytes& sum) {
  // Reductions run backward, so the first layer that has parameters is reduced last.
  if (sum.num_calls == 0.0)
    sum = {.last_gradient = bucket.last_gradient,
           .last_parameter = bucket.last_parameter,
           .last_calls = bucket.last_calls};
  sum.gradient += bucket.gradient * count;
  sum.parameter += bucket.parameter * count;
  sum.num_calls += bucket.num_calls * count;
}

}  // namespace railwright::simulation
