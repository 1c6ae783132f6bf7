// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/diagnose/diagnose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>

#include "railwright/core/config/reader.hpp"
#include "railwright/core/config/writer.hpp"
#include "railwright/core/error.hpp"
#include "railwright/core/parallel_for.hpp"
#include "railwright/simulation/closed_form/estimate.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/scenario_source.hpp"
#include "railwright/simulation/step/fold.hpp"
#include "railwright/topologies/topology.hpp"
#include "railwright/workloads/kinds.hpp"
#include "railwright/workloads/simulate_any.hpp"
#include "suspects.hpp"

namespace railwright::planner {

namespace {

using simulation::CheckedScenario;

/// Plausibility, before the measurement, that nothing is different from the scenario: an estimate.
constexpr double kNothingPrior = 0.3;
/// Spread of a prediction, as a logarithm, where nothing is known of it: an estimate.
constexpr double kUnknownSpread = 0.1;
/// Least change of a step by which a cause can explain anything.
constexpr double kMinFactor = 0.005;
/// Pairs that are computed together.
constexpr std::size_t kMaxPairs = 24;
/// Least gain in closeness of a cause over none, and of a pair over each of its causes and none.
constexpr double kMinGain = 1.1;
constexpr double kMinPairGain = 2.0;
constexpr std::size_t kMaxChecks = 3;

/// Says how close a step comes to the measurement: 1 at the same time, less by what predictions of
/// runs like it are off once their recipe is known.
class Closeness {
 public:
  Closeness(double spread, double measured_over_predicted)
      : spread_(spread), target_(std::log(measured_over_predicted)) {}

  [[nodiscard]] double operator()(double factor) const {
    const double deviations = (target_ - std::log(factor)) / spread_;
    return std::exp(-0.5 * deviations * deviations);
  }
  /// Whether the measurement is within the 80 % interval around such a step.
  [[nodiscard]] bool explains(double factor) const {
    return std::abs(target_ - std::log(factor)) <= simulation::kTenth * spread_;
  }

 private:
  double spread_;  ///< standard deviation, as a logarithm
  double target_;
};

/// Returns the spread of predictions with a known recipe: of the site if it was measured, else of
/// published runs on a known device and stack.
double spread_of_known(const CheckedScenario& checked, const core::Catalogue& catalogue) {
  constexpr double kMedianDeviation = 0.6745;  // of a normal distribution
  const models::Installation& site = checked.scenario.installation;
  if (!checked.basis || !checked.basis->median_error) {
    const double width = std::log(site.step_time_high.value / site.step_time_low.value);
    return width > 0.0 ? 0.5 * width / simulation::kTenth : kUnknownSpread;
  }
  const auto errors = family_errors(simulation::StepClass::kLikePublished, catalogue);
  return errors ? errors->median_error / kMedianDeviation : kUnknownSpread;
}

core::Duration closed_form(const CheckedScenario& checked, const core::Fabric& fabric) {
  return estimate_step(fold(step_costs(checked, fabric)).costs).total();
}

/// Weighs causes of one scenario against a measurement.
class Diagnosing {
 public:
  Diagnosing(const core::Node& tree, const core::Catalogue& catalogue,
             const CheckedScenario& checked, const Closeness& closeness)
      : tree_(tree), catalogue_(catalogue), closeness_(closeness) {
    const auto built = checked.topology->build(checked.scenario.cluster);
    now_ = closed_form(checked, built.fabric);
    causes_ = unstated_suspects(simulation::unstated_settings(checked, built.fabric, catalogue));
    std::vector<SuspectedCause> others = other_suspects(checked.scenario);
    std::erase_if(others, [&](const SuspectedCause& other) { return is_known(other); });
    core::parallel_for(others.size(), [&](std::size_t i) {
      others[i].factor = factor_of({others[i].settings}).value_or(1.0);
    });
    std::ranges::move(others, std::back_inserter(causes_));
    std::erase_if(causes_, [](const SuspectedCause& one) {
      return std::abs(std::log(one.factor)) < kMinFactor;
    });
  }

  void diagnose(Diagnosis& made) const {
    made.num_tried = static_cast<int>(causes_.size());
    for (const SuspectedCause& one : causes_) {
      if (closeness_(one.factor) < kMinGain * closeness_(1.0)) continue;
      made.reasons.push_back(reason_of({one}, one.factor));
    }
    std::ranges::move(pairs(), std::back_inserter(made.reasons));
    double all = kNothingPrior * closeness_(1.0);
    for (const PossibleReason& one : made.reasons) all += one.plausibility;
    made.unexplained = all > 0.0 ? kNothingPrior * closeness_(1.0) / all : 1.0;
    for (PossibleReason& one : made.reasons) {
      one.plausibility = all > 0.0 ? one.plausibility / all : 0.0;
      one.step_time = made.predicted * one.factor;
    }
    std::ranges::stable_sort(made.reasons, std::ranges::greater{}, &PossibleReason::plausibility);
    std::erase_if(made.reasons,
                  [](const PossibleReason& one) { return one.plausibility < kMinPlausibility; });
    if (made.reasons.size() > kMaxReasons) made.reasons.resize(kMaxReasons);
    made.measure = checks(made.reasons);
  }

 private:
  /// Whether the cause is among those of unstated settings, which then takes the larger prior.
  bool is_known(const SuspectedCause& other) {
    const auto known = std::ranges::find(causes_, other.settings, &SuspectedCause::settings);
    if (known == causes_.end()) return false;
    known->prior = std::max(known->prior, other.prior);
    return true;
  }

