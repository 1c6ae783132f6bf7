// SPDX-License-Identifier: Apache-2.0
// `calibrate`: fits the two factors of an installation to measured step times of a site.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/core/units/quantity.hpp"
#include "railwright/validation/suites/validate.hpp"
#include "railwright/workloads/training/simulate.hpp"

namespace railwright::planner {
struct MeasuredRun;
}  // namespace railwright::planner

namespace railwright::validation {

/// Standard deviation of ln(published / predicted) around the level of its family, families
/// weighted equally; `validate --suite published` prints it. kPublishedFreedom is its worth as a
/// number of measurements: the families' own variances differ like those of samples with this many
/// degrees of freedom. [@smyth2004limma]
inline constexpr double kPublishedSpread = 0.067;
inline constexpr double kPublishedFreedom = 3.0;

using planner::MeasuredRun;

struct CalibrationOptions {
  simulation::Method method = simulation::Method::kSimulate;
  bool hold_compute = false;
  bool hold_nic = false;
  /// Called now and then with the number of refits done and of all; may be empty.
  std::function<void(std::int64_t, std::int64_t)> tell;
};

/// A factor of the installation.
struct FittedFactor {
  double value = 1.0;
  bool is_fitted = false;           ///< else held at the scenario's value
  bool is_at_bound = false;         ///< upper bound: the scenario is slower than what was measured
  std::optional<double> log_error;  ///< standard error of the logarithm
};

/// Prediction of a run before the fit, with the installation that its scenario names.
struct PriorPrediction {
  core::Duration predicted;
  double error = 0.0;                 ///< predicted / measured - 1
  std::optional<core::Duration> low;  ///< 80 % interval; nothing where none is known
  std::optional<core::Duration> high;
};

/// Place of a measured time relative to an 80 % interval.
enum class MeasuredPlace : std::uint8_t { kBelow, kInside, kAbove };
std::string_view to_string(MeasuredPlace place);

struct CalibratedRun {
  std::string name;
  std::string source;
  core::Duration measured;
  std::optional<core::Duration> standard_error;
  PriorPrediction prior;
  core::Duration predicted;        ///< after the fit
  double error = 0.0;              ///< predicted / measured - 1
  std::optional<double> left_out;  ///< the same, fitted to all others; first order above 32 runs
  double nic_share = 0.0;          ///< -d ln(step time) / d ln(NIC efficiency)

  /// Returns where the measured time lies in the interval before the fit; nothing without one.
  [[nodiscard]] std::optional<MeasuredPlace> place() const;
};

struct SiteFit {
  FittedFactor compute;
  FittedFactor nic;
  std::optional<double> correlation;  ///< correlation of the two logarithms, if both are fitted
  double model_error = 0.0;           ///< error of ln(predicted) besides the runs' standard errors
  std::vector<CalibratedRun> runs;
  std::vector<std::string> settings;  ///< changes to stack and devices that all runs share
  double spread = kPublishedSpread;   ///< spread of ln(measured / predicted) of a further run
  Band band;                          ///< 80 % interval of a new run
  std::string band_from;              ///< source of `band`, in words
  /// Reason that two factors were not fitted as asked; all else is then the fit of one.
  std::string refusal;
  std::string advice;  ///< a run that would tell the factors apart
  std::vector<std::string> notes;

  [[nodiscard]] bool is_refused() const { return !refusal.empty(); }
};

/// Minimizes the sum of squares of ln(predicted / measured) over the logarithms of compute and NIC
/// efficiency. NIC efficiency is at most 1; compute efficiency at most lets products run at the
/// accelerator's peak. If runs have standard errors, each square is weighted by 1 / (standard
/// error^2 + t^2), all relative. The model's own error t makes the sum equal the number of runs
/// less that of factors; it is zero if the sum is smaller without it. [@dersimonian1986meta]
/// Standard errors of factors come from the Jacobian at the minimum. One run fits compute
/// efficiency alone.
///
/// Returns a refusal if the logarithm of one of two factors would move by more than 0.5 when step
/// times move by 1 %, or by their standard errors.
///
/// The interval is for a run that is not among these: with p factors fitted to n runs, and s0, v0
/// the spread of published families and its freedom,
///   exp(m -+ 1.2816 s sqrt(1 + p / n)),  s^2 = (v0 s0^2 + SSR) / (v0 + n - p)
/// where p / n is the mean leverage of the runs and m their mean residual, zero inside the bounds.
/// The interval is widened to include 1.
SiteFit calibrate_site(const std::vector<MeasuredRun>& runs, const core::Catalogue& catalogue,
                       const CalibrationOptions& options = {});

}  // namespace railwright::validation
