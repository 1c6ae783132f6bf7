// SPDX-License-Identifier: Apache-2.0
#include "railwright/validation/calibration/calibrate_site.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "identifiability.hpp"
#include "railwright/planner/site_fit/site_problem.hpp"
#include "recipe_mismatch.hpp"
#include "spread.hpp"

namespace railwright::validation {

namespace {

using Indices = std::vector<std::size_t>;
using planner::LeastSquares;
using planner::Minimum;

constexpr double kAtBound = 1e-6;  ///< tolerance of a logarithm
constexpr double kSameError = 1e-4;
constexpr std::size_t kMaxRefits = 32;  ///< above it, runs are not left out by a fit each

class Calibration {
 public:
  Calibration(const std::vector<MeasuredRun>& runs, const core::Catalogue& catalogue,
              const CalibrationOptions& options)
      : runs_(runs),
        catalogue_(catalogue),
        options_(options),
        problem_(runs, held_factors(runs.front().scenario.scenario.installation)),
        num_refits_(static_cast<std::int64_t>(runs.size()) + 1) {}

  SiteFit run() {
    Indices fitted;
    if (!options_.hold_compute) fitted.push_back(kCompute);
    if (!options_.hold_nic && (runs_.size() > 1 || options_.hold_compute)) fitted.push_back(kNic);
    tell(0);
    Minimum minimum = fit_to_all(fitted);
    if (fitted.size() == 2) {
      const Eigen::MatrixXd slopes = slopes_at(minimum.jacobian);
      fit_.refusal = confusion(slopes, problem_.sigmas());
      const Factors at = problem_.factors_of(minimum.x, fitted);
      if (!fit_.is_refused()) {
        fit_.refusal = confusion_above(runs_, problem_, at, options_.method);
      }
      if (fit_.is_refused()) {
        fit_.advice = telling_run(runs_, catalogue_, {at[kCompute], std::min(at[kNic], kSlowNic)});
        fitted = {kCompute};
        minimum = fit_to_all(fitted);
      }
    } else if (fitted == Indices{kNic} && minimum.jacobian.norm() == 0.0) {
      fit_.refusal = "no step time depends on nic_efficiency";
      fitted.clear();
    }
    weigh(minimum, fitted);
    take_factors(minimum, fitted);
    take_runs(minimum, fitted);
    take_settings();
    take_band(fitted);
    take_notes(fitted);
    return std::move(fit_);
  }

 private:
  /// Logarithm of a NIC efficiency that would show slow NICs, even if the fit holds another.
  static constexpr double kSlowNic = -1.0;

  static Factors held_factors(const models::Installation& site) {
    return {std::log(site.compute_efficiency.value), std::log(site.nic_efficiency.value)};
  }

  void tell(std::int64_t done) const {
    if (options_.tell) options_.tell(done, num_refits_);
  }

  /// Starts closed-form fits from fast and slow NICs and continues from the best. If compute hides
  /// all transfers, NICs have no effect and no gradient leads away from there.
  [[nodiscard]] Minimum fit_to_all(const Indices& fitted) const {
    const LeastSquares rough =
        problem_.least_squares(fitted, runs_.size(), simulation::Method::kEstimate);
    std::optional<Minimum> best;
    for (const double nic : {0.9, 0.35, 0.12, 0.04}) {
      Eigen::VectorXd start(static_cast<Eigen::Index>(fitted.size()));
      for (std::size_t i = 0; i < fitted.size(); ++i) {
        start[static_cast<Eigen::Index>(i)] = std::log(fitted[i] == kNic ? nic : 0.5);
      }
      Minimum minimum = minimize(rough, start);
      if (!best || minimum.cost() < best->cost()) best = std::move(minimum);
      if (fitted == Indices{kCompute}) break;
    }
    if (options_.method == simulation::Method::kEstimate) return *best;
    return minimize(problem_.least_squares(fitted, runs_.size(), simulation::Method::kSimulate),
                    best->x);
  }

  /// Repeats the fit with the model's own error in the weights, until it no longer changes.
  void weigh(Minimum& minimum, const Indices& fitted) {
    constexpr int kMaxRounds = 10;
    const auto freedom = static_cast<double>(runs_.size()) - static_cast<double>(fitted.size());
    if (!problem_.has_standard_errors() || freedom <= 0.0) return;
    for (int i = 0; i < kMaxRounds; ++i) {
      const double before = fit_.model_error;
      const Factors at = problem_.factors_of(minimum.x, fitted);
      fit_.model_error =
          model_error(problem_.errors(at, options_.method), problem_.standard_errors(), freedom);
      problem_.add_model_error(fit_.model_error);
      minimum = minimize(problem_.least_squares(fitted, runs_.size(), options_.method), minimum.x);
      if (std::abs(fit_.model_error - before) < kSameError) break;
    }
  }

