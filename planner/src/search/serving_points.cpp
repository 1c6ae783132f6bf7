// SPDX-License-Identifier: Apache-2.0
#include "serving_points.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <utility>

#include "railwright/core/parallel_for.hpp"

namespace railwright::planner {

namespace {

using simulation::CheckedInference;
using simulation::FullBatches;
using simulation::ReplicaPart;
using simulation::ReplicaRole;

/// Returns 1, 2, 3, 4, 6, 8, 12 ... up to `most`, and `most` itself.
std::vector<std::int64_t> batches_up_to(std::int64_t most) {
  std::vector<std::int64_t> all;
  for (std::int64_t power = 1; power <= most; power *= 2) {
    all.push_back(power);
    const std::int64_t between = power + power / 2;
    if (power > 1 && between <= most) all.push_back(between);
  }
  if (!all.empty() && all.back() != most) all.push_back(most);
  return all;
}

/// Replicas of one kind that several divisions share.
class SharedParts {
 public:
  SharedParts(const CheckedInference& checked, const topologies::BuiltCluster& built,
              const std::vector<ServingDivision>& divisions, ReplicaRole role, int num_threads)
      : role_(role) {
    for (const ServingDivision& one : divisions) parts_.try_emplace(key(one));
    std::vector<std::pair<ServingDivision, std::unique_ptr<ReplicaPart>*>> made;
    for (auto& [division, part] : parts_) made.emplace_back(division, &part);
    core::parallel_for(
        made.size(),
        [&](std::size_t i) {
          *made[i].second =
              std::make_unique<ReplicaPart>(with_division(checked, made[i].first), built, role);
        },
        num_threads);
  }
  [[nodiscard]] const ReplicaPart& of(const ServingDivision& division) const {
    return *parts_.at(key(division));
  }

 private:
  /// Returns the first division whose replicas of this kind are the same.
  [[nodiscard]] ServingDivision key(ServingDivision one) const {
    if (role_ == ReplicaRole::kPrompts) {
      one.tp = one.states_ep ? one.ep : 1;
      if (!one.states_ep) one.ep = 1;
    } else {
      one.prefill_tp = one.states_ep ? one.ep : 1;
    }
    return one;
  }

  ReplicaRole role_;
  std::map<ServingDivision, std::unique_ptr<ReplicaPart>> parts_;
};

class Points {
 public:
  Points(const CheckedInference& checked, const topologies::BuiltCluster& built)
      : checked_(checked), built_(built) {}

  /// Lists the batches of a division whose replicas do both.
  [[nodiscard]] std::vector<ServingPoint> of_whole(const ServingDivision& division) const {
    const ReplicaPart both(with_division(checked_, division), built_, ReplicaRole::kBoth);
    if (!both.takes_one()) return {};
    return of(division, FullBatches(both));
  }
  [[nodiscard]] std::vector<ServingPoint> of_apart(const ServingDivision& division,
                                                   const ReplicaPart& prompts,
                                                   const ReplicaPart& answers) const {
    if (!prompts.takes_one() || !answers.takes_one()) return {};
    return of(division, FullBatches(prompts, answers));
  }

 private:
  [[nodiscard]] std::vector<ServingPoint> of(const ServingDivision& division,
                                             const FullBatches& service) const {
    std::vector<ServingPoint> points;
    for (const std::int64_t batch : batches(division, service)) {
      const simulation::FullBatch numbers = service.at(batch);
      points.push_back({division, numbers, is_in_time(numbers)});
    }
    return points;
  }

  [[nodiscard]] std::vector<std::int64_t> batches(const ServingDivision& division,
                                                  const FullBatches& service) const {
    const std::vector<int>& wanted = checked_.search.batch;
    const std::int64_t most = service.largest();
    std::vector<std::int64_t> all = wanted.empty()
                                        ? batches_up_to(most)
                                        : std::vector<std::int64_t>(wanted.begin(), wanted.end());
    if (wanted.empty()) {
      all.push_back(service.largest_in_time());
      std::ranges::sort(all);
      all.erase(std::ranges::unique(all).begin(), all.end());
    }
    // read_inference() wants room for prompts in an iteration with a step of all requests.
    const double shares = division.attention_dp ? division.tp : 1.0;
    std::erase_if(all, [&](std::int64_t batch) {
      const double steps = static_cast<double>(batch) / shares * checked_.inference.step_tokens();
      return batch < 1 || batch > most || steps >= division.max_tokens;
    });
    return all;
  }

  [[nodiscard]] bool is_in_time(const simulation::FullBatch& numbers) const {
    const models::Inference& inference = checked_.inference;
    const auto holds = [](core::Duration time, const std::optional<core::Duration>& wanted) {
      return !wanted || time <= *wanted;
    };
    return holds(numbers.time_to_first_token, inference.time_to_first_token) &&
           holds(numbers.time_per_output_token, inference.time_per_output_token);
  }

  const CheckedInference& checked_;
  const topologies::BuiltCluster& built_;
};

}  // namespace

std::vector<ServingPoint> serving_points(const CheckedInference& checked,
                                         const topologies::BuiltCluster& built,
                                         const std::vector<ServingDivision>& divisions,
                                         int num_threads) {
  std::vector<ServingDivision> apart;
  std::ranges::copy_if(divisions, std::back_inserter(apart), &ServingDivision::is_apart);
  const SharedParts prompts(checked, built, apart, ReplicaRole::kPrompts, num_threads);
  const SharedParts answers(checked, built, apart, ReplicaRole::kAnswers, num_threads);
  const Points points(checked, built);
  std::vector<std::vector<ServingPoint>> found(divisions.size());
  core::parallel_for(
      divisions.size(),
      [&](std::size_t i) {
        const ServingDivision& one = divisions[i];
        found[i] = one.is_apart() ? points.of_apart(one, prompts.of(one), answers.of(one))
                                  : points.of_whole(one);
      },
      num_threads);
  std::vector<ServingPoint> all;
  for (std::vector<ServingPoint>& some : found) std::ranges::move(some, std::back_inserter(all));
  return all;
}

}  // namespace railwright::planner