  /// Returns the step with settings over that without; nothing if a rule forbids them.
  [[nodiscard]] std::optional<double> factor_of(const std::vector<std::string>& settings) const {
    core::Node tree = tree_;
    try {
      for (const std::string& setting : settings) core::set_path(tree, setting);
      const CheckedScenario changed =
          simulation::training_source(tree, catalogue_).checked_without_basis();
      const auto built = changed.topology->build(changed.scenario.cluster);
      return closed_form(changed, built.fabric) / now_;
    } catch (const core::Error&) {
      return {};
    }
  }

  [[nodiscard]] PossibleReason reason_of(std::vector<SuspectedCause> causes, double factor) const {
    double prior = 1.0;
    for (const SuspectedCause& one : causes) prior *= one.prior;
    return {.causes = std::move(causes),
            .factor = factor,
            .step_time = {},
            .explains = closeness_.explains(factor),
            .plausibility = prior * closeness_(factor)};
  }

  /// Whether two causes change different keys, and so can act together.
  static bool are_apart(const SuspectedCause& a, const SuspectedCause& b) {
    const auto key = [](const SuspectedCause& one) {
      return one.settings.substr(0, one.settings.find('='));
    };
    return key(a) != key(b);
  }

  /// Whether a pair comes closer than each of its causes alone, and than none: two that cancel out
  /// explain nothing.
  [[nodiscard]] bool is_worth_naming(const PossibleReason& pair) const {
    if (closeness_(pair.factor) <= kMinPairGain * closeness_(1.0)) return false;
    return std::ranges::all_of(pair.causes, [&](const SuspectedCause& one) {
      return closeness_(pair.factor) > kMinPairGain * closeness_(one.factor);
    });
  }

  /// Picks pairs by the product of their factors, and computes those that seem most plausible.
  [[nodiscard]] std::vector<PossibleReason> pairs() const {
    std::vector<PossibleReason> all;
    for (std::size_t i = 0; i < causes_.size(); ++i) {
      for (std::size_t j = i + 1; j < causes_.size(); ++j) {
        const SuspectedCause& a = causes_[i];
        const SuspectedCause& b = causes_[j];
        if (!are_apart(a, b)) continue;
        PossibleReason pair = reason_of({a, b}, a.factor * b.factor);
        if (is_worth_naming(pair)) all.push_back(std::move(pair));
      }
    }
    std::ranges::stable_sort(all, std::ranges::greater{}, &PossibleReason::plausibility);
    if (all.size() > kMaxPairs) all.resize(kMaxPairs);
    core::parallel_for(all.size(), [&](std::size_t i) {
      const auto factor = factor_of({all[i].causes[0].settings, all[i].causes[1].settings});
      all[i] = reason_of(std::move(all[i].causes), factor.value_or(1.0));
    });
    std::erase_if(all, [&](const PossibleReason& pair) { return !is_worth_naming(pair); });
    return all;
  }

  /// Returns the checks of the most plausible reasons, each once.
  static std::vector<std::string> checks(const std::vector<PossibleReason>& reasons) {
    std::vector<std::pair<std::string, double>> weights;
    for (const PossibleReason& reason : reasons) {
      for (const SuspectedCause& one : reason.causes) {
        auto known = std::ranges::find(weights, one.check, &std::pair<std::string, double>::first);
        if (known == weights.end()) known = weights.insert(weights.end(), {one.check, 0.0});
        known->second += reason.plausibility;
      }
    }
    std::ranges::stable_sort(weights, std::ranges::greater{},
                             &std::pair<std::string, double>::second);
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < std::min(kMaxChecks, weights.size()); ++i) {
      texts.push_back(std::move(weights[i].first));
    }
    return texts;
  }

  const core::Node& tree_;
  const core::Catalogue& catalogue_;
  const Closeness& closeness_;
  core::Duration now_;
  std::vector<SuspectedCause> causes_;
};

}  // namespace

Diagnosis diagnose(const core::Node& tree, const core::Catalogue& catalogue,
                   core::Duration measured, simulation::Method method,
                   const std::vector<StepTimer>& timers) {
  const CheckedScenario checked = simulation::read_training(tree, catalogue);
  const auto result = std::get<simulation::SimulationResult>(
      simulation::simulate(tree, catalogue, {.method = method}));
  Diagnosis made{.name = result.name, .infeasible = {}, .measured = measured};
  for (const simulation::Infeasibility& one : result.infeasible) {
    made.infeasible.push_back(one.what);
  }
  if (!made.feasible()) return made;
  made.predicted = result.step_time;
  made.low = result.step_time_low;
  made.high = result.step_time_high;
  made.parts = timed_parts(timers, result.breakdown);
  const Closeness closeness(spread_of_known(checked, catalogue), measured / result.step_time);
  Diagnosing(tree, catalogue, checked, closeness).diagnose(made);
  return made;
}

core::Duration measured_time(const std::string& text, const std::string& place) {
  core::Reader reader;
  core::Node node = core::text_node(text);
  node.quoted = false;
  node.where = {place, 0, 0};
  core::Duration time;
  const bool has_digit = text.find_first_of("0123456789") != text.npos;
  if (has_digit && text.find_first_not_of("0123456789.") == text.npos) {
    throw core::ConfigError(
        {{{place, 0, 0}, "", fmt::format("has no unit: write {0}s or {0}ms", text), ""}});
  }
  reader.read(node, "", time);
  reader.throw_if_any();
  if (time > core::Duration{}) return time;
  throw core::ConfigError({{{place, 0, 0}, "", "must be greater than 0", ""}});
}

}  // namespace railwright::planner
