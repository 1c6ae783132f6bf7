// SPDX-License-Identifier: Apache-2.0
// `calibrate`: measured step times of a site in, the two factors of its installation out.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/core/units/quantity.hpp"
#include "railwright/planner/site_fit/measured_run.hpp"
#include "railwright/simulation/training/simulate.hpp"
#include "railwright/validation/suites/validate.hpp"

namespace railwright::validation {

/// Spread of one family's published steps around their own level: standard deviation of
/// ln(published / predicted), with each family counting alike; `validate --suite published` prints
/// it. And what it is worth as a number of measurements: the families' own variances differ as
/// those of samples of so many degrees of freedom would. [@smyth2004limma]
inline constexpr double kPublishedSpread = 0.079;
inline constexpr double kPublishedFreedom = 3.0;

using planner::MeasuredRun;

struct CalibrationOptions {
  simulation::Method method = simulation::Method::kSimulate;
  bool hold_compute = false;
  bool hold_nic = false;
  /// Called now and then with the refits done and all there are; may be empty.
  std::function<void(std::int64_t, std::int64_t)> tell;
};

/// A factor of the installation.
struct FittedFactor {
  double value = 1.0;
  bool is_fitted = false;           ///< else held at the scenario's
  bool is_at_bound = false;         ///< of 1: the scenario is slower than what was measured
  std::optional<double> log_error;  ///< standard error of the logarithm
};

struct CalibratedRun {
  std::string name;
  std::string source;
  core::Duration measured;
  std::optional<core::Duration> standard_error;
  core::Duration predicted;
  double error = 0.0;              ///< predicted / measured - 1
  std::optional<double> left_out;  ///< the same, fitted to all others; to first
                                   ///< order where there are more than 32
  double nic_share = 0.0;          ///< -d ln(step time) / d ln(NIC efficiency)
};

struct SiteFit {
  FittedFactor compute;
  FittedFactor nic;
  std::optional<double> correlation;  ///< of the two logarithms, where both are fitted
  double model_error = 0.0;           ///< of ln(predicted), beside the runs' standard errors
  std::vector<CalibratedRun> runs;
  std::vector<std::string> settings;  ///< of stack and devices that every run changed
  double spread = kPublishedSpread;   ///< of ln(measured / predicted) of one more run
  Band band;                          ///< 80 % interval of a new run
  std::string band_from;              ///< where it comes from, in words
  /// Why two factors were not fitted though they were asked for; all else is then the fit of one.
  std::string refusal;
  std::string advice;  ///< the run that would tell them apart
  std::vector<std::string> notes;

  [[nodiscard]] bool is_refused() const { return !refusal.empty(); }
};

/// Minimizes the sum of squares of ln(predicted / measured) over the logarithms of compute and NIC
/// efficiency, both in (0, 1]. Where runs have standard errors each square is weighted by
/// 1 / (standard error^2 + t^2), relative ones, with the model's own error t such that the sum is
/// the number of runs less that of factors, or zero where it is less without.
/// [@dersimonian1986meta] Standard errors of factors are those of the Jacobian at the minimum. One
/// run fits compute efficiency alone.
///
/// Refused, as a result: two factors of which one would move by more than half of its logarithm if
/// step times moved by 1 %, or by their standard errors.
///
/// The band is that of a run that is not among these: with p factors fitted to n runs, and s0, v0
/// the spread of published families and its freedom,
///   exp(m -+ 1.2816 s sqrt(1 + p / n)),  s^2 = (v0 s0^2 + SSR) / (v0 + n - p)
/// where p / n is the mean leverage of the runs and m their mean residual, zero inside the bounds.
SiteFit calibrate_site(const std::vector<MeasuredRun>& runs, const core::Catalogue& catalogue,
                       const CalibrationOptions& options = {});

}  // namespace railwright::validation
