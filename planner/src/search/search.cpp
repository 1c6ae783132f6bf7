// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/search/search.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <utility>

#include "candidates.hpp"
#include "objective_weights.hpp"
#include "railwright/core/parallel_for.hpp"
#include "railwright/core/units/text.hpp"
#include "railwright/models/money/comparable_costs.hpp"
#include "railwright/planner/so_far.hpp"
#include "railwright/simulation/scenario/with_settings.hpp"
#include "railwright/topologies/topology.hpp"
#include "railwright/workloads/kinds.hpp"
#include "railwright/workloads/training/simulate.hpp"
#include "search_part.hpp"
#include "settings.hpp"

namespace railwright::planner {

namespace {

double samples(const simulation::Configuration& c) { return static_cast<double>(c.global_batch); }

/// Returns the source with the settings of a variant, which are text of the user's.
simulation::ScenarioSource with_variant(const simulation::ScenarioSource& source,
                                        const simulation::Variant& variant) {
  if (variant.set.empty()) return source;
  return {simulation::with_settings(source.tree(), variant.set), source.catalogue()};
}

simulation::Change rank_order_change(const std::string& order) {
  return {"parallelism.rank_order=" + order,
          [order](simulation::Scenario& scenario) { scenario.parallelism.rank_order = order; }};
}

class Search {
 public:
  Search(const simulation::ScenarioSource& source, const SearchOptions& options,
         const SearchPart* part)
      : source_(source),
        options_(options),
        part_(part),
        base_(source.checked()),
        space_(base_.scenario.search.value_or(simulation::SearchSpace{})),
        best_(space_.objective, options) {
    if (space_.objective == simulation::Objective::kCost && !base_.scenario.prices) {
      throw core::ConfigError(
          {{source.tree().where, "search.objective", "cost needs `prices`", {}}});
    }
    result_.name = base_.scenario.name;
    result_.objective = space_.objective;
    result_.num_accelerators = base_.scenario.num_accelerators();
    result_.memory_capacity = base_.scenario.cluster.node.accelerator.memory.value;
    result_.basis = base_.basis;
    result_.step_time_low = base_.scenario.installation.step_time_low.value;
    result_.step_time_high = base_.scenario.installation.step_time_high.value;
  }

  SearchResult run() {
    make_evaluators();
    check_costs();
    if (part_ != nullptr && part_->least_works != nullptr) make_least_works(*part_->least_works);
    for (std::uint32_t g = 0; g < evaluators_.size(); ++g) find_candidates(g);
    sort_by_bound(candidates_);
    estimate_candidates();
    fill_result();
    simulate_best();
    return std::move(result_);
  }

 private:
  void make_evaluators() {
    std::vector<simulation::Variant> variants = space_.variants;
    if (variants.empty()) variants.push_back({});
    for (const simulation::Variant& variant : variants) {
      const simulation::ScenarioSource source = with_variant(source_, variant);
      std::vector<std::string> orders;
      for (const std::string& order : space_.rank_order) {
        std::vector<std::string> settings = variant.set;
        std::vector<simulation::Change> changes;
        if (order != base_.scenario.parallelism.rank_order) {
          changes.push_back(rank_order_change(order));
          settings.push_back(changes.back().setting);
        }
        evaluators_.emplace_back(source.with(changes).checked_without_basis(), variant.name,
                                 settings);
        shapes_.push_back(shapes(evaluators_.back().base().scenario, space_));
        std::erase_if(shapes_.back(), [&](const Shape& shape) {
          return std::ranges::any_of(orders, [&](const std::string& earlier) {
            return shape.is_the_same(earlier, order);
          });
        });
        orders.push_back(order);
        rates_.push_back(objective_rates(evaluators_.back().base(), space_.objective));
        min_rates_.push_back(*std::ranges::min_element(rates_.back()));
      }
    }
  }

  void make_least_works(LeastWorks& least_works) const {
    for (std::size_t g = least_works.size(); g < evaluators_.size(); ++g) {
      least_works.push_back(std::make_unique<simulation::LeastWork>(evaluators_[g].base()));
    }
  }

