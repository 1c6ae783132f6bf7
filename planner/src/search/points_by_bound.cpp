// SPDX-License-Identifier: Apache-2.0
#include "points_by_bound.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "railwright/core/parallel_for.hpp"

namespace railwright::planner {

PointsByBound::PointsByBound(SearchPoints& points, simulation::Objective objective,
                             const SearchOptions& options, const SearchPart* part)
    : points_(points),
      objective_(objective),
      options_(options),
      drops_by_transfers_(part != nullptr && part->drops_by_transfers),
      max_least_{part == nullptr ? kMaxTransfers : 1, part == nullptr ? kMaxTransfers : 1},
      candidates_(std::move(points.candidates())),
      best_(objective, options) {
  std::ranges::sort(candidates_, {}, [&](const Candidate& candidate) {
    return std::pair(bound_of(candidate), candidate);
  });
}

void PointsByBound::estimate(const std::function<void()>& tell) {
  while (next_ < candidates_.size() || !waiting_.empty()) {
    if (waiting_.empty() || waiting_.front().bound > least_to_come()) {
      add_part();
    } else if (waiting_.front().has == Bound::kCalls) {
      raise_bounds(Bound::kCalls, simulation::Transfers::kSyncs, Bound::kSyncs);
    } else if (waiting_.front().has == Bound::kSyncs) {
      raise_bounds(Bound::kSyncs, simulation::Transfers::kFewReplicas, Bound::kLast);
    } else {
      estimate_block(next_block());
      max_transfers_ = std::min(2 * max_transfers_, kMaxTransfers);
    }
    tell();
  }
}

/// Returns the least bound of the points that do not wait yet.
double PointsByBound::least_to_come() const {
  return next_ < candidates_.size() ? bound_of(candidates_[next_])
                                    : std::numeric_limits<double>::infinity();
}

void PointsByBound::push(const Candidate& candidate, Bound has) {
  waiting_.push_back({bound_of(candidate), candidate, has});
  std::ranges::push_heap(waiting_, std::greater{});
}

Candidate PointsByBound::pop() {
  std::ranges::pop_heap(waiting_, std::greater{});
  const Candidate least = waiting_.back().candidate;
  waiting_.pop_back();
  return least;
}

/// Whether the next point with such a bound comes before all that do not wait yet.
bool PointsByBound::comes_next(Bound has) const {
  return !waiting_.empty() && waiting_.front().has == has &&
         waiting_.front().bound <= least_to_come();
}

/// Adds the next points, with calls.
void PointsByBound::add_part() {
  std::vector<Candidate> part;
  for (; next_ < candidates_.size() && part.size() < part_size_; ++next_) {
    if (!best_.is_beaten(candidates_[next_])) part.push_back(candidates_[next_]);
  }
  part_size_ *= 2;
  // Few replicas do not tell more of memory, and a front has points of any time.
  const bool is_final = objective_ == simulation::Objective::kMemory || options_.front;
  add_calls(part);
  for (const Candidate& candidate : part) {
    push(candidate, is_final ? Bound::kLast : Bound::kCalls);
  }
}

/// Raises lower bounds by the calls within passes.
void PointsByBound::add_calls(std::vector<Candidate>& part) {
  for (std::uint32_t g = 0; g < points_.evaluators().size(); ++g) {
    points_.evaluators()[g].prepare_calls(points_.configurations(part, g), options_.num_threads);
  }
  for (Candidate& candidate : part) {
    const simulation::Configuration c = points_.configuration(candidate);
    points_.set_bounds(points_.evaluator(candidate).memory(c), c, candidate);
  }
  points_.drop_too_slow(part);
}

/// Raises the least lower bounds by these transfers.
void PointsByBound::raise_bounds(Bound from, simulation::Transfers transfers, Bound to) {
  constexpr std::size_t kMax = 256;
  std::vector<Candidate> part;
  int& most = max_least_[transfers == simulation::Transfers::kSyncs ? 0 : 1];
  for (int num_new = 0; part.size() < kMax && num_new < most && comes_next(from);) {
    const Candidate candidate = pop();
    if (best_.is_beaten(candidate)) continue;
    if (points_.evaluator(candidate).needs_least(transfers, points_.configuration(candidate)))
      ++num_new;
    part.push_back(candidate);
  }
  most = std::min(2 * most, kMaxTransfers);
  for (std::uint32_t g = 0; g < points_.evaluators().size(); ++g) {
    points_.evaluators()[g].prepare_least(transfers, points_.configurations(part, g),
                                          options_.num_threads);
  }
  for (Candidate& candidate : part) {
    const simulation::Configuration c = points_.configuration(candidate);
    points_.raise_bounds(points_.evaluator(candidate).least_step_time(transfers, c), c, candidate);
  }
  if (drops_by_transfers_) points_.drop_too_slow(part);
  for (const Candidate& candidate : part) {
    if (!best_.is_beaten(candidate)) push(candidate, to);
  }
}

/// Returns enough points to keep all cores busy, but few that others of the block would prune.
std::vector<Candidate> PointsByBound::next_block() {
  constexpr std::size_t kMax = 2048;
  std::vector<Candidate> block;
  int num_transfers = 0;
  while (block.size() < kMax && num_transfers < max_transfers_ && comes_next(Bound::kLast)) {
    const Candidate candidate = pop();
    if (best_.is_beaten(candidate)) continue;
    if (points_.evaluator(candidate).needs_transfers(points_.configuration(candidate)))
      ++num_transfers;
    block.push_back(candidate);
  }
  return block;
}

void PointsByBound::estimate_block(const std::vector<Candidate>& block) {
  for (std::uint32_t g = 0; g < points_.evaluators().size(); ++g) {
    points_.evaluators()[g].prepare(points_.configurations(block, g), options_.num_threads);
  }
  struct Measured {
    double time = 0.0;
    double value = 0.0;
  };
  std::vector<Measured> measured(block.size());
  core::parallel_for(
      block.size(),
      [&](std::size_t i) {
        const simulation::Configuration c = points_.configuration(block[i]);
        const simulation::Estimate estimate = points_.evaluator(block[i]).estimate(c);
        const auto samples = static_cast<double>(c.global_batch);
        measured[i] = {estimate.step_time.base() / samples,
                       points_.value(block[i].evaluator, estimate) / samples};
      },
      options_.num_threads);
  for (std::size_t i = 0; i < block.size(); ++i) {
    best_.add(block[i], measured[i].time, measured[i].value);
  }
  num_estimated_ += static_cast<std::int64_t>(block.size());
}

}  // namespace railwright::planner
