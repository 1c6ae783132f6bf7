// SPDX-License-Identifier: Apache-2.0
#include "failure_clocks.hpp"

namespace railwright::simulation::replication {

namespace {

/// Streams of an owner beside those of its failure rates, which count up from 0.
constexpr std::size_t kLemons = 61;
constexpr std::size_t kDegradedLinks = 62;
constexpr std::size_t kSlowNodes = 63;

std::uint64_t stream_of(std::uint64_t replication, std::size_t owner, std::size_t rate) {
  return (replication << 24) + (owner << 6) + rate;
}

/// Returns how many components of a kind belong to a job, or to the cluster behind the last job.
std::int64_t num_failing(const RunModel& model, const models::FailureRate& rate,
                         std::size_t owner) {
  const bool is_job = owner < model.jobs.size();
  if (is_job == models::is_shared(rate.component)) return 0;
  const models::FleetSize cluster{.num_storage_nodes = model.num_storage_nodes};
  return models::num_components(rate, is_job ? model.jobs[owner].fleet : cluster);
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
      const std::int64_t count = num_failing(model, rate, owner);
      processes_[owner].emplace_back(rate, count, seed, stream_of(replication, owner, r));
    }
  }
  for (std::size_t j = 0; j < cluster; ++j) {
    const auto random_of = [&](std::size_t stream) {
      return core::RandomStream(seed, stream_of(replication, j, stream));
    };
    if (fleet.slow_nodes)
      slow_random_[core::index(SlowPart::kNode)].push_back(random_of(kSlowNodes));
    if (fleet.degraded_links) {
      slow_random_[core::index(SlowPart::kLink)].push_back(random_of(kDegradedLinks));
    }
    if (fleet.lemon_nodes) {
      lemons_.push_back(models::draw_lemons(*fleet.lemon_nodes, model.jobs[j].fleet, seed,
                                            stream_of(replication, j, kLemons)));
    }
  }
}

core::Duration FailureClocks::until_slow(SlowPart part, std::size_t job) {
  const models::FleetSize& fleet = model_.jobs[job].fleet;
  const bool is_node = part == SlowPart::kNode;
  const core::Duration mtbf = is_node ? model_.reliability->slow_nodes->mtbf.value
                                      : model_.reliability->degraded_links->mtbf.value;
  const auto count = static_cast<double>(
      models::num_components(is_node ? models::Component::kNode : models::Component::kLink, fleet));
  return core::Duration::from_base(
      slow_random_[core::index(part)][job].exponential(mtbf.base() / count));
}

core::Duration FailureClocks::until_lemon_fails(std::size_t job, std::size_t lemon) {
  return lemons_[job][lemon].next(*model_.reliability->lemon_nodes);
}

}  // namespace railwright::simulation::replication
