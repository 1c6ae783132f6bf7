// SPDX-License-Identifier: Apache-2.0
#include "search_points.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "railwright/core/parallel_for.hpp"
#include "railwright/simulation/scenario/with_settings.hpp"

namespace railwright::planner {

namespace {

double samples_of(const simulation::Configuration& c) {
  return static_cast<double>(c.global_batch);
}

}  // namespace

simulation::ScenarioSource with_variant(const simulation::ScenarioSource& source,
                                        const simulation::Variant& variant) {
  if (variant.set.empty()) return source;
  return {simulation::with_settings(source.tree(), variant.set), source.catalogue()};
}

simulation::Change rank_order_change(const std::string& order) {
  return {"parallelism.rank_order=" + order,
          [order](simulation::Scenario& scenario) { scenario.parallelism.rank_order = order; }};
}

SearchPoints::SearchPoints(const simulation::ScenarioSource& source,
                           const simulation::CheckedScenario& base,
                           const simulation::SearchSpace& space, const SearchOptions& options,
                           const SearchPart* part)
    : space_(space),
      options_(options),
      part_(part),
      num_nodes_(base.scenario.cluster.num_nodes),
      evaluators_(part != nullptr && part->evaluators != nullptr ? part->evaluators
                                                                 : &own_evaluators_) {
  make_evaluators(source, base);
}

void SearchPoints::make_evaluators(const simulation::ScenarioSource& source,
                                   const simulation::CheckedScenario& base) {
  std::vector<simulation::Variant> variants = space_.variants;
  if (variants.empty()) variants.push_back({});
  const bool are_known = evaluators_->size() == variants.size() * space_.rank_order.size();
  if (!are_known) evaluators_->clear();
  std::size_t g = 0;
  for (const simulation::Variant& variant : variants) {
    std::optional<simulation::ScenarioSource> varied;
    std::vector<std::string> orders;
    for (const std::string& order : space_.rank_order) {
      if (!are_known) {
        std::vector<std::string> settings = variant.set;
        std::vector<simulation::Change> changes;
        if (order != base.scenario.parallelism.rank_order) {
          changes.push_back(rank_order_change(order));
          settings.push_back(changes.back().setting);
        }
        if (!varied) varied = with_variant(source, variant);
        evaluators_->emplace_back(varied->with(changes).checked_without_basis(), variant.name,
                                  settings);
      }
      const simulation::CheckedScenario& own = (*evaluators_)[g++].base();
      shapes_.push_back(shapes(own.scenario, space_, may_divide(g - 1)));
      std::erase_if(shapes_.back(), [&](const Shape& shape) {
        return std::ranges::any_of(
            orders, [&](const std::string& earlier) { return shape.is_the_same(earlier, order); });
      });
      orders.push_back(order);
      rates_.push_back(objective_rates(own, space_.objective));
      min_rates_.push_back(*std::ranges::min_element(rates_.back()));
    }
  }
}

/// Makes what the part knows of all numbers of nodes, unless an earlier search did.
MayDivide SearchPoints::may_divide(std::size_t g) const {
  if (part_ == nullptr || part_->least_works == nullptr) return {};
  LeastWorks& all = *part_->least_works;
  if (all.size() == g) {
    all.push_back(std::make_unique<simulation::LeastWork>((*evaluators_)[g].base()));
  }
  return [&least = *all[g], num_nodes = num_nodes_](const simulation::Configuration& alone) {
    return least.may_divide(alone, num_nodes);
  };
}

void SearchPoints::find() {
  for (std::uint32_t g = 0; g < evaluators_->size(); ++g) find_of(g);
}

/// Collects the points of one evaluator that fit into memory.
void SearchPoints::find_of(std::uint32_t g) {
  ConfigurationEvaluator& evaluator = (*evaluators_)[g];
  const std::vector<Shape>& all = shapes_[g];
  constexpr std::size_t kAtOnce = 64;
  for (std::size_t first = 0; first < all.size(); first += kAtOnce) {
    const std::size_t count = std::min(kAtOnce, all.size() - first);
    const auto part = std::span(all).subspan(first, count);
    std::vector<ShapeCandidates> found(count);
    core::parallel_for(
        count, [&](std::size_t i) { leave_out_slow(part[i], g, found[i]); }, options_.num_threads);
    std::vector<ShapePart> left;
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < count; ++i) {
      found[i].counts.points = part[i].num_points();
      const std::vector<bool>& left_out = found[i].left_out;
      if (!left_out.empty() && std::ranges::find(left_out, false) == left_out.end()) continue;
      left.push_back({part[i], left_out});
      numbers.push_back(i);
    }
    evaluator.prepare_memory(left, options_.num_threads);
    core::parallel_for(
        numbers.size(),
        [&](std::size_t one) {
          const std::size_t i = numbers[one];
          find_of_shape(part[i], g, static_cast<std::uint32_t>(first + i), found[i]);
        },
        options_.num_threads);
    for (ShapeCandidates& one : found) add(one);
    if (options_.progress) {
      options_.progress("memory", static_cast<std::int64_t>(first + count),
                        static_cast<std::int64_t>(all.size()));
    }
  }
}

