// SPDX-License-Identifier: Apache-2.0
// Points of a search that fit, and those among them that nothing beats.
#pragma once

#include <cstdint>
#include <vector>

#include "configuration_evaluator.hpp"
#include "railwright/planner/search/search.hpp"

namespace railwright::planner {

/// A point that fits, with bounds of what it can be.
struct Candidate {
  std::uint32_t evaluator = 0;
  std::uint32_t shape = 0;
  std::int64_t point = 0;
  double min_time = 0.0;   ///< seconds for a sample, less than which it cannot take
  double min_value = 0.0;  ///< the same of what the objective counts: seconds, joules or USD
  double memory = 0.0;     ///< bytes

  friend auto operator<=>(const Candidate&, const Candidate&) = default;
};

/// Its time and memory as far as the objective ranks them: the less the better.
struct Score {
  double first = 0.0;
  double second = 0.0;
  Candidate candidate;  ///< decides between equals

  friend auto operator<=>(const Score&, const Score&) = default;
};
/// `value`: what the objective counts for a sample; of memory, its time.
Score score(simulation::Objective objective, const Candidate& candidate, double value);

/// The best so far, and the front of time and memory where it is asked for.
class Best {
 public:
  Best(simulation::Objective objective, const SearchOptions& options)
      : objective_(objective),
        num_best_(static_cast<std::size_t>(options.num_best)),
        has_front_(options.front) {}

  /// Whether no time that the candidate can take would change anything.
  [[nodiscard]] bool is_beaten(const Candidate& candidate) const;
  /// `time`: seconds for a sample; `value`: what the objective counts for one.
  void add(const Candidate& candidate, double time, double value);

  [[nodiscard]] const std::vector<Score>& best() const { return best_; }
  struct Timed {
    Candidate candidate;
    double time = 0.0;
  };
  /// The fastest first.
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
