// SPDX-License-Identifier: Apache-2.0
// Costs of a pipeline of equal stages between which communication is free.
#pragma once

#include "railwright/planner/step/costs.hpp"

namespace railwright::test {

inline core::Duration seconds(double s) { return core::Duration::from_base(s); }

/// Layers of 1 ms forward and 2 ms backward.
inline planner::StepCosts equal_stages(int pp, int v, int m, int layers_per_chunk) {
  planner::StepCosts costs;
  costs.layout = {
      .pp = pp, .virtual_stages = v, .num_microbatches = m, .layers_per_chunk = layers_per_chunk};
  costs.overlap_pipeline = true;
  planner::LayerPass forward;
  forward.compute.matrix = seconds(0.001);
  planner::LayerPass backward;
  backward.compute.matrix = seconds(0.002);
  const auto layers = static_cast<std::size_t>(v) * static_cast<std::size_t>(layers_per_chunk);
  for (int stage = 0; stage < pp; ++stage) {
    planner::StageCosts stage_costs;
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
inline planner::StepCosts split_stages(models::Schedule schedule, int pp, int m) {
  planner::StepCosts costs = equal_stages(pp, 1, m, 1);
  costs.layout.schedule = schedule;
  planner::LayerPass pass;
  pass.compute.matrix = seconds(0.001);
  const auto chunks = static_cast<std::size_t>(costs.layout.chunks_per_stage());
  for (planner::StageCosts& stage : costs.stages) {
    for (auto* passes : {&stage.forward, &stage.backward, &stage.weight}) {
      passes->assign(chunks, pass);
    }
    if (chunks == 1) continue;
    planner::LayerPass together;
    together.compute.matrix = seconds(0.003);
    stage.together.assign(chunks, together);
  }
  return costs;
}

}  // namespace railwright::test