  /// Refuses to rank variants by cost while a part that decides it has no price.
  void check_costs() const {
    if (space_.objective != simulation::Objective::kCost || space_.variants.size() < 2) return;
    std::vector<models::Ownership> costs;
    for (const ConfigurationEvaluator& evaluator : evaluators_) {
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

  /// Collects the points of one evaluator that fit into memory.
  void find_candidates(std::uint32_t g) {
    ConfigurationEvaluator& evaluator = evaluators_[g];
    const std::vector<Shape>& all = shapes_[g];
    constexpr std::size_t kAtOnce = 64;
    for (std::size_t first = 0; first < all.size(); first += kAtOnce) {
      const std::size_t count = std::min(kAtOnce, all.size() - first);
      const auto part = std::span(all).subspan(first, count);
      std::vector<ShapeCandidates> found(count);
      core::parallel_for(
          count, [&](std::size_t i) { leave_out_slow(part[i], g, found[i]); },
          options_.num_threads);
      std::vector<ShapePart> left;
      for (std::size_t i = 0; i < count; ++i) left.push_back({part[i], found[i].left_out});
      evaluator.prepare_memory(left, options_.num_threads);
      core::parallel_for(
          count,
          [&](std::size_t i) {
            find_candidates_of(part[i], g, static_cast<std::uint32_t>(first + i), found[i]);
          },
          options_.num_threads);
      for (ShapeCandidates& one : found) add(one);
      tell("memory", static_cast<std::int64_t>(first + count),
           static_cast<std::int64_t>(all.size()));
    }
  }

  struct ShapeCandidates {
    SearchCounts counts;
    std::vector<Candidate> fitting;
    std::optional<Candidate> min_memory;
    std::vector<bool> left_out;  ///< by kind of point; empty: none
    double min_left_out = std::numeric_limits<double>::infinity();  ///< least bound of these
  };

  /// Leaves out the kinds of points that do not divide, or are too slow by computation alone.
  void leave_out_slow(const Shape& shape, std::uint32_t g, ShapeCandidates& found) const {
    if (part_ == nullptr || part_->least_works == nullptr || !options_.max_time_per_sample) return;
    simulation::LeastWork& least = *(*part_->least_works)[g];
    const int num_nodes = base_.scenario.cluster.num_nodes;
    found.left_out.resize(shape.num_kinds(), true);
    std::array<std::optional<bool>, 2> divides;  // with and without sequence parallelism
    for (std::size_t kind = 0; kind < found.left_out.size(); ++kind) {
      const simulation::Configuration c = shape.first_of_kind(kind);
      const auto is_slow = [&](core::Duration time) {
        if (time <= *options_.max_time_per_sample) return false;
        found.min_left_out = std::min(found.min_left_out, time.base());
        return true;
      };
      if (is_slow(least.known_time_per_sample(c, num_nodes))) continue;
      std::optional<bool>& is_legal = divides[c.sequence_parallel ? 1 : 0];
      if (!is_legal) is_legal = least.divides(c, num_nodes);
      found.left_out[kind] = !*is_legal || is_slow(least.time_per_sample(c, num_nodes));
    }
  }

  void find_candidates_of(const Shape& shape, std::uint32_t g, std::uint32_t s,
                          ShapeCandidates& found) const {
    const ConfigurationEvaluator& evaluator = evaluators_[g];
    found.counts.points = shape.num_points();
    if (!found.left_out.empty() && std::ranges::all_of(found.left_out, std::identity{})) return;
    for (std::int64_t point = 0; point < found.counts.points; ++point) {
      if (!found.left_out.empty() && found.left_out[shape.kind_of(point)]) continue;
      const simulation::Configuration c = shape.at(point);
      if (c.global_batch == 0) continue;
      const simulation::MemoryEstimate memory = evaluator.memory(c);
      if (memory.status == simulation::EstimateStatus::kNotPrepared) {
        throw std::logic_error("add_representatives lacks a point's entries");
      }
      if (memory.status != simulation::EstimateStatus::kOk) continue;
      ++found.counts.legal;
      Candidate candidate{
          .evaluator = g, .shape = s, .point = point, .memory = memory.memory.base()};
      set_bounds(memory, c, candidate);
      if (memory.fits) {
        ++found.counts.fitting;
        if (may_be_best(g, c)) found.fitting.push_back(candidate);
      }
      if (!found.min_memory || candidate.memory < found.min_memory->memory) {
        found.min_memory = candidate;
      }
    }
  }

  void add(ShapeCandidates& one) {
    result_.counts.points += one.counts.points;
    result_.counts.legal += one.counts.legal;
    result_.counts.fitting += one.counts.fitting;
    drop_too_slow(one.fitting);
    min_too_slow_ = std::min(min_too_slow_, one.min_left_out);
    std::ranges::copy(one.fitting, std::back_inserter(candidates_));
    if (!one.min_memory) return;
    if (!min_memory_ || one.min_memory->memory < min_memory_->memory) {
      min_memory_ = one.min_memory;
    }
  }

  void set_bounds(const simulation::MemoryEstimate& memory, const simulation::Configuration& c,
                  Candidate& candidate) const {
    candidate.min_time = memory.min_step_time.base() / samples(c);
    candidate.min_value = min_rates_[candidate.evaluator] * candidate.min_time;
  }

  void sort_by_bound(std::vector<Candidate>& candidates) const {
    std::ranges::sort(candidates, {}, [&](const Candidate& candidate) {
      return std::pair(bound_of(candidate), candidate);
    });
  }

  [[nodiscard]] bool may_be_best(std::uint32_t g, const simulation::Configuration& c) const {
    if (part_ == nullptr || !part_->may_be_best) return true;
    const ConfigurationEvaluator& evaluator = evaluators_[g];
    return part_->may_be_best(evaluator.variant(), evaluator.base().scenario.parallelism.rank_order,
                              c);
  }

  /// Drops those whose lower bound is above what the options allow, and keeps the least of these
  /// bounds.
  void drop_too_slow(std::vector<Candidate>& candidates) {
    if (!options_.max_time_per_sample) return;
    std::erase_if(candidates, [&](const Candidate& candidate) {
      if (candidate.min_time <= options_.max_time_per_sample->base()) return false;
      min_too_slow_ = std::min(min_too_slow_, candidate.min_time);
      return true;
    });
  }

  [[nodiscard]] simulation::Configuration configuration(const Candidate& candidate) const {
    return shapes_[candidate.evaluator][candidate.shape].at(candidate.point);
  }

  /// The part that a lower bound got last. One of kLast is not raised before the estimate.
  enum class Bound : std::uint8_t { kCalls, kSyncs, kLast };
  struct Waiting {
    double bound = 0.0;  ///< of the objective
    Candidate candidate;
    Bound has = Bound::kCalls;

    friend auto operator<=>(const Waiting&, const Waiting&) = default;
  };

  /// Goes on with the points of the least lower bound: adds calls to that of computation alone,
  /// then the collectives between replicas, then all transfers of few replicas, then estimates. All
  /// points left at the end are no better.
  void estimate_candidates() {
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
        tell("time", static_cast<std::int64_t>(next_ - waiting_.size()),
             static_cast<std::int64_t>(candidates_.size()));
        tell_best();
      }
    }
    for (const ConfigurationEvaluator& evaluator : evaluators_)
      result_.counts.transfers += evaluator.num_transfers();
  }