  /// Returns the Jacobian of ln(predicted), without weights.
  [[nodiscard]] Eigen::MatrixXd slopes_at(const Eigen::MatrixXd& jacobian) const {
    Eigen::MatrixXd slopes = jacobian;
    for (Eigen::Index i = 0; i < slopes.rows(); ++i) {
      slopes.row(i) *= problem_.sigmas()[static_cast<std::size_t>(i)];
    }
    return slopes;
  }

  FittedFactor& factor(std::size_t index) { return index == kCompute ? fit_.compute : fit_.nic; }

  void take_factors(const Minimum& minimum, const Indices& fitted) {
    factors_ = problem_.factors_of(minimum.x, fitted);
    Indices free;
    for (const std::size_t index : fitted) {
      factor(index).is_fitted = true;
      factor(index).is_at_bound = factors_[index] >= problem_.upper(index) - kAtBound;
      if (!factor(index).is_at_bound) free.push_back(index);
    }
    fit_.compute.value = std::exp(factors_[kCompute]);
    fit_.nic.value = std::exp(factors_[kNic]);
    take_errors(minimum, fitted, free);
  }

  void take_errors(const Minimum& minimum, const Indices& fitted, const Indices& free) {
    num_free_ = free.size();
    const auto freedom = static_cast<double>(problem_.size()) - static_cast<double>(free.size());
    if (free.empty() || (freedom == 0.0 && !problem_.has_standard_errors())) return;
    Eigen::MatrixXd jacobian(minimum.jacobian.rows(), static_cast<Eigen::Index>(free.size()));
    for (std::size_t i = 0; i < free.size(); ++i) {
      const auto column = std::ranges::find(fitted, free[i]) - fitted.begin();
      jacobian.col(static_cast<Eigen::Index>(i)) = minimum.jacobian.col(column);
    }
    const double scale = problem_.has_standard_errors() ? 1.0 : minimum.cost() / freedom;
    const Eigen::MatrixXd covariance = scale * (jacobian.transpose() * jacobian).inverse();
    for (std::size_t i = 0; i < free.size(); ++i) {
      const auto at = static_cast<Eigen::Index>(i);
      factor(free[i]).log_error = std::sqrt(covariance(at, at));
    }
    if (free.size() == 2) {
      fit_.correlation = covariance(0, 1) / std::sqrt(covariance(0, 0) * covariance(1, 1));
    }
  }

  void take_runs(const Minimum& minimum, const Indices& fitted) {
    errors_ = problem_.errors(factors_, options_.method);
    const std::vector<double> prior = problem_.errors(problem_.held(), options_.method);
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      const MeasuredRun& run = runs_[i];
      fit_.runs.push_back({.name = run.name,
                           .source = run.source,
                           .measured = run.step_time,
                           .standard_error = run.standard_error,
                           .prior = prior_of(run, prior[i]),
                           .predicted = run.step_time * std::exp(errors_[i]),
                           .error = std::exp(errors_[i]) - 1.0,
                           .left_out = left_out_error(i, minimum, fitted),
                           .nic_share = nic_share(i)});
      tell(static_cast<std::int64_t>(i) + 1);
    }
    tell(num_refits_);
  }

  /// `error` is ln(predicted / measured) before the fit.
  static PriorPrediction prior_of(const MeasuredRun& run, double error) {
    const models::Installation& site = run.scenario.scenario.installation;
    PriorPrediction prior{.predicted = run.step_time * std::exp(error),
                          .error = std::exp(error) - 1.0,
                          .low = {},
                          .high = {}};
    if (site.step_time_low.value < site.step_time_high.value) {
      prior.low = prior.predicted * site.step_time_low.value;
      prior.high = prior.predicted * site.step_time_high.value;
    }
    return prior;
  }

  [[nodiscard]] double nic_share(std::size_t run) const {
    constexpr double kDifference = -1e-3;
    Factors moved = factors_;
    moved[kNic] += kDifference;
    return -(problem_.error(run, moved, options_.method) - errors_[run]) / kDifference;
  }

