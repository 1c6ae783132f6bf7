// SPDX-License-Identifier: Apache-2.0
// Points of a search space, by the number of ranks in each dimension.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "railwright/simulation/estimator/estimator.hpp"
#include "railwright/simulation/scenario/search_space.hpp"

namespace railwright::simulation {
struct Scenario;
}  // namespace railwright::simulation

namespace railwright::planner {

/// Points that differ only in the values listed here. The digits of point i choose from the lists,
/// the last from global batches.
struct Shape {
  simulation::Configuration ranks;  ///< tp, cp, ep, etp, pp and schedule
  int dp = 1;
  std::vector<int> virtual_stages;
  std::vector<int> micro_batch;
  std::vector<std::int64_t> global_batch;  ///< empty: the largest up to `max_global_batch`
  std::int64_t max_global_batch = 0;
  std::vector<int> zero_stage;
  std::vector<models::Recompute> recompute;
  std::vector<bool> sequence_parallel;

  [[nodiscard]] std::int64_t num_batches() const;
  [[nodiscard]] std::int64_t num_points() const;
  [[nodiscard]] simulation::Configuration at(std::int64_t point) const;
  /// Points of a kind differ in chunks and batches alone, which change no layer's computation.
  [[nodiscard]] std::size_t num_kinds() const;
  [[nodiscard]] simulation::Configuration first_of_kind(std::size_t kind) const;
  /// Calls `use(point)` for the points of the first batches whose kinds are not left out, in order.
  template <class Use>
  void for_each_left(const std::vector<bool>& left_out, std::int64_t num_first_batches,
                     const Use& use) const {
    const std::size_t choices = num_choices();
    std::int64_t point = 0;
    for (std::int64_t batch = 0; batch < num_first_batches; ++batch) {
      for (std::size_t of_micro = 0; of_micro < micro_batch.size(); ++of_micro) {
        for (std::size_t chunks = 0; chunks < virtual_stages.size(); ++chunks) {
          for (std::size_t choice = 0; choice < choices; ++choice, ++point) {
            if (left_out.empty() || !left_out[choice + choices * of_micro]) use(point);
          }
        }
      }
    }
  }
  /// Whether two rank orders differ only in dimensions of one rank.
  [[nodiscard]] bool is_the_same(std::string_view order, std::string_view other) const;

 private:
  /// Number of points that differ in what the first three digits choose.
  [[nodiscard]] std::size_t num_choices() const {
    return zero_stage.size() * recompute.size() * sequence_parallel.size();
  }
};

/// Lists shapes whose ranks fill the cluster, in rising order of tp, cp, pp, ep and etp.
std::vector<Shape> shapes(const simulation::Scenario& scenario,
                          const simulation::SearchSpace& space);

}  // namespace railwright::planner