  [[nodiscard]] bool drops_by_transfers() const {
    return part_ != nullptr && part_->drops_by_transfers;
  }
  [[nodiscard]] double bound_of(const Candidate& candidate) const {
    return score(space_.objective, candidate, candidate.min_value).first;
  }
  /// Returns the least bound of the points that do not wait yet.
  [[nodiscard]] double least_to_come() const {
    return next_ < candidates_.size() ? bound_of(candidates_[next_])
                                      : std::numeric_limits<double>::infinity();
  }

  void push(const Candidate& candidate, Bound has) {
    waiting_.push_back({bound_of(candidate), candidate, has});
    std::ranges::push_heap(waiting_, std::greater{});
  }
  Candidate pop() {
    std::ranges::pop_heap(waiting_, std::greater{});
    const Candidate least = waiting_.back().candidate;
    waiting_.pop_back();
    return least;
  }
  /// Whether the next point with such a bound comes before all that do not wait yet.
  [[nodiscard]] bool comes_next(Bound has) const {
    return !waiting_.empty() && waiting_.front().has == has &&
           waiting_.front().bound <= least_to_come();
  }

  /// Adds the next points, with calls.
  void add_part() {
    std::vector<Candidate> part;
    for (; next_ < candidates_.size() && part.size() < part_size_; ++next_) {
      if (!best_.is_beaten(candidates_[next_])) part.push_back(candidates_[next_]);
    }
    part_size_ *= 2;
    // Few replicas do not tell more of memory, and a front has points of any time.
    const bool is_final = space_.objective == simulation::Objective::kMemory || options_.front;
    add_calls(part);
    for (const Candidate& candidate : part) {
      push(candidate, is_final ? Bound::kLast : Bound::kCalls);
    }
  }

