// SPDX-License-Identifier: Apache-2.0
#include "step_power.hpp"

#include "railwright/models/power/node_power.hpp"
#include "railwright/models/power/power_by_part.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/workloads/post_training/post_training_scenario.hpp"

namespace railwright::simulation {

namespace {

using models::Activity;

/// Returns what a node draws that waits for `idle` of a step and moves weights for `moving` of it.
models::NodePowerByPart node_power_over(const models::NodePower& node, double idle, double moving) {
  return node.parts_of(Activity::kIdle) * idle + node.parts_of(Activity::kCommunication) * moving +
         node.parts_of(Activity::kCompute) * (1.0 - idle - moving);
}

}  // namespace

core::Power mean_power(const CheckedPostTraining& checked, const core::PartsList& parts,
                       const PostTrainingResult& result) {
  const models::PowerPlan& plan = checked.trainer.scenario.power;
  const topologies::Cluster& cluster = checked.cluster.cluster;
  const models::NodePower node = models::node_power(cluster.node, plan);
  const double moving = result.times.moving() / result.step_time;
  const double trainers = checked.trainer.scenario.cluster.num_nodes;
  const models::NodePowerByPart all =
      node_power_over(node, result.trainer_idle_fraction, moving) * trainers +
      node_power_over(node, result.rollout_idle_fraction, moving) * (cluster.num_nodes - trainers);
  return models::power_by_part(parts, all).equipment() * plan.pue;
}

}  // namespace railwright::simulation
