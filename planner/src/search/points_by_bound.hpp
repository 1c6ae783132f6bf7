// SPDX-License-Identifier: Apache-2.0
// Estimates the points of a search in the order of their lower bounds.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "candidates.hpp"
#include "search_points.hpp"

namespace railwright::planner {

/// Goes on with the points of the least lower bound: adds calls to that of computation alone, then
/// the collectives between replicas, then all transfers of few replicas, then estimates. All points
/// left at the end are no better.
class PointsByBound {
 public:
  /// `part` may be null. All arguments must outlive this.
  PointsByBound(SearchPoints& points, simulation::Objective objective, const SearchOptions& options,
                const SearchPart* part);

  /// Estimates until no point left can be among the best. Calls `tell` after each part.
  void estimate(const std::function<void()>& tell);

  [[nodiscard]] const Best& best() const { return best_; }
  [[nodiscard]] std::int64_t num_estimated() const { return num_estimated_; }
  /// Returns how many points are estimated or ruled out, as far as is known.
  [[nodiscard]] std::int64_t num_decided() const {
    return static_cast<std::int64_t>(next_ - waiting_.size());
  }

 private:
  /// The part that a lower bound got last. One of kLast is not raised before the estimate.
  enum class Bound : std::uint8_t { kCalls, kSyncs, kLast };
  struct Waiting {
    double bound = 0.0;  ///< of the objective
    Candidate candidate;
    Bound has = Bound::kCalls;

    friend auto operator<=>(const Waiting&, const Waiting&) = default;
  };

  [[nodiscard]] double bound_of(const Candidate& candidate) const {
    return score(objective_, candidate, candidate.min_value).first;
  }
  [[nodiscard]] double least_to_come() const;
  void push(const Candidate& candidate, Bound has);
  Candidate pop();
  [[nodiscard]] bool comes_next(Bound has) const;
  void add_part();
  void add_calls(std::vector<Candidate>& part);
  void raise_bounds(Bound from, simulation::Transfers transfers, Bound to);
  std::vector<Candidate> next_block();
  void estimate_block(const std::vector<Candidate>& block);

  /// Most sets of transfers that a block computes. Each takes milliseconds to a second, and the
  /// first blocks prune most of the others.
  static constexpr int kFirstTransfers = 4;
  static constexpr int kMaxTransfers = 64;

  SearchPoints& points_;
  simulation::Objective objective_;
  const SearchOptions& options_;
  bool drops_by_transfers_;
  std::array<int, 2>
      max_least_;  // as `max_transfers_`, of syncs and of few replicas; few of a part
  std::vector<Candidate> candidates_;  // by the bound of computation alone
  std::size_t next_ = 0;               // the first of these that neither waits nor waited
  std::size_t part_size_ = 256;
  std::vector<Waiting> waiting_;  // a heap, the least bound first
  int max_transfers_ = kFirstTransfers;
  std::int64_t num_estimated_ = 0;
  Best best_;
};

}  // namespace railwright::planner