  /// Returns the error of a run under a fit to the others, started from the fit to all. Nothing if
  /// the others do not determine as many factors.
  [[nodiscard]] std::optional<double> left_out_error(std::size_t run, const Minimum& minimum,
                                                     const Indices& fitted) const {
    if (runs_.size() < fitted.size() + 1 || fitted.empty()) return {};
    const Minimum others =
        runs_.size() <= kMaxRefits
            ? minimize(problem_.least_squares(fitted, run, options_.method), minimum.x)
            : step_without(run, minimum, fitted);
    Eigen::MatrixXd slopes(others.jacobian.rows() - 1, others.jacobian.cols());
    std::vector<double> sigmas;
    for (Eigen::Index i = 0, row = 0; i < others.jacobian.rows(); ++i) {
      if (static_cast<std::size_t>(i) == run) continue;
      sigmas.push_back(problem_.sigmas()[static_cast<std::size_t>(i)]);
      slopes.row(row++) = others.jacobian.row(i) * sigmas.back();
    }
    if (!(reach_of(slopes, sigmas).maxCoeff() <= kWidestReach)) return {};
    return std::exp(problem_.error(run, problem_.factors_of(others.x, fitted), options_.method)) -
           1.0;
  }

  /// Returns the first step of a fit to the others. With many runs, none moves the minimum far, and
  /// a refit for each would take quadratic time. [@cook1982residuals]
  [[nodiscard]] Minimum step_without(std::size_t run, const Minimum& minimum,
                                     const Indices& fitted) const {
    const auto row = static_cast<Eigen::Index>(run);
    Minimum others = minimum;
    others.jacobian.row(row).setZero();
    others.residuals[row] = 0.0;
    others.x -= others.jacobian.colPivHouseholderQr().solve(others.residuals);
    for (std::size_t i = 0; i < fitted.size(); ++i) {
      double& x = others.x[static_cast<Eigen::Index>(i)];
      x = std::min(x, problem_.upper(fitted[i]));
    }
    return others;
  }

  void take_settings() {
    fit_.settings = site_settings(runs_.front().scenario.traits);
    for (const MeasuredRun& run : runs_) {
      const std::vector<std::string> of_run = site_settings(run.scenario.traits);
      std::erase_if(fit_.settings, [&](const std::string& one) {
        return std::ranges::find(of_run, one) == of_run.end();
      });
    }
  }

  void take_band(const Indices& fitted) {
    const bool is_bound = fit_.compute.is_at_bound || fitted.empty();
    const SiteSpread spread = site_spread(errors_, num_free_, is_bound);
    fit_.spread = spread.spread;
    fit_.band = spread.band;
    fit_.band_from =
        fmt::format("a spread of {:.1f} %, from {} and the published families", 100.0 * fit_.spread,
                    runs_.size() == 1 ? "one run" : fmt::format("{} runs", runs_.size()));
  }

  void take_notes(const Indices& fitted) {
    const auto is_in = [&](std::size_t i) { return std::ranges::find(fitted, i) != fitted.end(); };
    if (runs_.size() == 1 && is_in(kCompute)) {
      fit_.notes.push_back(
          fmt::format("one run fits one number, compute_efficiency with nic_efficiency held at "
                      "{:.4g}; its error "
                      "after the fit says nothing",
                      fit_.nic.value));
    }
    for (const auto& [index, name] :
         {std::pair{kCompute, "compute_efficiency"}, std::pair{kNic, "nic_efficiency"}}) {
      if (!factor(index).is_at_bound) continue;
      fit_.notes.push_back(fmt::format(
          "{} is at its bound of {:.3g}: the runs were faster than the scenario allows, so the "
          "recipe in the scenario (overlaps, recompute, precision, parallelism) is likely too slow",
          name, std::exp(problem_.upper(index))));
    }
    std::string mismatch = recipe_mismatch(runs_, fitted, problem_.held(), factors_);
    if (!mismatch.empty()) fit_.notes.push_back(std::move(mismatch));
  }

  const std::vector<MeasuredRun>& runs_;
  const core::Catalogue& catalogue_;
  const CalibrationOptions& options_;
  SiteProblem problem_;
  std::int64_t num_refits_;
  SiteFit fit_;
  Factors factors_{};
  std::vector<double> errors_;
  std::size_t num_free_ = 0;
};

}  // namespace

std::string_view to_string(MeasuredPlace place) {
  switch (place) {
    case MeasuredPlace::kBelow:
      return "below";
    case MeasuredPlace::kAbove:
      return "above";
    case MeasuredPlace::kInside:
      break;
  }
  return "inside";
}

std::optional<MeasuredPlace> CalibratedRun::place() const {
  if (!prior.low || !prior.high) return {};
  if (measured < *prior.low) return MeasuredPlace::kBelow;
  return measured > *prior.high ? MeasuredPlace::kAbove : MeasuredPlace::kInside;
}

SiteFit calibrate_site(const std::vector<MeasuredRun>& runs, const core::Catalogue& catalogue,
                       const CalibrationOptions& options) {
  if (runs.empty()) throw core::ModelError("calibrate_site", "runs", "at least one");
  return Calibration(runs, catalogue, options).run();
}

}  // namespace railwright::validation
