// SPDX-License-Identifier: Apache-2.0
// The points of a search space that fit into memory, with lower bounds of their times.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "candidates.hpp"
#include "configuration_evaluator.hpp"
#include "objective_weights.hpp"
#include "search_part.hpp"
#include "shapes.hpp"

namespace railwright::planner {

class SearchPoints {
 public:
  /// `part` may be null: all points. All arguments must outlive the points.
  SearchPoints(const simulation::ScenarioSource& source, const simulation::CheckedScenario& base,
               const simulation::SearchSpace& space, const SearchOptions& options,
               const SearchPart* part);
  SearchPoints(const SearchPoints&) = delete;
  SearchPoints& operator=(const SearchPoints&) = delete;
  ~SearchPoints() = default;

  /// Finds the points that fit and may be among the best.
  void find();
  [[nodiscard]] std::vector<Candidate>& candidates() { return candidates_; }
  /// Returns the point of least memory, whether it fits or not.
  [[nodiscard]] const std::optional<Candidate>& min_memory() const { return min_memory_; }
  /// Returns the least bound of the points that are too slow, in seconds per sample.
  [[nodiscard]] double min_too_slow() const { return min_too_slow_; }
  [[nodiscard]] const SearchCounts& counts() const { return counts_; }

  [[nodiscard]] std::vector<ConfigurationEvaluator>& evaluators() { return *evaluators_; }
  [[nodiscard]] const std::vector<ConfigurationEvaluator>& evaluators() const {
    return *evaluators_;
  }
  [[nodiscard]] ConfigurationEvaluator& evaluator(const Candidate& candidate) {
    return (*evaluators_)[candidate.evaluator];
  }
  [[nodiscard]] const ConfigurationEvaluator& evaluator(const Candidate& candidate) const {
    return (*evaluators_)[candidate.evaluator];
  }
  [[nodiscard]] const Shape& shape(const Candidate& candidate) const {
    return shapes_[candidate.evaluator][candidate.shape];
  }
  [[nodiscard]] simulation::Configuration configuration(const Candidate& candidate) const {
    return shape(candidate).at(candidate.point);
  }
  /// Returns the configurations of the candidates of one evaluator.
  [[nodiscard]] std::vector<simulation::Configuration> configurations(
      const std::vector<Candidate>& candidates, std::uint32_t evaluator) const;

  /// Sets the lower bounds that memory, computation and the calls that are known give.
  void set_bounds(const simulation::MemoryEstimate& memory, const simulation::Configuration& c,
                  Candidate& candidate) const;
  /// Raises the lower bounds to that of a step time.
  void raise_bounds(core::Duration step_time, const simulation::Configuration& c,
                    Candidate& candidate) const;
  /// Drops those whose lower bound is above what the options allow, and keeps the least of these
  /// bounds.
  void drop_too_slow(std::vector<Candidate>& candidates);
  /// Returns the objective of a step. Takes time as it stands, not as a sum, to keep ties equal.
  [[nodiscard]] double value(std::uint32_t evaluator, const simulation::Estimate& estimate) const;

 private:
  struct ShapeCandidates {
    SearchCounts counts;
    std::vector<Candidate> fitting;
    std::optional<Candidate> min_memory;
    std::vector<bool> left_out;  ///< by point of one batch; empty: none
    double min_left_out = std::numeric_limits<double>::infinity();  ///< least bound of these
  };

  void make_evaluators(const simulation::ScenarioSource& source,
                       const simulation::CheckedScenario& base);
  [[nodiscard]] MayDivide may_divide(std::size_t g) const;
  void find_of(std::uint32_t g);
  void leave_out_slow(const Shape& shape, std::uint32_t g, ShapeCandidates& found) const;
  void find_of_shape(const Shape& shape, std::uint32_t g, std::uint32_t s,
                     ShapeCandidates& found) const;
  void add(ShapeCandidates& one);
  [[nodiscard]] bool may_be_best(std::uint32_t g, const simulation::Configuration& c) const;

  const simulation::SearchSpace& space_;
  const SearchOptions& options_;
  const SearchPart* part_;
  int num_nodes_;
  std::vector<ConfigurationEvaluator> own_evaluators_;
  std::vector<ConfigurationEvaluator>* evaluators_;  ///< own ones, or those of `part`
  std::vector<std::vector<Shape>> shapes_;           // indexed by evaluator, as are `rates_`
  std::vector<ObjectiveRates> rates_;
  std::vector<double> min_rates_;  // the least of each of `rates_`
  std::vector<Candidate> candidates_;
  std::optional<Candidate> min_memory_;
  double min_too_slow_ = std::numeric_limits<double>::infinity();
  SearchCounts counts_;
};

/// Returns the source with the settings of a variant, which are text of the user's.
simulation::ScenarioSource with_variant(const simulation::ScenarioSource& source,
                                        const simulation::Variant& variant);
simulation::Change rank_order_change(const std::string& order);

}  // namespace railwright::planner
