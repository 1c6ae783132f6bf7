// SPDX-License-Identifier: Apache-2.0
#include "railwright/simulation/closed_form/closed_form_error.hpp"

#include <algorithm>
#include <array>

#include "railwright/simulation/closed_form/configuration_rules.hpp"
#include "railwright/simulation/scenario/scenario.hpp"

namespace railwright::simulation {

namespace {

/// Errors of steps that are approximated for one reason.
struct MeasuredError {
  double usual;          ///< of nine in ten
  double at_rest;        ///< largest where no data moves
  double communicating;  ///< largest where nothing else happens
};

/// In the order of Approximation; from tests/random_designs/estimate_errors.py, rounded up.
constexpr std::array<MeasuredError, kNumApproximations> kMeasured{{
    {.usual = 0.002, .at_rest = 0.015, .communicating = 0.015},
    {.usual = 0.02, .at_rest = 0.02, .communicating = 0.32},
    {.usual = 0.025, .at_rest = 0.05, .communicating = 0.35},
    {.usual = 0.025, .at_rest = 0.04, .communicating = 0.50},
    {.usual = 0.05, .at_rest = 0.02, .communicating = 0.25},
    {.usual = 0.03, .at_rest = 0.08, .communicating = 0.45},
}};

constexpr std::array kMovingData{Cause::kOverlapSlowdown,  Cause::kTensorParallel,
                                 Cause::kExpertParallel,   Cause::kContextParallel,
                                 Cause::kPipelineTransfer, Cause::kGradientReduce,
                                 Cause::kParameterGather};

double share_of_moving_data(const Breakdown& step) {
  core::Duration moving;
  for (const Cause cause : kMovingData) moving += step[cause];
  const core::Duration total = step.total();
  return total > core::Duration{} ? std::clamp(moving / total, 0.0, 1.0) : 0.0;
}

}  // namespace

Approximation approximation_of(const CheckedScenario& checked) {
  const models::SoftwareProfile& software = checked.scenario.software;
  const models::Layout& layout = checked.layout;
  const bool overlaps =
      software.overlap_gradient_reduce.value || software.overlap_parameter_gather.value;
  const int zero_stage = software.zero_stage.value;
  if (software.reduces_every_microbatch(zero_stage, layout.pp) ||
      (goes_by_layer(software, zero_stage) && overlaps)) {
    return Approximation::kLayerCollectives;
  }
  if (layout.pp > 1 && software.overlap_pipeline.value) return Approximation::kCrowdedSends;
  if (overlaps) {
    const int of_node = checked.scenario.cluster.node.num_accelerators.value;
    const bool leaves_node = layout.tp * std::max(layout.cp, layout.ep) > of_node;
    return leaves_node ? Approximation::kCrowdedCalls : Approximation::kOverlaps;
  }
  return layout.pp > 1 ? Approximation::kPipeline : Approximation::kNone;
}

ClosedFormError closed_form_error(Approximation approximation, const Breakdown& estimate) noexcept {
  const MeasuredError& measured = kMeasured[static_cast<std::size_t>(approximation)];
  const double largest = measured.at_rest + (measured.communicating - measured.at_rest) *
                                                share_of_moving_data(estimate);
  return {.usual = std::min(measured.usual, largest), .largest = largest};
}

}  // namespace railwright::simulation
