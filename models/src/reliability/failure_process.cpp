// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/reliability/failure_process.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "railwright/core/arithmetic.hpp"
#include "railwright/core/sim/portable_math.hpp"

namespace railwright::models {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

/// Computes (t / eta)^k; 0 if nothing fails, as eta is infinite.
double intensity_of_one(const FailureRate& rate, double time) {
  return core::portable_power(time / rate.mtbf.value.base(), rate.shape.value);
}

bool stops_a_job(Component component) { return component != Component::kStorageNode; }

/// Returns the mean number of lemons of a job.
double mean_lemons(const LemonNodes& lemons, const FleetSize& job) {
  return lemons.share.value * static_cast<double>(num_components(Component::kNode, job));
}

/// Computes the mean of min(N, k), N Poisson of mean m and k the failures until removal: the sum of
/// P(N > i) for i from 0 to k - 1.
double failures_of_lemon(const LemonNodes& lemons, core::Duration span) {
  const double mean = span / lemons.mtbf.value;
  if (lemons.removed_after.value == 0) return mean;
  double of_i = std::exp(-mean);  // P(N = i)
  double up_to_i = of_i;
  double sum = 0.0;
  for (int i = 0; i < lemons.removed_after.value; ++i) {
    sum += std::max(0.0, 1.0 - up_to_i);
    of_i *= mean / (i + 1);
    up_to_i += of_i;
  }
  return sum;
}

}  // namespace

FleetSize fleet_of(const core::ComputeNode& node, int num_nodes) {
  return {.num_nodes = num_nodes,
          .accelerators_per_node = node.num_accelerators.value,
          .nics_per_node = node.nics.count,
          .num_storage_nodes = 0,
          .trays_per_node = node.num_trays};
}

std::int64_t num_components(Component component, const FleetSize& fleet) {
  const std::int64_t nodes = fleet.num_nodes;
  switch (component) {
    case Component::kAccelerator:
      return nodes * fleet.accelerators_per_node;
    case Component::kNic:
    case Component::kLink:
      return nodes * fleet.nics_per_node;
    case Component::kNode:
    case Component::kSoftware:
      return nodes * fleet.trays_per_node;
    case Component::kStorageNode:
      return fleet.num_storage_nodes;
    case Component::kPower:
      return 1;
    case Component::kSwitch:
    case Component::kPdu:
    case Component::kRack:
    case Component::kCoolantLoop:
      return nodes;
  }
  return 0;
}

std::int64_t num_components(const FailureRate& rate, const FleetSize& fleet) {
  const std::int64_t count = num_components(rate.component, fleet);
  return is_group(rate.component) ? core::ceil_div<std::int64_t>(count, rate.num_nodes) : count;
}

double expected_failures(const FailureRate& rate, std::int64_t num_components,
                         core::Duration span) {
  const double age = rate.age.value.base();
  const double by_one = rate.shape.value == 1.0 ? span / rate.mtbf.value
                                                : intensity_of_one(rate, age + span.base()) -
                                                      intensity_of_one(rate, age);
  return static_cast<double>(num_components) * by_one;
}

FailureProcess::FailureProcess(const FailureRate& rate, std::int64_t num_components,
                               std::uint64_t seed, std::uint64_t stream)
    : random_(seed, stream),
      num_components_(static_cast<double>(num_components)),
      scale_(rate.mtbf.value.base()),
      shape_(rate.shape.value),
      age_(rate.age.value.base()),
      scaled_age_to_shape_(intensity_of_one(rate, age_)) {}

core::Duration FailureProcess::next() {
  if (num_components_ <= 0.0 || !std::isfinite(scale_)) return core::Duration::infinity();
  failures_ += random_.exponential(1.0);
  const double by_one = failures_ / num_components_;
  const double time =
      shape_ == 1.0
          ? scale_ * by_one
          : scale_ * core::portable_power(scaled_age_to_shape_ + by_one, 1.0 / shape_) - age_;
  last_ = std::max(last_, time);
  return core::Duration::from_base(last_);
}

core::Duration LemonNode::next(const LemonNodes& plan) {
  const int most = plan.removed_after.value;
  if (most > 0 && num_failures_ == most) return core::Duration::infinity();
  ++num_failures_;
  return core::Duration::from_base(random_.exponential(plan.mtbf.value.base()));
}

std::vector<LemonNode> draw_lemons(const LemonNodes& plan, const FleetSize& fleet,
                                   std::uint64_t seed, std::uint64_t stream) {
  core::RandomStream random(seed, stream);
  std::vector<LemonNode> lemons;
  const auto num_nodes = static_cast<int>(num_components(Component::kNode, fleet));
  for (int node = 0; node < num_nodes; ++node) {
    if (random.uniform() < plan.share.value) lemons.emplace_back(node, seed, random.bits());
  }
  return lemons;
}

double interruptions_per_second(const Reliability& reliability, const FleetSize& job) {
  double sum = 0.0;
  for (const FailureRate& rate : reliability.failures) {
    const auto count = static_cast<double>(num_components(rate, job));
    const double scale = rate.mtbf.value.base();
    if (!stops_a_job(rate.component) || count == 0.0 || !std::isfinite(scale)) continue;
    const double shape = rate.shape.value;
    const double now =
        shape == 1.0 ? 1.0
                     : shape * core::portable_power(rate.age.value.base() / scale, shape - 1.0);
    sum += count * now / scale;
  }
  if (const auto& lemons = reliability.lemon_nodes) {
    sum += mean_lemons(*lemons, job) / lemons->mtbf.value.base();
  }
  return sum;
}

double expected_interruptions(const Reliability& reliability, const FleetSize& job,
                              core::Duration span) {
  double sum = 0.0;
  for (const FailureRate& rate : reliability.failures) {
    if (!stops_a_job(rate.component)) continue;
    sum += expected_failures(rate, num_components(rate, job), span);
  }
  if (const auto& lemons = reliability.lemon_nodes) {
    sum += mean_lemons(*lemons, job) * failures_of_lemon(*lemons, span);
  }
  return sum;
}

core::Duration mean_time_to_interruption(const Reliability& reliability, const FleetSize& job) {
  const double rate = interruptions_per_second(reliability, job);
  return core::Duration::from_base(rate > 0.0 ? 1.0 / rate : kNever);
}

}  // namespace railwright::models
