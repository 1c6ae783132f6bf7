// SPDX-License-Identifier: Apache-2.0
#include "divided_steps.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "railwright/models/parallelism/parallelism.hpp"
#include "railwright/models/workload/training.hpp"
#include "railwright/simulation/scenario/scenario.hpp"

namespace railwright::simulation {

namespace {

using core::Duration;

constexpr std::size_t kTwo = 2;
using OfBoth = std::array<int, kTwo>;

/// Returns the part with other micro-batches of each replica; nothing if no schedule has so many.
std::optional<CheckedScenario> with_micro_batches(const CheckedScenario& part, int count) {
  CheckedScenario changed = part;
  models::Training& training = changed.scenario.workload;
  training.global_batch = part.layout.dp * count * training.micro_batch;
  const std::vector<core::Problem> problems = models::make_layout(
      training, changed.scenario.parallelism, changed.scenario.num_accelerators(), changed.layout);
  if (!problems.empty()) return {};
  return changed;
}

/// The parts of a job in two pools, whose steps are simulated once for each number of
/// micro-batches.
class PartsInLockstep {
 public:
  PartsInLockstep(const CheckedJobs& checked, std::span<const PlacedJob> placed,
                  std::span<const JobStep> steps, const SimulateOptions& options)
      : checked_(checked), options_(options) {
    for (std::size_t p = 0; p < kTwo; ++p) {
      parts_[p] = scenario_in_place(checked, placed[p]);
      names_[p] = checked.pools[pool_of(checked, placed[p])].name;
      beside_[p] = steps[p].time / steps[p].alone;
      known_[p].emplace(parts_[p].layout.num_microbatches, steps[p]);
    }
    exchange_ = exchange();
  }

  [[nodiscard]] Duration exchange_time() const { return exchange_; }
  [[nodiscard]] OfBoth even() const {
    return {parts_[0].layout.num_microbatches, parts_[1].layout.num_microbatches};
  }

  Division division(const OfBoth& counts) {
    Division made;
    for (std::size_t p = 0; p < kTwo; ++p) {
      made.parts.push_back({.pool = names_[p],
                            .num_replicas = parts_[p].layout.dp,
                            .micro_batches = counts[p],
                            .time = time(p, counts[p])});
    }
    made.step_time = std::max(made.parts[0].time, made.parts[1].time) + exchange_;
    return made;
  }

  /// Finds the shortest step: more micro-batches for one part are fewer for the other, so one
  /// time rises and the other falls, and the shortest step is where they cross.
  Division balanced() {
    const std::vector<OfBoth> all = divisions();
    const auto is_longer = [&](const OfBoth& counts) {
      return time(0, counts[0]) >= time(1, counts[1]);
    };
    const auto crossed =
        std::ranges::partition_point(all, [&](const OfBoth& counts) { return !is_longer(counts); });
    Division best = division(even());
    for (const auto near : {crossed - (crossed == all.begin() ? 0 : 1), crossed}) {
      if (near == all.end()) continue;
      Division one = division(*near);
      if (one.step_time < best.step_time) best = std::move(one);
    }
    return best;
  }

  /// Returns the step of a part in a division: what it waits for is time of gradients.
  JobStep step(std::size_t part, const Division& division) {
    JobStep step = known_[part].at(division.parts[part].micro_batches);
    step.breakdown.time[static_cast<std::size_t>(Cause::kGradientReduce)] +=
        division.step_time - step.breakdown.total();
    step.time = division.step_time;
    Duration slowest;
    for (std::size_t p = 0; p < kTwo; ++p) {
      slowest = std::max(slowest, known_[p].at(division.parts[p].micro_batches).alone);
    }
    step.alone = slowest + exchange_;
    return step;
  }

 private:
  /// Returns the divisions that use every micro-batch and have schedules, the first pool's fewest
  /// first.
  [[nodiscard]] std::vector<OfBoth> divisions() const {
    const OfBoth replicas{parts_[0].layout.dp, parts_[1].layout.dp};
    const OfBoth now = even();
    const int all = replicas[0] * now[0] + replicas[1] * now[1];
    std::vector<OfBoth> possible;
    for (int first = 1; all - replicas[0] * first >= replicas[1]; ++first) {
      const int left = all - replicas[0] * first;
      if (left % replicas[1] != 0) continue;
      const OfBoth counts{first, left / replicas[1]};
      if (with_micro_batches(parts_[0], counts[0]) && with_micro_batches(parts_[1], counts[1])) {
        possible.push_back(counts);
      }
    }
    return possible;
  }

  Duration time(std::size_t part, int count) {
    auto known = known_[part].find(count);
    if (known == known_[part].end()) {
      const JobStep step = step_alone(*with_micro_batches(parts_[part], count), options_);
      known = known_[part].emplace(count, step).first;
    }
    return known->second.alone * beside_[part];
  }

  [[nodiscard]] Duration exchange() const {
    core::Bandwidth rate = *checked_.between_pools;
    for (const CheckedScenario& part : parts_) {
      const topologies::Cluster& cluster = part.scenario.cluster;
      rate =
          std::min(rate, cluster.node.nics.payload_rate() * static_cast<double>(cluster.num_nodes));
    }
    const Scenario& scenario = parts_[0].scenario;
    const double bytes = static_cast<double>(models::num_trained_parameters(scenario.workload)) *
                         scenario.software.gradient_reduce_bytes.value;
    return core::DataSize::from_base(bytes) / rate;
  }

  const CheckedJobs& checked_;
  const SimulateOptions& options_;
  std::array<CheckedScenario, kTwo> parts_;
  std::array<std::string, kTwo> names_;
  std::array<double, kTwo> beside_{};  ///< time beside other jobs over that alone
  std::array<std::map<int, JobStep>, kTwo> known_;
  Duration exchange_;
};

}  // namespace

std::vector<DividedStep> divide_steps(const CheckedJobs& checked, std::span<const PlacedJob> placed,
                                      const SimulateOptions& options, std::vector<JobStep>& steps) {
  std::vector<DividedStep> divided;
  for (std::size_t i = 0; i < placed.size(); ++i) {
    const CheckedJob& job = checked.jobs[placed[i].entry];
    if (job.others.empty() || placed[i].part > 0) continue;
    PartsInLockstep parts(checked, placed.subspan(i, kTwo), std::span(steps).subspan(i, kTwo),
                          options);
    DividedStep& one = divided.emplace_back();
    one.job = job.checked.scenario.name;
    one.index = placed[i].job;
    one.exchange = parts.exchange_time();
    one.even = parts.division(parts.even());
    one.balanced = parts.balanced();
    one.is_balanced = job.is_balanced;
    const Division& taken = job.is_balanced ? one.balanced : one.even;
    for (std::size_t p = 0; p < kTwo; ++p) steps[i + p] = parts.step(p, taken);
  }
  return divided;
}

}  // namespace railwright::simulation
