// SPDX-License-Identifier: Apache-2.0
#include "failure_clocks.hpp"

namespace railwright::simulation::replication {

namespace {

std::uint64_t stream_of(std::uint64_t replication, std::size_t owner, std::size_t rate) {
  return (replication << 24) + (owner << 6) + rate;
}

/// Returns how many components of a kind belong to a job, or to the cluster behind the last job.
std::int64_t num_failing(const RunModel& model, models::Component component, std::size_t owner) {
  const bool is_job = owner < model.jobs.size();
  if (is_job == models::is_shared(component)) return 0;
  const models::FleetSize cluster{.num_storage_nodes = model.num_storage_nodes};
  return models::num_components(component, is_job ? model.jobs[owner].fleet : cluster);
}

}  // namespace

std::optional<core::RunTime> within_clock(core::Duration when) {
  constexpr double kClockEnd = 9e9;  // s
  if (!(when.base() < kClockEnd)) return std::nullopt;
  return ticks(when);
}

FailureClocks::FailureClocks(const RunModel& model, std::uint64_t replication)
    : model_(model), processes_(model.jobs.size() + 1) {
  if (!model.reliability) return;
  const models::Reliability& fleet = *model.reliability;
  const auto seed = static_cast<std::uint64_t>(model.plan.seed);
  const std::size_t cluster = model.jobs.size();  // owns what all jobs share
  for (std::size_t owner = 0; owner <= cluster; ++owner) {
    for (std::size_t r = 0; r < fleet.failures.size(); ++r) {
      const models::FailureRate& rate = fleet.failures[r];
      const std::int64_t count = num_failing(model, rate.component, owner);
      processes_[owner].emplace_back(rate, count, seed, stream_of(replication, owner, r));
    }
  }
  if (!fleet.slow_nodes) return;
  constexpr std::size_t kSlowStream = 63;
  for (std::size_t j = 0; j < cluster; ++j) {
    slow_random_.emplace_back(seed, stream_of(replication, j, kSlowStream));
  }
}

core::Duration FailureClocks::until_slow_node(std::size_t job) {
  const models::SlowNodes& slow = *model_.reliability->slow_nodes;
  const models::FleetSize& fleet = model_.jobs[job].fleet;
  const double mean = slow.mtbf.value.base() / (fleet.num_nodes * fleet.trays_per_node);
  return core::Duration::from_base(slow_random_[job].exponential(mean));
}

}  // namespace railwright::simulation::replication
