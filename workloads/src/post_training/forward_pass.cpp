// SPDX-License-Identifier: Apache-2.0
#include "forward_pass.hpp"

namespace railwright::simulation {

namespace {

/// Bytes/s of what is never sent: high enough that it takes no time.
constexpr double kNoWait = 1e18;

void drop_backward(const models::Layout& layout, StageCosts& stage, bool gathers) {
  for (LayerPass& pass : stage.backward) pass = {};
  for (LayerPass& pass : stage.weight) pass = {};
  for (std::size_t chunk = 0; chunk < stage.together.size(); ++chunk) {
    stage.together[chunk] = sum_of_chunk(stage.forward, layout, static_cast<int>(chunk));
  }
  stage.optimizer = {};
  if (!gathers) stage.syncs.clear();
  for (ParameterSync& sync : stage.syncs) {
    sync.gradient_sync = {};
    for (Bucket& bucket : sync.buckets) bucket.gradient_bytes = 0;
  }
}

}  // namespace

StepCosts forward_alone(StepCosts costs) {
  costs.is_forward_alone = true;
  costs.has_replicas = costs.gathers_every_pass;
  costs.gathers_parameters = costs.gathers_every_pass;
  costs.reduces_every_microbatch = false;
  costs.overhead = {};
  for (StageCosts& stage : costs.stages) {
    drop_backward(costs.layout, stage, costs.gathers_every_pass);
  }
  for (models::CollectiveFlow& flow : costs.send_backward) {
    flow = {.route = {}, .latency = {}, .ceiling = kNoWait};
  }
  return costs;
}

}  // namespace railwright::simulation