  /// Raises the least lower bounds by these transfers.
  void raise_bounds(Bound from, simulation::Transfers transfers, Bound to) {
    constexpr std::size_t kMax = 256;
    std::vector<Candidate> part;
    for (int num_new = 0; part.size() < kMax && num_new < kMaxTransfers && comes_next(from);) {
      const Candidate candidate = pop();
      if (best_.is_beaten(candidate)) continue;
      if (evaluators_[candidate.evaluator].needs_least(transfers, configuration(candidate)))
        ++num_new;
      part.push_back(candidate);
    }
    for (std::uint32_t g = 0; g < evaluators_.size(); ++g) {
      evaluators_[g].prepare_least(transfers, configurations(part, g), options_.num_threads);
    }
    for (Candidate& candidate : part) {
      const simulation::Configuration c = configuration(candidate);
      const double least = evaluators_[candidate.evaluator].least_step_time(transfers, c).base() /
                           samples(c) * kRoundedDown;
      candidate.min_time = std::max(candidate.min_time, least);
      candidate.min_value = min_rates_[candidate.evaluator] * candidate.min_time;
    }
    if (drops_by_transfers()) drop_too_slow(part);
    for (const Candidate& candidate : part) {
      if (!best_.is_beaten(candidate)) push(candidate, to);
    }
  }

  /// Raises lower bounds by the calls within passes.
  void add_calls(std::vector<Candidate>& part) {
    for (std::uint32_t g = 0; g < evaluators_.size(); ++g) {
      evaluators_[g].prepare_calls(configurations(part, g), options_.num_threads);
    }
    for (Candidate& candidate : part) {
      const simulation::Configuration c = configuration(candidate);
      set_bounds(evaluators_[candidate.evaluator].memory(c), c, candidate);
    }
    drop_too_slow(part);
  }

  /// Sums of fewer transfers may differ by their rounding.
  static constexpr double kRoundedDown = 1.0 - 1e-9;
  /// Most sets of transfers that a block computes. Each takes milliseconds to a second, and the
  /// first blocks prune most of the others.
  static constexpr int kFirstTransfers = 4;
  static constexpr int kMaxTransfers = 64;

  /// Returns enough points to keep all cores busy, but few that others of the block would prune.
  std::vector<Candidate> next_block() {
    constexpr std::size_t kMax = 2048;
    std::vector<Candidate> block;
    int num_transfers = 0;
    while (block.size() < kMax && num_transfers < max_transfers_ && comes_next(Bound::kLast)) {
      const Candidate candidate = pop();
      if (best_.is_beaten(candidate)) continue;
      if (evaluators_[candidate.evaluator].needs_transfers(configuration(candidate)))
        ++num_transfers;
      block.push_back(candidate);
    }
    return block;
  }

  [[nodiscard]] std::vector<simulation::Configuration> configurations(
      const std::vector<Candidate>& candidates, std::uint32_t g) const {
    std::vector<simulation::Configuration> of_evaluator;
    for (const Candidate& candidate : candidates) {
      if (candidate.evaluator == g) of_evaluator.push_back(configuration(candidate));
    }
    return of_evaluator;
  }

  void estimate_block(const std::vector<Candidate>& block) {
    for (std::uint32_t g = 0; g < evaluators_.size(); ++g) {
      evaluators_[g].prepare(configurations(block, g), options_.num_threads);
    }
    struct Measured {
      double time = 0.0;
      double value = 0.0;
    };
    std::vector<Measured> measured(block.size());
    core::parallel_for(
        block.size(),
        [&](std::size_t i) {
          const simulation::Configuration c = configuration(block[i]);
          const simulation::Estimate estimate = evaluators_[block[i].evaluator].estimate(c);
          measured[i] = {estimate.step_time.base() / samples(c),
                         value(block[i].evaluator, estimate) / samples(c)};
        },
        options_.num_threads);
    for (std::size_t i = 0; i < block.size(); ++i) {
      best_.add(block[i], measured[i].time, measured[i].value);
    }
    result_.counts.estimated += static_cast<std::int64_t>(block.size());
  }