/// Leaves out the points that do not divide, or are too slow by computation and bubble alone.
void SearchPoints::leave_out_slow(const Shape& shape, std::uint32_t g,
                                  ShapeCandidates& found) const {
  if (part_ == nullptr || part_->least_works == nullptr || !options_.max_time_per_sample) return;
  simulation::LeastWork& least = *(*part_->least_works)[g];
  found.left_out.resize(shape.num_points_of_batch(), true);
  std::array<std::optional<bool>, 2> divides;  // with and without sequence parallelism
  for (std::size_t kind = 0; kind < shape.num_kinds(); ++kind) {
    const simulation::Configuration c = shape.first_of_kind(kind);
    const auto is_slow = [&](core::Duration time) {
      if (time <= *options_.max_time_per_sample) return false;
      found.min_left_out = std::min(found.min_left_out, time.base());
      return true;
    };
    if (is_slow(least.known_time_per_sample(c, num_nodes_))) continue;
    std::optional<bool>& is_legal = divides[c.sequence_parallel ? 1 : 0];
    if (!is_legal) is_legal = least.divides(c, num_nodes_);
    if (!*is_legal) continue;
    const core::Duration time = least.time_per_sample(c, num_nodes_);
    if (is_slow(time)) continue;
    shape.for_each_chunks(kind, [&](std::size_t point) {
      const simulation::Configuration one = shape.at(static_cast<std::int64_t>(point));
      const double microbatches = shape.most_microbatches(one);
      found.left_out[point] =
          microbatches < 1.0 || is_slow(time * simulation::least_bubble_factor(one, microbatches));
    });
  }
}

void SearchPoints::find_of_shape(const Shape& shape, std::uint32_t g, std::uint32_t s,
                                 ShapeCandidates& found) const {
  const ConfigurationEvaluator& evaluator = (*evaluators_)[g];
  shape.for_each_left(found.left_out, shape.num_batches(), [&](std::int64_t point) {
    const simulation::Configuration c = shape.at(point);
    if (c.global_batch == 0) return;
    const simulation::MemoryEstimate memory = evaluator.memory(c);
    if (memory.status == simulation::EstimateStatus::kNotPrepared) {
      throw std::logic_error("add_representatives lacks a point's entries");
    }
    if (memory.status != simulation::EstimateStatus::kOk) return;
    ++found.counts.legal;
    Candidate candidate{.evaluator = g, .shape = s, .point = point, .memory = memory.memory.base()};
    set_bounds(memory, c, candidate);
    if (memory.fits) {
      ++found.counts.fitting;
      if (may_be_best(g, c)) found.fitting.push_back(candidate);
    }
    if (!found.min_memory || candidate.memory < found.min_memory->memory) {
      found.min_memory = candidate;
    }
  });
}

void SearchPoints::add(ShapeCandidates& one) {
  counts_.points += one.counts.points;
  counts_.legal += one.counts.legal;
  counts_.fitting += one.counts.fitting;
  drop_too_slow(one.fitting);
  min_too_slow_ = std::min(min_too_slow_, one.min_left_out);
  std::ranges::copy(one.fitting, std::back_inserter(candidates_));
  if (!one.min_memory) return;
  if (!min_memory_ || one.min_memory->memory < min_memory_->memory) {
    min_memory_ = one.min_memory;
  }
}

bool SearchPoints::may_be_best(std::uint32_t g, const simulation::Configuration& c) const {
  if (part_ == nullptr || !part_->may_be_best) return true;
  const ConfigurationEvaluator& evaluator = (*evaluators_)[g];
  return part_->may_be_best(evaluator.variant(), evaluator.base().scenario.parallelism.rank_order,
                            c);
}

void SearchPoints::set_bounds(const simulation::MemoryEstimate& memory,
                              const simulation::Configuration& c, Candidate& candidate) const {
  candidate.min_time = memory.min_step_time.base() / samples_of(c);
  candidate.min_value = min_rates_[candidate.evaluator] * candidate.min_time;
}

void SearchPoints::raise_bounds(core::Duration step_time, const simulation::Configuration& c,
                                Candidate& candidate) const {
  // Sums of fewer transfers may differ by their rounding.
  constexpr double kRoundedDown = 1.0 - 1e-9;
  candidate.min_time =
      std::max(candidate.min_time, step_time.base() / samples_of(c) * kRoundedDown);
  candidate.min_value = min_rates_[candidate.evaluator] * candidate.min_time;
}

void SearchPoints::drop_too_slow(std::vector<Candidate>& candidates) {
  if (!options_.max_time_per_sample) return;
  std::erase_if(candidates, [&](const Candidate& candidate) {
    if (candidate.min_time <= options_.max_time_per_sample->base()) return false;
    min_too_slow_ = std::min(min_too_slow_, candidate.min_time);
    return true;
  });
}

std::vector<simulation::Configuration> SearchPoints::configurations(
    const std::vector<Candidate>& candidates, std::uint32_t evaluator) const {
  std::vector<simulation::Configuration> of_evaluator;
  for (const Candidate& candidate : candidates) {
    if (candidate.evaluator == evaluator) of_evaluator.push_back(configuration(candidate));
  }
  return of_evaluator;
}

double SearchPoints::value(std::uint32_t evaluator, const simulation::Estimate& estimate) const {
  const bool is_time = space_.objective == simulation::Objective::kThroughput ||
                       space_.objective == simulation::Objective::kMemory;
  return is_time ? estimate.step_time.base() : value_of(rates_[evaluator], estimate.breakdown);
}

}  // namespace railwright::planner
