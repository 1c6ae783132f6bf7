// SPDX-License-Identifier: Apache-2.0
#include "railwright/workloads/post_training/post_training.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "forward_pass.hpp"
#include "railwright/core/arithmetic.hpp"
#include "railwright/core/units/text.hpp"
#include "railwright/models/inference/footprint.hpp"
#include "railwright/models/offload/tier.hpp"
#include "railwright/models/parallelism/shards.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/simulation/step/step.hpp"
#include "railwright/topologies/cluster/built_cluster.hpp"
#include "railwright/topologies/topology.hpp"
#include "railwright/workloads/post_training/post_training_scenario.hpp"
#include "rollout.hpp"
#include "step_power.hpp"
#include "weights_transfer.hpp"

namespace railwright::simulation {

namespace {

using core::DataSize;
using core::Duration;
using core::to_text;

/// Returns the weights of the frozen copy on one accelerator, in 16 bits and divided like the
/// trained ones.
DataSize reference_weights(const CheckedPostTraining& checked) {
  const CheckedScenario& trainer = checked.trainer;
  if (!checked.post_training.reference_model || models::is_frozen(trainer.scenario.workload)) {
    return {};
  }
  const bool is_spread = trainer.scenario.software.zero_stage.value == 3;
  double most = 0.0;
  for (int stage = 0; stage < trainer.layout.pp; ++stage) {
    const auto held = models::sum(
        models::parameters_by_layer(trainer.scenario.workload.model, trainer.layout, stage));
    most = std::max(most, models::on_one_rank(held, trainer.layout, is_spread));
  }
  return DataSize::from_base(most * core::bytes_of(core::Precision::kBf16));
}

/// Adds the frozen copy to the trainer's memory.
void add_reference(DataSize reference, PostTrainingResult& result) {
  if (reference.base() == 0.0) return;
  const bool did_fit = result.trainer_memory.total() <= result.memory_capacity;
  result.trainer_memory.lines.push_back({"reference_model", reference});
  const DataSize total = result.trainer_memory.total();
  if (!did_fit || total <= result.memory_capacity) return;
  result.infeasible.push_back(
      fmt::format("trainer with its reference model: {} of {} on an accelerator, {} too much",
                  core::memory_text(total), core::memory_text(result.memory_capacity),
                  core::memory_text(total - result.memory_capacity)));
}

/// Returns what the trainer holds on an accelerator between its steps; gradients are freed.
DataSize trainer_state(const PostTrainingResult& result) {
  return result.trainer_memory.of(models::MemoryItem::kParameters) +
         result.trainer_memory.of(models::MemoryItem::kOptimizerState);
}

/// Computes the time in which all accelerators of a node write the trainer's state to host memory
/// and read it back, with the frozen copy, which does not change; copies are as slow as those of
/// the stack.
Duration offload_time(const CheckedPostTraining& checked, DataSize state, DataSize reference) {
  const core::ComputeNode& node = checked.trainer.scenario.cluster.node;
  const DataSize moved = state * 2.0 + reference;
  const auto num_copies = static_cast<double>(node.num_accelerators.value);
  return moved * num_copies /
         std::min(models::host_link_rate(node), checked.post_training.offload_rate * num_copies);
}

void check_host_memory(const CheckedPostTraining& checked, DataSize held,
                       PostTrainingResult& result) {
  const core::ComputeNode& node = checked.trainer.scenario.cluster.node;
  const DataSize of_node = held * static_cast<double>(node.num_accelerators.value);
  if (!node.host_memory || of_node <= node.host_memory->value) return;
  result.infeasible.push_back(fmt::format("trainer's state in host memory: {} of {} in a node",
                                          to_text(of_node), to_text(node.host_memory->value)));
}

/// Computes the time of the forward passes of a batch, by events even where steps are estimated:
/// the closed form knows no step without backward passes.
Duration forward_time(const CheckedScenario& trainer, const core::Fabric& fabric,
                      Symmetry symmetry) {
  return simulate_step(forward_alone(step_costs(trainer, fabric)), symmetry).step_time;
}

PostTrainingResult facts_of(const CheckedPostTraining& checked) {
  const PostTraining& asked = checked.post_training;
  const Scenario& trainer = checked.trainer.scenario;
  const topologies::Cluster& cluster = checked.cluster.cluster;
  const std::int64_t of_node = cluster.node.num_accelerators.value;
  const models::Inference& inference = checked.rollout.inference;
  PostTrainingResult result{.name = checked.cluster.name,
                            .is_split = asked.is_split(),
                            .is_asynchronous = asked.is_asynchronous(),
                            .num_accelerators = cluster.num_nodes * of_node,
                            .trainer_accelerators = trainer.cluster.num_nodes * of_node,
                            .num_prompts = asked.prompts,
                            .num_samples = asked.samples(),
                            .sequence_length = trainer.workload.sequence_length,
                            .weights = models::weights_size(inference.model, inference.weights)};
  result.updates_per_step = asked.epochs * asked.samples() / trainer.workload.global_batch;
  result.num_steps = core::ceil_div(trainer.workload.steps, result.updates_per_step);
  for (const models::Request& sample : checked.samples) {
    result.output_tokens_per_step += sample.output_tokens;
    result.tokens_per_step += static_cast<double>(sample.prompt_tokens) + sample.output_tokens;
  }
  result.output_tokens_per_step /= asked.batches_under_way();
  result.tokens_per_step /= asked.batches_under_way();
  return result;
}

/// Simulates the trainer's step and its forward passes.
void train(const CheckedPostTraining& checked, const SimulateOptions& options,
           PostTrainingResult& result) {
  const CheckedScenario& trainer = checked.trainer;
  const topologies::BuiltCluster built = trainer.topology->build(trainer.scenario.cluster);
  SimulateOptions of_step = options;
  of_step.trace = false;
  const SimulationResult step = simulate_without_run(trainer, built, of_step);
  result.num_parameters = step.num_parameters;
  result.trainer_memory = step.memory;
  result.memory_capacity = step.memory_capacity;
  for (const Infeasibility& one : step.infeasible) {
    const bool is_of_cluster = std::ranges::any_of(
        built.parts.shortfalls,
        [&](const core::Shortfall& shortfall) { return shortfall.what == one.what; });
    if (!is_of_cluster) result.infeasible.push_back("trainer: " + one.what);
  }
  if (!step.feasible()) return;
  const auto updates = static_cast<double>(result.updates_per_step);
  result.times.update = step.step_time * updates;
  const PostTraining& asked = checked.post_training;
  if (!asked.recompute_log_probs && !asked.reference_model) return;
  const Duration forward =
      forward_time(trainer, built.fabric, options.symmetry) * (updates / asked.epochs);
  if (asked.recompute_log_probs) result.times.log_probs = forward;
  if (asked.reference_model) result.times.reference = forward;
}

/// Simulates the rollout beside what the trainer leaves on its accelerators.
void generate(const CheckedPostTraining& checked, PostTrainingResult& result) {
  const PostTraining& asked = checked.post_training;
  const DataSize reference = reference_weights(checked);
  const DataSize state = trainer_state(result);
  add_reference(reference, result);
  DataSize held;
  if (!asked.is_split() && asked.offload_trainer) {
    check_host_memory(checked, state + reference, result);
    result.times.offload = offload_time(checked, state, reference);
  } else if (!asked.is_split()) {
    held = state + reference;
  }
  const auto& cluster = checked.rollout.cluster;
  const topologies::BuiltCluster built = cluster.topology->build(cluster.cluster);
  result.rollout = simulate_rollout(checked, built.fabric, held, result.infeasible);
  if (!result.rollout) return;
  const ServingRun& run = result.rollout->run;
  const double batches = asked.batches_under_way();
  result.times.rollout = run.duration * (1.0 / batches);
  result.tail = (run.duration - run.latency.p90) * (1.0 / batches);
}

std::string limit_of(const PostTrainingResult& result) {
  const PostTrainingTimes& times = result.times;
  if (result.is_asynchronous) {
    const bool by_rollout = times.generating() > times.training();
    return fmt::format(
        "{} limits the step, {} waits {:.1f} % of it", by_rollout ? "the rollout" : "the trainer",
        by_rollout ? "the trainer" : "the rollout",
        100.0 * (by_rollout ? result.trainer_idle_fraction : result.rollout_idle_fraction));
  }
  std::array<std::pair<std::string_view, Duration>, 4> parts{
      {{"the rollout", times.generating()},
       {"updates", times.update},
       {"forward passes", times.log_probs + times.reference},
       {"moving weights and state", times.moving()}}};
  std::ranges::stable_sort(parts, std::greater<>{}, [](const auto& part) { return part.second; });
  return fmt::format("{} {:.1f} % of the step, next {} {:.1f} %", parts[0].first,
                     100.0 * (parts[0].second / result.step_time), parts[1].first,
                     100.0 * (parts[1].second / result.step_time));
}

}  // namespace

void combine(PostTrainingResult& result) {
  const PostTrainingTimes& times = result.times;
  const Rollout& rollout = *result.rollout;
  const Duration working = result.is_asynchronous ? std::max(times.generating(), times.training())
                                                  : times.generating() + times.training();
  result.step_time = working + times.moving();
  const double in_replicas = static_cast<double>(rollout.num_replicas * rollout.tp) /
                             static_cast<double>(rollout.num_accelerators);
  const Duration generated = times.rollout * (rollout.run.busy_fraction * in_replicas);
  const auto idle = [&](Duration busy) {
    return std::max(0.0, 1.0 - (busy + times.moving()) / result.step_time);
  };
  if (result.is_split) {
    result.rollout_idle_fraction = idle(generated);
    result.trainer_idle_fraction = idle(times.training());
    const double share = static_cast<double>(result.trainer_accelerators) /
                         static_cast<double>(result.num_accelerators);
    result.idle_fraction =
        result.trainer_idle_fraction * share + result.rollout_idle_fraction * (1.0 - share);
  } else {
    result.idle_fraction = idle(generated + times.training());
    result.rollout_idle_fraction = result.trainer_idle_fraction = result.idle_fraction;
  }
  result.limit = limit_of(result);
}

PostTrainingResult simulate(const CheckedPostTraining& checked, const SimulateOptions& options) {
  PostTrainingResult result = facts_of(checked);
  const topologies::BuiltCluster whole = checked.cluster.topology->build(checked.cluster.cluster);
  for (const core::Shortfall& shortfall : whole.parts.shortfalls) {
    result.infeasible.push_back(shortfall.what);
  }
  train(checked, options, result);
  generate(checked, result);
  if (!result.feasible()) return result;
  result.times.weights = weights_time(checked, whole.fabric);
  combine(result);
  result.mean_power = mean_power(checked, whole.parts, result);
  return result;
}

}  // namespace railwright::simulation
