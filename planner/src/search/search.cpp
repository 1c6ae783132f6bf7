// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/search/search.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "objective_weights.hpp"
#include "points_by_bound.hpp"
#include "railwright/core/parallel_for.hpp"
#include "railwright/core/units/text.hpp"
#include "railwright/models/money/comparable_costs.hpp"
#include "railwright/planner/so_far.hpp"
#include "railwright/topologies/topology.hpp"
#include "railwright/workloads/kinds.hpp"
#include "railwright/workloads/training/simulate.hpp"
#include "search_part.hpp"
#include "search_points.hpp"
#include "settings.hpp"

namespace railwright::planner {

namespace {

double samples(const simulation::Configuration& c) { return static_cast<double>(c.global_batch); }

/// Returns the base, whose objective must be known to need no more than it has. What predictions
/// rest on is of no use to those who search part of a space.
simulation::CheckedScenario checked_base(const simulation::ScenarioSource& source,
                                         const SearchPart* part) {
  simulation::CheckedScenario base =
      part == nullptr ? source.checked() : source.checked_without_basis();
  const auto& space = base.scenario.search;
  if (space && space->objective == simulation::Objective::kCost && !base.scenario.prices) {
    throw core::ConfigError({{source.tree().where, "search.objective", "cost needs `prices`", {}}});
  }
  return base;
}

class Search {
 public:
  Search(const simulation::ScenarioSource& source, const SearchOptions& options,
         const SearchPart* part)
      : source_(source),
        options_(options),
        part_(part),
        base_(checked_base(source, part)),
        space_(base_.scenario.search.value_or(simulation::SearchSpace{})),
        points_(source, base_, space_, options, part) {
    result_.name = base_.scenario.name;
    result_.objective = space_.objective;
    result_.num_accelerators = base_.scenario.num_accelerators();
    result_.memory_capacity = base_.scenario.cluster.node.accelerator.memory.value;
    result_.basis = base_.basis;
    result_.step_time_low = base_.scenario.installation.step_time_low.value;
    result_.step_time_high = base_.scenario.installation.step_time_high.value;
  }

  SearchResult run() {
    check_costs();
    points_.find();
    const auto num_points = static_cast<std::int64_t>(points_.candidates().size());
    PointsByBound by_bound(points_, space_.objective, options_, part_);
    if (num_points > 0 && may_use_fabric()) {
      by_bound.estimate([&] { tell(by_bound, num_points); });
    }
    result_.counts = points_.counts();
    result_.counts.estimated = by_bound.num_estimated();
    for (const ConfigurationEvaluator& evaluator : points_.evaluators())
      result_.counts.transfers += evaluator.num_transfers();
    fill_result(by_bound.best());
    simulate_best();
    return std::move(result_);
  }

 private:
  [[nodiscard]] bool may_use_fabric() const {
    return part_ == nullptr || !part_->may_use_fabric || part_->may_use_fabric();
  }

  /// Refuses to rank variants by cost while a part that decides it has no price.
  void check_costs() const {
    if (space_.objective != simulation::Objective::kCost || space_.variants.size() < 2) return;
    std::vector<models::Ownership> costs;
    for (const ConfigurationEvaluator& evaluator : points_.evaluators()) {
      costs.push_back(ownership_of(evaluator.base()));
    }
    std::vector<const models::Ownership*> all;
    for (const models::Ownership& cost : costs) all.push_back(&cost);
    const auto unpriced = models::unpriced_that_decide(all, models::CostBasis::kWork);
    if (unpriced.empty()) return;
    throw core::ConfigError({{source_.tree().where, "search.objective",
                              fmt::format("the costs of these variants are not comparable: no "
                                          "price of {}",
                                          fmt::join(unpriced, ", ")),
                              "give their prices, or another objective"}});
  }

  SearchEntry entry(const Candidate& candidate) {
    ConfigurationEvaluator& evaluator = points_.evaluator(candidate);
    const simulation::Configuration c = points_.configuration(candidate);
    evaluator.prepare(std::span(&c, 1), options_.num_threads);
    SearchEntry made{.settings = evaluator.settings(),
                     .variant = evaluator.variant(),
                     .rank_order = evaluator.base().scenario.parallelism.rank_order,
                     .configuration = c,
                     .dp = points_.shape(candidate).dp,
                     .estimate = evaluator.estimate(c)};
    made.value_per_sample = points_.value(candidate.evaluator, made.estimate) / samples(c);
    for (std::string& setting : settings_between(evaluator.base().scenario, c)) {
      made.settings.push_back(std::move(setting));
    }
    return made;
  }

  void fill_result(const Best& best) {
    for (const Score& one : best.best()) result_.best.push_back(entry(one.candidate));
    for (const Best::Timed& one : best.front()) result_.front.push_back(entry(one.candidate));
    const bool knows_all = part_ == nullptr || part_->least_works == nullptr;
    if (knows_all && result_.counts.fitting == 0 && points_.min_memory()) {
      result_.min_memory = entry(*points_.min_memory());
    }
    if (best.best().empty() && std::isfinite(points_.min_too_slow())) {
      result_.min_time_per_sample = core::Duration::from_base(points_.min_too_slow());
    }
    if (part_ == nullptr) set_own();
  }

