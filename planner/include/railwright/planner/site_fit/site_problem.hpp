// SPDX-License-Identifier: Apache-2.0
// Step times of measured runs as a function of the two factors of their installation.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "railwright/core/fabric/fabric.hpp"
#include "railwright/planner/site_fit/least_squares.hpp"
#include "railwright/planner/site_fit/measured_run.hpp"
#include "railwright/workloads/training/simulate.hpp"

namespace railwright::planner {

/// Logarithms of compute and NIC efficiency.
using Factors = std::array<double, 2>;
inline constexpr std::size_t kCompute = 0;
inline constexpr std::size_t kNic = 1;

/// Returns ln(step time in seconds) of a scenario at these factors.
double log_step_time(simulation::CheckedScenario scenario, const core::Fabric& fabric,
                     const Factors& factors, simulation::Method method);

/// Systems of the runs, built once: only the factors change between predictions.
class SiteProblem {
 public:
  SiteProblem(const std::vector<MeasuredRun>& runs, const Factors& held);

  /// ln(predicted / measured) by run.
  [[nodiscard]] std::vector<double> errors(const Factors& factors, simulation::Method method) const;
  [[nodiscard]] double error(std::size_t run, const Factors& factors,
                             simulation::Method method) const;

  /// Least squares of the errors, each over its sigma, in the parameters `fitted`; the others stay
  /// held. The run `left_out` does not count; an index beyond the runs leaves out none.
  [[nodiscard]] LeastSquares least_squares(const std::vector<std::size_t>& fitted,
                                           std::size_t left_out, simulation::Method method) const;
  [[nodiscard]] Factors factors_of(const Eigen::VectorXd& x,
                                   const std::vector<std::size_t>& fitted) const;

  /// Upper bound of a fitted factor's logarithm: NICs reach what their profile says; in no run do
  /// products exceed the accelerator's peak.
  [[nodiscard]] double upper(std::size_t factor) const;

  /// Adds an error of every prediction to the standard errors of the runs, in squares.
  void add_model_error(double error);

  [[nodiscard]] const std::vector<double>& sigmas() const { return sigmas_; }
  [[nodiscard]] const std::vector<double>& standard_errors() const { return measured_; }
  [[nodiscard]] bool has_standard_errors() const { return has_standard_errors_; }
  [[nodiscard]] std::size_t size() const { return runs_.size(); }
  [[nodiscard]] const Factors& held() const { return held_; }

 private:
  const std::vector<MeasuredRun>& runs_;
  Factors held_;
  std::vector<core::Fabric> fabrics_;
  std::vector<double> measured_;  ///< relative standard errors; without one the median, or 1
  std::vector<double> sigmas_;    ///< with the model's error
  bool has_standard_errors_ = false;
};

}  // namespace railwright::planner
