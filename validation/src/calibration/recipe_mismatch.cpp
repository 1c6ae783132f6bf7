// SPDX-License-Identifier: Apache-2.0
#include "recipe_mismatch.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string_view>

#include "railwright/planner/site_fit/least_squares.hpp"

namespace railwright::validation {

namespace {

using models::SoftwareProfile;
using planner::MeasuredRun;

constexpr double kAgreement = 0.01;  ///< errors below it need no explanation
constexpr double kExplained = 0.5;   ///< share of the error that an explanation may leave
constexpr std::size_t kMaxRuns = 32;

struct Overlap {
  std::string_view path;
  core::Sourced<bool> SoftwareProfile::* member;
};

constexpr auto kOverlaps = std::to_array<Overlap>(
    {{"software.overlap_tensor_parallel", &SoftwareProfile::overlap_tensor_parallel},
     {"software.overlap_gradient_reduce", &SoftwareProfile::overlap_gradient_reduce},
     {"software.overlap_parameter_gather", &SoftwareProfile::overlap_parameter_gather},
     {"software.overlap_pipeline", &SoftwareProfile::overlap_pipeline}});

/// Returns the standard deviation of ln(predicted / measured) around the best fit in closed form.
double misfit(const std::vector<MeasuredRun>& runs, const std::vector<std::size_t>& fitted,
              const planner::Factors& held, const planner::Factors& at) {
  const planner::SiteProblem problem(runs, held);
  Eigen::VectorXd start(static_cast<Eigen::Index>(fitted.size()));
  for (std::size_t i = 0; i < fitted.size(); ++i) {
    start[static_cast<Eigen::Index>(i)] = at[fitted[i]];
  }
  constexpr auto kMethod = simulation::Method::kEstimate;
  const planner::Minimum best =
      minimize(problem.least_squares(fitted, runs.size(), kMethod), start);
  double squares = 0.0;
  for (const double error : problem.errors(problem.factors_of(best.x, fitted), kMethod)) {
    squares += error * error;
  }
  return std::sqrt(squares / static_cast<double>(runs.size() - fitted.size()));
}

}  // namespace

std::string recipe_mismatch(const std::vector<MeasuredRun>& runs,
                            const std::vector<std::size_t>& fitted, const planner::Factors& held,
                            const planner::Factors& at) {
  if (fitted.empty() || runs.size() <= fitted.size() || runs.size() > kMaxRuns) return {};
  const double before = misfit(runs, fitted, held, at);
  if (before < kAgreement) return {};
  std::string says;
  double least = kExplained * before;
  for (const Overlap& overlap : kOverlaps) {
    std::vector<MeasuredRun> changed = runs;
    for (MeasuredRun& run : changed) {
      bool& value = (run.scenario.scenario.software.*(overlap.member)).value;
      value = !value;
    }
    const double after = misfit(changed, fitted, held, at);
    if (after >= least) continue;
    least = after;
    const bool now = (changed.front().scenario.scenario.software.*(overlap.member)).value;
    says = fmt::format(
        "with {}={} the runs would agree better: errors of {:.1f} % in place of {:.1f} %; see "
        "what the recipe had",
        overlap.path, now, 100.0 * after, 100.0 * before);
  }
  return says;
}

}  // namespace railwright::validation
