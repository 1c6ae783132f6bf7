// SPDX-License-Identifier: Apache-2.0
// Costs of a pipeline of equal stages between which communication is free.
#pragma once

#include "railwright/simulation/step/costs.hpp"

namespace railwright::test {

inline core::Duration seconds(double s) { return core::Duration::from_base(s); }

/// Layers of 1 ms forward and 2 ms backward.
inline simulation::StepCosts equal_stages(int pp, int v, int m, int layers_per_chunk) {
  simulation::StepCosts costs;
  costs.layout = {
      .pp = pp, .virtual_stages = v, .num_microbatches = m, .layers_per_chunk = layers_per_chunk};
  costs.overlap_pipeline = true;
  simulation::LayerPass forward;
  forward.compute.matrix = seconds(0.001);
  simulation::LayerPass backward;
  backward.compute.matrix = seconds(0.002);
  const auto layers = static_cast<std::size_t>(v) * static_cast<std::size_t>(layers_per_chunk);
  for (int stage = 0; stage < pp; ++stage) {
    simulation::StageCosts stage_costs;
    stage_costs.forward.assign(layers, forward);
    stage_costs.backward.assign(layers, backward);
    costs.stages.push_back(stage_costs);
  }
  const auto groups = static_cast<std::size_t>(pp);
  costs.send_forward.resize(groups);
  costs.send_backward.resize(groups);
  return costs;
}

/// Stages of one layer a chunk whose passes take 1 ms forward and as long for either gradient.
inline simulation::StepCosts split_stages(models::Schedule schedule, int pp, int m) {
  simulation::StepCosts costs = equal_stages(pp, 1, m, 1);
  costs.layout.schedule = schedule;
  simulation::LayerPass pass;
  pass.compute.matrix = seconds(0.001);
  const auto chunks = static_cast<std::size_t>(costs.layout.chunks_per_stage());
  for (simulation::StageCosts& stage : costs.stages) {
    for (auto* passes : {&stage.forward, &stage.backward, &stage.weight}) {
      passes->assign(chunks, pass);
    }
    if (chunks == 1) continue;
    simulation::LayerPass together;
    together.compute.matrix = seconds(0.003);
    stage.together.assign(chunks, together);
  }
  return costs;
}

}  // namespace railwright::test
