// SPDX-License-Identifier: Apache-2.0
// Measured runs as a function of the two factors of their installation.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "railwright/core/fabric/fabric.hpp"
#include "railwright/planner/site_fit/least_squares.hpp"
#include "railwright/planner/site_fit/measured_run.hpp"
#include "railwright/simulation/training/simulate.hpp"

namespace railwright::planner {

/// Logarithms of compute and NIC efficiency.
using Factors = std::array<double, 2>;
inline constexpr std::size_t kCompute = 0;
inline constexpr std::size_t kNic = 1;

/// ln(step time in seconds) of a scenario at these factors.
double log_step_time(simulation::CheckedScenario scenario, const core::Fabric& fabric,
                     const Factors& factors, simulation::Method method);

/// The systems of the runs, built once: only the factors change between predictions.
class SiteProblem {
 public:
  SiteProblem(const std::vector<MeasuredRun>& runs, const Factors& held);

  /// ln(predicted / measured) by run.
  [[nodiscard]] std::vector<double> errors(const Factors& factors, simulation::Method method) const;
  [[nodiscard]] double error(std::size_t run, const Factors& factors,
                             simulation::Method method) const;

  /// Of the errors over their weights' roots, in the parameters `fitted`; the others stay held. A
  /// run that is left out counts nothing; none is where `left_out` is beyond them.
  [[nodiscard]] LeastSquares least_squares(const std::vector<std::size_t>& fitted,
                                           std::size_t left_out, simulation::Method method) const;
  [[nodiscard]] Factors factors_of(const Eigen::VectorXd& x,
                                   const std::vector<std::size_t>& fitted) const;

  /// The logarithm that a fitted factor ends at: NICs reach what their profile says, products the
  /// peak of the fastest run's accelerator.
  [[nodiscard]] double upper(std::size_t factor) const;

  /// An error that every prediction has beside its run's standard error.
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
  std::vector<double> measured_;  ///< relative standard errors; all 1 where no run has one
  std::vector<double> sigmas_;    ///< with the model's error
  bool has_standard_errors_ = false;
};

}  // namespace railwright::planner
