// SPDX-License-Identifier: Apache-2.0
#include "railwright/simulation/step/layer_computation.hpp"

#include "layer_passes.hpp"
#include "railwright/simulation/scenario/scenario.hpp"

namespace railwright::simulation {

models::ComputeCost layer_computation(const CheckedScenario& checked) {
  const Scenario& scenario = checked.scenario;
  const models::ComputeModel compute(scenario.running_accelerator(), scenario.workload,
                                     checked.layout, scenario.software,
                                     compute_efficiency(scenario));
  const LayerPasses passes = layer_passes(scenario, checked.layout, compute);
  models::ComputeCost sum;
  const auto add = [&](const LayerPasses::PerPass& one) {
    for (const LayerPass* pass : {&one.forward, &one.backward, &one.weight}) sum += pass->compute;
  };
  for (const LayerPasses::PerPass& layer : passes.layers) add(layer);
  for (const LayerPasses::PerPass& block : passes.blocks) add(block);
  return sum;
}

}  // namespace railwright::simulation