  /// Returns the objective of a step. Takes time as it stands, not as a sum, to keep ties equal.
  [[nodiscard]] double value(std::uint32_t g, const simulation::Estimate& estimate) const {
    const bool is_time = space_.objective == simulation::Objective::kThroughput ||
                         space_.objective == simulation::Objective::kMemory;
    return is_time ? estimate.step_time.base() : value_of(rates_[g], estimate.breakdown);
  }

  SearchEntry entry(const Candidate& candidate) {
    ConfigurationEvaluator& evaluator = evaluators_[candidate.evaluator];
    const simulation::Configuration c = configuration(candidate);
    evaluator.prepare(std::span(&c, 1), options_.num_threads);
    SearchEntry made{.settings = evaluator.settings(),
                     .variant = evaluator.variant(),
                     .rank_order = evaluator.base().scenario.parallelism.rank_order,
                     .configuration = c,
                     .dp = shapes_[candidate.evaluator][candidate.shape].dp,
                     .estimate = evaluator.estimate(c)};
    made.value_per_sample = value(candidate.evaluator, made.estimate) / samples(c);
    for (std::string& setting : settings_between(evaluator.base().scenario, c)) {
      made.settings.push_back(std::move(setting));
    }
    return made;
  }

  void fill_result() {
    for (const Score& one : best_.best()) result_.best.push_back(entry(one.candidate));
    for (const Best::Timed& one : best_.front()) result_.front.push_back(entry(one.candidate));
    if (result_.counts.fitting == 0 && min_memory_) result_.min_memory = entry(*min_memory_);
    if (best_.best().empty() && std::isfinite(min_too_slow_)) {
      result_.min_time_per_sample = core::Duration::from_base(min_too_slow_);
    }
    if (part_ == nullptr) set_own();
  }

  /// Estimates the unchanged scenario.
  void set_own() {
    const auto same = std::ranges::find_if(
        evaluators_,
        [](const ConfigurationEvaluator& evaluator) { return evaluator.settings().empty(); });
    std::optional<ConfigurationEvaluator> apart;
    if (same == evaluators_.end()) apart.emplace(base_, std::string(), std::vector<std::string>());
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

  /// Tells the settings of the best point so far.
  void tell_best() const {
    if (!options_.progress || best_.best().empty()) return;
    const Candidate& best = best_.best().front().candidate;
    const ConfigurationEvaluator& evaluator = evaluators_[best.evaluator];
    std::vector<std::string> settings = evaluator.settings();
    for (std::string& one : settings_between(evaluator.base().scenario, configuration(best))) {
      settings.push_back(std::move(one));
    }
    const simulation::Estimate estimate = evaluator.estimate(configuration(best));
    tell_so_far(options_.progress,
                fmt::format("a step of {} by estimate{}{}", core::to_text(estimate.step_time),
                            settings.empty() ? "" : " with ", fmt::join(settings, " ")));
  }

  void tell(std::string_view what, std::int64_t done, std::int64_t all) const {
    if (options_.progress) options_.progress(what, done, all);
  }

  const simulation::ScenarioSource& source_;
  const SearchOptions& options_;
  const SearchPart* part_;
  simulation::CheckedScenario base_;
  simulation::SearchSpace space_;
  std::vector<ConfigurationEvaluator> evaluators_;
  std::vector<std::vector<Shape>> shapes_;  // indexed by evaluator, as are `rates_`
  std::vector<ObjectiveRates> rates_;
  std::vector<double> min_rates_;      // the least of each of `rates_`
  std::vector<Candidate> candidates_;  // by the bound of computation alone
  std::size_t next_ = 0;               // the first of these that neither waits nor waited
  std::size_t part_size_ = 256;
  std::vector<Waiting> waiting_;  // a heap, the least bound first
  std::optional<Candidate> min_memory_;
  double min_too_slow_ = std::numeric_limits<double>::infinity();
  int max_transfers_ = kFirstTransfers;
  Best best_;
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
