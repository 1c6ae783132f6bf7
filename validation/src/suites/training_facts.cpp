// SPDX-License-Identifier: Apache-2.0
#include "training_facts.hpp"

#include <utility>

#include "railwright/models/workload/training.hpp"
#include "railwright/simulation/scenario/recipe_keys.hpp"
#include "railwright/simulation/scenario/scenario.hpp"

namespace railwright::validation {

namespace {

/// Adds the value at `path`, or all below it.
void add_settings(const core::Node& node, const std::string& path,
                  std::map<std::string, std::string>& settings) {
  if (!node.is_mapping()) {
    settings[path] = core::to_yaml(node);
    return;
  }
  for (const core::Entry& entry : node.entries) {
    add_settings(entry.value, path.empty() ? entry.key : path + "." + entry.key, settings);
  }
}

}  // namespace

TrainingFacts training_facts(const simulation::CheckedScenario& checked, core::Node tree,
                             const std::string& source) {
  const simulation::Scenario& scenario = checked.scenario;
  const models::Training& training = scenario.workload;
  const core::Accelerator& device = scenario.cluster.node.accelerator;
  const core::Precision precision = scenario.software.precision.value;
  std::map<std::string, std::string> settings;
  add_settings(tree, "", settings);
  settings.erase("name");
  core::set_path(tree, "cluster.nodes=1");
  core::set_path(tree, "workload.global_batch=1");
  return {.model = models::name_of(training.model),
          .traits = checked.traits,
          .of = checked.basis ? checked.basis->of : std::nullopt,
          .num_differences = checked.basis ? simulation::num_widening(checked.basis->changes) : 0,
          .unstated = {},
          .of_images = models::vision_of(training) != nullptr,
          .scaling_key = source + core::to_yaml(tree),
          .settings = std::move(settings),
          .num_parameters = models::num_parameters(training.model),
          .num_accelerators = scenario.num_accelerators(),
          .work_per_step = models::training_work_per_step(training).base(),
          .peak_rate = device.peak_rate(precision).value_or(core::ComputeRate{}).base()};
}

double utilization(const TrainingFacts& facts, double seconds) {
  return facts.work_per_step / (seconds * facts.peak_rate * facts.num_accelerators);
}

bool is_training_step(const ValidationCase& c) {
  const bool says_others =
      c.kind && *c.kind != RowKind::kPrediction && *c.kind != RowKind::kCalibrated;
  return c.training && c.quantity == "step_time" && !says_others;
}

std::string configuration_of(const std::string& model, const std::string& device) {
  return model + " on " + device;
}

}  // namespace railwright::validation
