// SPDX-License-Identifier: Apache-2.0
// Points of a search that fit, and the best of them, which prune the rest.
#pragma once

#include <cstdint>
#include <vector>

#include "configuration_evaluator.hpp"
#include "railwright/planner/search/search.hpp"

namespace railwright::planner {

/// A point that fits, with lower bounds of its time and objective.
struct Candidate {
  std::uint32_t evaluator = 0;
  std::uint32_t shape = 0;
  std::int64_t point = 0;
  double min_time = 0.0;   ///< lower bound of seconds per sample
  double min_value = 0.0;  ///< lower bound of the objective per sample: seconds, joules or USD
  double memory = 0.0;     ///< bytes

  friend auto operator<=>(const Candidate&, const Candidate&) = default;
};

/// Sort key of a point, smaller is better: the objective per sample, then memory; for the objective
/// memory the other way around.
struct Score {
  double first = 0.0;
  double second = 0.0;
  Candidate candidate;  ///< breaks ties

  friend auto operator<=>(const Score&, const Score&) = default;
};
/// `value`: the objective per sample; for the objective memory, the time.
Score score(simulation::Objective objective, const Candidate& candidate, double value);

/// The best points so far, and the Pareto front of time and memory if it is asked for.
class Best {
 public:
  Best(simulation::Objective objective, const SearchOptions& options)
      : objective_(objective),
        num_best_(static_cast<std::size_t>(options.num_best)),
        has_front_(options.front) {}

  /// Whether the candidate cannot enter the best or the front, whatever time it takes.
  [[nodiscard]] bool is_beaten(const Candidate& candidate) const;
  /// `time`: seconds per sample; `value`: the objective per sample.
  void add(const Candidate& candidate, double time, double value);

  [[nodiscard]] const std::vector<Score>& best() const { return best_; }
  struct Timed {
    Candidate candidate;
    double time = 0.0;
  };
  /// The Pareto front, fastest first.
  [[nodiscard]] const std::vector<Timed>& front() const { return front_; }

 private:
  [[nodiscard]] bool is_dominated(double time, double memory) const;

  simulation::Objective objective_;
  std::size_t num_best_;
  bool has_front_;
  std::vector<Score> best_;
  std::vector<Timed> front_;
};

}  // namespace railwright::planner
