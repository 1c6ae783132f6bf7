// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "railwright/core/units/text.hpp"
#include "railwright/planner/what_if/what_if.hpp"
#include "railwright/simulation/estimator/estimator.hpp"

namespace railwright::planner {

namespace {

Doubt doubt_of_site(const models::Installation& site, const simulation::SimulationResult& result) {
  const double low = site.step_time_low.value;
  const double high = site.step_time_high.value;
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
void add_failures(const simulation::JobRun& run, std::vector<Doubt>& doubts) {
  const simulation::Spread& time = run.training_time_s;
  if (!(time.low < time.high)) return;
  doubts.push_back(
      {.about = "failures",
       .sentence = fmt::format("Failures: nine of ten runs take {} to {}, by when parts break.",
                               core::to_text(core::Duration::from_base(time.low)),
                               core::to_text(core::Duration::from_base(time.high))),
       .low = time.low / time.mean,
       .high = time.high / time.mean});
}

/// Classifies a configuration as the Estimator does, but assumes that several stages share links:
/// finding out costs more than the estimate itself.
simulation::Approximation approximation_of(const simulation::CheckedScenario& checked) {
  const models::SoftwareProfile& software = checked.scenario.software;
  const models::Layout& layout = checked.layout;
  const bool by_layer = software.zero_stage.value == 3 || software.sync_every_microbatch.value;
  const bool overlaps =
      software.overlap_gradient_reduce.value || software.overlap_parameter_gather.value;
  const bool overlaps_sends = layout.pp > 1 && software.overlap_pipeline.value;
  if (by_layer && overlaps) return simulation::Approximation::kLayerCollectives;
  if (overlaps_sends) return simulation::Approximation::kCrowdedSends;
  if (overlaps) {
    const int of_node = checked.scenario.cluster.node.num_accelerators.value;
    const bool leaves_node = layout.tp * std::max(layout.cp, layout.ep) > of_node;
    return leaves_node ? simulation::Approximation::kCrowdedCalls
                       : simulation::Approximation::kOverlaps;
  }
  return layout.pp > 1 ? simulation::Approximation::kPipeline : simulation::Approximation::kNone;
}

Doubt doubt_of_closed_form(const simulation::CheckedScenario& checked) {
  const double bound =
      simulation::kErrorBounds[static_cast<std::size_t>(approximation_of(checked))];
  return {.about = "closed form",
          .sentence = fmt::format("The closed form: simulated events may differ by {:.0f} %.",
                                  100.0 * bound),
          .low = 1.0 - bound,
          .high = 1.0 + bound};
}

/// Sorts unknown uncertainties first.
double width(const Doubt& doubt) {
  return doubt.is_known ? std::log(doubt.high / doubt.low) : HUGE_VAL;
}

}  // namespace

std::vector<Doubt> doubts_of(const simulation::CheckedScenario& checked,
                             const simulation::SimulationResult& result) {
  std::vector<Doubt> doubts{doubt_of_site(checked.scenario.installation, result)};
  add_failures(result.run.job(), doubts);
  if (result.method == simulation::Method::kEstimate)
    doubts.push_back(doubt_of_closed_form(checked));
  std::ranges::stable_sort(doubts, std::ranges::greater{}, width);
  return doubts;
}

}  // namespace railwright::planner
