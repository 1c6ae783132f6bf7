// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "railwright/core/units/text.hpp"
#include "railwright/planner/what_if/what_if.hpp"

namespace railwright::planner {

namespace {

Uncertainty site_uncertainty(const models::Installation& site,
                             const simulation::SimulationResult& result) {
  const double low = result.step_time_low / result.step_time;
  const double high = result.step_time_high / result.step_time;
  if (low == 1.0 && high == 1.0) {
    return {.about = "site",
            .sentence = fmt::format(
                "The site: installation {} has no band, so nothing says how far this holds.",
                site.name),
            .is_known = false};
  }
  return {.about = "site",
          .sentence = fmt::format(
              "The site: 80 % interval of a step {} to {}, from the published runs "
              "behind installation {}.",
              core::to_text(result.step_time_low), core::to_text(result.step_time_high), site.name),
          .low = low,
          .high = high};
}

/// Adds the spread by failures, unless the training time has none.
void add_failures(const simulation::JobRun& run, std::vector<Uncertainty>& uncertainties) {
  const simulation::Spread& time = run.training_time_s;
  if (!(time.low < time.high)) return;
  uncertainties.push_back(
      {.about = "failures",
       .sentence = fmt::format("Failures: nine of ten runs take {} to {}, by when parts break.",
                               core::to_text(core::Duration::from_base(time.low)),
                               core::to_text(core::Duration::from_base(time.high))),
       .low = time.low / time.mean,
       .high = time.high / time.mean});
}

Uncertainty closed_form_uncertainty(const simulation::ClosedFormError& error) {
  return {
      .about = "closed form",
      .sentence = fmt::format("The closed form: nine of ten simulated steps of this kind differ "
                              "by less than {:.2g} %, the furthest known by {:.0f} %.",
                              100.0 * error.usual, 100.0 * error.largest),
      .low = 1.0 - error.largest,
      .high = 1.0 + error.largest};
}

/// Sorts unknown uncertainties first.
double width(const Uncertainty& one) {
  return one.is_known ? std::log(one.high / one.low) : HUGE_VAL;
}

}  // namespace

std::vector<Uncertainty> uncertainties_of(const simulation::CheckedScenario& checked,
                                          const simulation::SimulationResult& result) {
  std::vector<Uncertainty> uncertainties{site_uncertainty(checked.scenario.installation, result)};
  add_failures(result.run.job(), uncertainties);
  if (result.closed_form_error)
    uncertainties.push_back(closed_form_uncertainty(*result.closed_form_error));
  std::ranges::stable_sort(uncertainties, std::ranges::greater{}, width);
  return uncertainties;
}

}  // namespace railwright::planner
