// SPDX-License-Identifier: Apache-2.0
#include "training_facts.hpp"

#include <utility>

#include "railwright/models/workload/training.hpp"

namespace railwright::validation {

TrainingFacts training_facts(const simulation::CheckedScenario& checked, core::Node tree,
                             const std::string& source) {
  const simulation::Scenario& scenario = checked.scenario;
  const models::Training& training = scenario.workload;
  const core::Accelerator& device = scenario.cluster.node.accelerator;
  const core::Precision precision = scenario.software.precision.value;
  core::set_path(tree, "cluster.nodes=1");
  core::set_path(tree, "workload.global_batch=1");
  return {.model = models::name_of(training.model),
          .traits = checked.traits,
          .of_images = models::vision_of(training) != nullptr,
          .scaling_key = source + core::to_yaml(tree),
          .num_parameters = models::num_parameters(training.model),
          .num_accelerators = scenario.num_accelerators(),
          .work_per_step = models::training_work_per_step(training).base(),
          .peak_rate = device.peak_rate(precision).value_or(core::ComputeRate{}).base()};
}

double utilization(const TrainingFacts& facts, double seconds) {
  return facts.work_per_step / (seconds * facts.peak_rate * facts.num_accelerators);
}

bool is_training_step(const ValidationCase& c) { return c.training && c.quantity == "step_time"; }

std::string configuration_of(const std::string& model, const std::string& device) {
  return model + " on " + device;
}

}  // namespace railwright::validation