  /// Estimates the unchanged scenario.
  void set_own() {
    auto& evaluators = points_.evaluators();
    const auto same = std::ranges::find_if(evaluators, [](const ConfigurationEvaluator& evaluator) {
      return evaluator.settings().empty();
    });
    std::optional<ConfigurationEvaluator> apart;
    if (same == evaluators.end()) apart.emplace(base_, std::string(), std::vector<std::string>());
    ConfigurationEvaluator& own = apart ? *apart : *same;
    const simulation::Configuration c = configuration_of(base_);
    own.prepare(std::span(&c, 1), 1);
    const simulation::Estimate estimate = own.estimate(c);
    if (estimate.status != simulation::EstimateStatus::kOk || !estimate.fits) return;
    result_.own = SearchEntry{.settings = {},
                              .variant = {},
                              .rank_order = base_.scenario.parallelism.rank_order,
                              .configuration = c,
                              .dp = base_.layout.dp,
                              .estimate = estimate};
    const ObjectiveRates rates = objective_rates(base_, space_.objective);
    result_.own->value_per_sample = value_of(rates, estimate.breakdown) / samples(c);
  }

  /// Simulates the first few, and the scenario's own.
  void simulate_best() {
    const auto count =
        std::min(result_.best.size(), static_cast<std::size_t>(options_.num_simulated));
    std::vector<SearchEntry*> entries;
    for (std::size_t i = 0; i < count; ++i) entries.push_back(&result_.best[i]);
    if (count > 0 && result_.own) entries.push_back(&*result_.own);
    core::parallel_for(
        entries.size(), [&](std::size_t i) { simulate_entry(*entries[i]); }, options_.num_threads);
    if (space_.objective != simulation::Objective::kThroughput) return;
    std::stable_sort(result_.best.begin(),
                     result_.best.begin() + static_cast<std::ptrdiff_t>(count),
                     [](const SearchEntry& a, const SearchEntry& b) {
                       return a.samples_per_s() > b.samples_per_s();
                     });
  }

  void simulate_entry(SearchEntry& entry) const {
    const simulation::CheckedScenario checked = source_of(source_, entry).checked_without_basis();
    const simulation::SimulationResult simulated =
        simulate_without_run(checked, checked.topology->build(checked.scenario.cluster),
                             {.method = simulation::Method::kSimulate});
    if (simulated.feasible()) entry.simulated = simulated.step_time;
  }

  /// Tells how many points are decided, and the settings of the best so far.
  void tell(const PointsByBound& by_bound, std::int64_t num_points) {
    if (!options_.progress) return;
    options_.progress("time", by_bound.num_decided(), num_points);
    if (by_bound.best().best().empty()) return;
    const Candidate& best = by_bound.best().best().front().candidate;
    if (told_ == best) return;
    told_ = best;
    const ConfigurationEvaluator& evaluator = points_.evaluator(best);
    const simulation::Configuration c = points_.configuration(best);
    std::vector<std::string> settings = evaluator.settings();
    for (std::string& one : settings_between(evaluator.base().scenario, c)) {
      settings.push_back(std::move(one));
    }
    tell_so_far(
        options_.progress,
        fmt::format("a step of {} by estimate{}{}", core::to_text(evaluator.estimate(c).step_time),
                    settings.empty() ? "" : " with ", fmt::join(settings, " ")));
  }

  const simulation::ScenarioSource& source_;
  const SearchOptions& options_;
  const SearchPart* part_;
  simulation::CheckedScenario base_;
  simulation::SearchSpace space_;
  SearchPoints points_;
  std::optional<Candidate> told_;  ///< the best that was told last
  SearchResult result_;
};

}  // namespace

double SearchEntry::samples_per_s() const {
  return static_cast<double>(configuration.global_batch) / step_time().base();
}

SearchResult search(const core::Node& tree, const core::Catalogue& catalogue,
                    const SearchOptions& options) {
  const simulation::ScenarioSource source = simulation::training_source(tree, catalogue);
  return Search(source, options, nullptr).run();
}

SearchResult search_part(const simulation::ScenarioSource& source, const SearchOptions& options,
                         const SearchPart& part) {
  return Search(source, options, &part).run();
}

simulation::ScenarioSource source_of(const simulation::ScenarioSource& source,
                                     const SearchEntry& entry) {
  simulation::Variant variant;
  if (const auto& space = source.fields().search) {
    const auto found = std::ranges::find_if(space->variants, [&](const simulation::Variant& one) {
      return one.name == entry.variant && one.set.size() <= entry.settings.size() &&
             std::ranges::equal(one.set, std::span(entry.settings).first(one.set.size()));
    });
    if (found != space->variants.end()) variant = *found;
  }
  const simulation::ScenarioSource base = with_variant(source, variant);
  std::vector<simulation::Change> changes = changes_between(base.fields(), entry.configuration);
  if (entry.rank_order != base.fields().parallelism.rank_order) {
    changes.push_back(rank_order_change(entry.rank_order));
  }
  return base.with(changes);
}

}  // namespace railwright::planner
