// SPDX-License-Identifier: Apache-2.0
// Points of a search space, by the number of ranks in each dimension.
#pragma once

#include <cstdint>
#include <functional>
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
  /// Returns the most micro-batches that a replica has with these of the shape's batches.
  [[nodiscard]] double most_microbatches(const simulation::Configuration& c) const;
  [[nodiscard]] std::int64_t num_points() const;
  [[nodiscard]] simulation::Configuration at(std::int64_t point) const;
  /// Points of a kind differ in chunks and batches alone, which change no layer's computation.
  [[nodiscard]] std::size_t num_kinds() const;
  [[nodiscard]] simulation::Configuration first_of_kind(std::size_t kind) const;
  /// Points of one batch, of which there are num_batches().
  [[nodiscard]] std::size_t num_points_of_batch() const {
    return num_kinds() * virtual_stages.size();
  }
  /// Calls `use(point)` for the points of a kind in the first batch, one for each number of chunks.
  template <class Use>
  void for_each_chunks(std::size_t kind, const Use& use) const {
    const std::size_t choices = num_choices();
    const std::size_t first = kind % choices + choices * virtual_stages.size() * (kind / choices);
    for (std::size_t chunks = 0; chunks < virtual_stages.size(); ++chunks) {
      use(first + choices * chunks);
    }
  }
  /// Calls `use(point)` for the points of the first batches that are not left out, in order.
  /// `left_out`: by point of one batch; empty: none.
  template <class Use>
  void for_each_left(const std::vector<bool>& left_out, std::int64_t num_first_batches,
                     const Use& use) const {
    std::int64_t point = 0;
    for (std::int64_t batch = 0; batch < num_first_batches; ++batch) {
      for (std::size_t of_batch = 0; of_batch < num_points_of_batch(); ++of_batch, ++point) {
        if (left_out.empty() || !left_out[of_batch]) use(point);
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

/// Whether the ranks of one dimension, all others being one, may divide the model.
using MayDivide = std::function<bool(const simulation::Configuration& alone)>;

/// Lists shapes whose ranks fill the cluster, in rising order of tp, cp, pp, ep and etp. Leaves out
/// ranks of which `may_divide` says no; it may be empty.
std::vector<Shape> shapes(const simulation::Scenario& scenario,
                          const simulation::SearchSpace& space, const MayDivide& may_divide);

}  // namespace railwright::planner
