// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/compare/curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

#include "railwright/core/parallel_for.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/simulation/scenario/with_settings.hpp"
#include "railwright/topologies/cluster/built_cluster.hpp"
#include "railwright/topologies/topology.hpp"

namespace railwright::planner {

namespace {

std::optional<double> number(const core::Node& node) {
  double value = 0.0;
  const std::string& text = node.text;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_number = node.is_scalar() && error == std::errc{} &&
                         end == text.data() + text.size() && std::isfinite(value);
  return is_number ? std::optional(value) : std::nullopt;
}

/// A curve with its settings resolved, before anything runs.
class Plan {
 public:
  Plan(const core::Node& tree, const simulation::Curve& curve) : curve_(curve) {
    base_ = simulation::with_settings(tree, curve.set);
    read_places();
    for (const std::string& key : curve.proportional) read_proportional(key);
    if (!problems_.empty()) throw core::ConfigError(std::move(problems_));
  }

  [[nodiscard]] std::size_t num_places() const { return places_.size(); }

  /// The scenario of one place with these settings.
  [[nodiscard]] core::Node at(std::size_t place, const std::vector<std::string>& settings) const {
    core::Node tree = simulation::with_settings(base_, settings);
    core::set_path(tree, curve_.along.key + "=" + core::to_yaml(curve_.along.values[place]));
    for (const Proportional& one : proportional_) {
      const double value = one.first * (places_[place] / places_.front());
      core::set_path(tree, fmt::format("{}={}", one.key, value));
    }
    return tree;
  }

 private:
  struct Proportional {
    std::string key;
    double first;
  };

  void problem(const core::Location& where, const std::string& key, const std::string& message) {
    problems_.push_back({where, "comparison.curves." + key, message, {}});
  }

  void read_places() {
    for (const core::Node& node : curve_.along.values) {
      const auto value = number(node);
      const double least = places_.empty() ? 0.0 : places_.back();
      if (!value || *value <= least) {
        problem(node.where, "along.values",
                fmt::format("'{}': expected a number above {:g}", core::to_yaml(node), least));
        continue;
      }
      places_.push_back(*value);
    }
    if (curve_.along.values.empty()) {
      problem({}, "along.values", fmt::format("'{}' needs at least one value", curve_.name));
    }
  }

  void read_proportional(const std::string& key) {
    const core::Node* node = find_path(base_, key);
    const auto value = node != nullptr ? number(*node) : std::nullopt;
    if (value) {
      proportional_.push_back({key, *value});
    } else {
      problem(node != nullptr ? node->where : core::Location{}, "proportional",
              fmt::format("the scenario has no number at '{}'", key));
    }
  }

  const simulation::Curve& curve_;
  core::Node base_;
  std::vector<double> places_;
  std::vector<Proportional> proportional_;
  std::vector<core::Diagnostic> problems_;
};

CurvePoint run_point(const core::Node& tree, const core::Catalogue& catalogue,
                     simulation::Method method) {
  const simulation::CheckedScenario checked = simulation::read_scenario(tree, catalogue);
  const topologies::BuiltCluster built = checked.topology->build(checked.scenario.cluster);
  const simulation::SimulationResult result =
      simulate_without_run(checked, built, {.method = method});
  if (!result.feasible()) return CurvePoint{.why_not = result.infeasible.front().what};
  return {.step_time = result.step_time,
          .step_time_low = result.step_time_low,
          .step_time_high = result.step_time_high,
          .samples_per_s = result.samples_per_s,
          .why_not = {}};
}

/// Inputs that the points of all curves share.
struct HowToRun {
  const core::Catalogue& catalogue;
  simulation::Method method;
  PiecesDone& done;
};

std::size_t num_points_of(const simulation::Comparison& comparison,
                          const simulation::Curve& curve) {
  return (1 + curve.variants.size()) * curve.along.values.size() * comparison.vary.values.size();
}

CurveResult run_curve(const core::Node& tree, const simulation::Comparison& comparison,
                      const simulation::Curve& curve, const HowToRun& how) {
  const Plan plan(tree, curve);
  const simulation::Variation& vary = comparison.vary;
  CurveResult result{.name = curve.name, .key = curve.along.key, .lines = {{}}};
  for (const core::Node& value : curve.along.values) result.along.push_back(core::to_yaml(value));
  const auto first = number(vary.values.front());
  for (const core::Node& value : vary.values) {
    const auto count = number(value);
    const bool counts = vary.key.ends_with(".count") && first && count;
    result.extra_pieces.push_back(counts ? *count - *first : 0.0);
  }
  for (const simulation::Variant& variant : curve.variants)
    result.lines.push_back({variant.name, {}});
  for (CurveLine& line : result.lines) {
    line.places.assign(plan.num_places(), std::vector<CurvePoint>(vary.values.size()));
  }
  const std::size_t per_line = plan.num_places() * vary.values.size();
  const std::size_t count = result.lines.size() * per_line;
  // Starts with the last places, which are the largest, so that none of them runs alone at the end.
  core::parallel_for(count, [&](std::size_t job) {
    const std::size_t index = count - 1 - job;
    const std::size_t place = index / vary.values.size() % plan.num_places();
    const std::size_t value = index % vary.values.size();
    const std::size_t line = index / per_line;
    std::vector<std::string> settings;
    if (line > 0) settings = curve.variants[line - 1].set;
    settings.push_back(vary.key + "=" + core::to_yaml(vary.values[value]));
    result.lines[line].places[place][value] =
        run_point(plan.at(place, settings), how.catalogue, how.method);
    how.done.one_more();
  });
  const core::Node last = plan.at(plan.num_places() - 1, {});
  result.basis = simulation::read_scenario(last, how.catalogue).basis;
  return result;
}

}  // namespace

std::optional<double> CurveLine::worth(std::size_t place, std::size_t value) const {
  const CurvePoint& first = places[place].front();
  const CurvePoint& other = places[place][value];
  if (!first.feasible() || !other.feasible()) return {};
  return other.samples_per_s / first.samples_per_s - 1.0;
}

std::optional<WorthBand> CurveLine::worth_band(std::size_t place, std::size_t value) const {
  const auto known = worth(place, value);
  if (!known) return {};
  const CurvePoint& point = places[place][value];
  const double slow = *known * (point.step_time / point.step_time_high);
  const double fast = *known * (point.step_time / point.step_time_low);
  return WorthBand{.low = std::min(slow, fast), .high = std::max(slow, fast)};
}

std::optional<std::size_t> CurveLine::pays_from(std::size_t value, double premium) const {
  std::optional<std::size_t> from;
  for (std::size_t place = places.size(); place-- > 0;) {
    const auto gain = worth(place, value);
    if (!gain) continue;
    if (*gain < premium) return from;
    from = place;
  }
  return from;
}

std::vector<CurveResult> run_curves(const core::Node& tree,
                                    const simulation::Comparison& comparison,
                                    const core::Catalogue& catalogue, simulation::Method method,
                                    const ProgressFunction& progress) {
  std::vector<CurveResult> results;
  std::size_t num_points = 0;
  for (const simulation::Curve& curve : comparison.curves) {
    num_points += num_points_of(comparison, curve);
  }
  PiecesDone done(progress, "points of curves", num_points);
  for (const simulation::Curve& curve : comparison.curves) {
    results.push_back(run_curve(tree, comparison, curve, {catalogue, method, done}));
  }
  return results;
}

}  // namespace railwright::planner
