// SPDX-License-Identifier: Apache-2.0
// Reinforcement learning of a language model: replicas of an engine generate samples (the rollout),
// the trainer learns from them, and new weights go to the replicas. [@sheng2024hybridflow]
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "railwright/core/units/quantity.hpp"
#include "railwright/simulation/results/result_number.hpp"
#include "railwright/workloads/serving/serving.hpp"
#include "railwright/workloads/training/simulate.hpp"

namespace railwright::simulation {

struct CheckedPostTraining;

/// The rollout of one step.
struct Rollout {
  int tp = 1;
  std::int64_t num_replicas = 0;
  std::int64_t num_accelerators = 0;  ///< that may generate, in a replica or not
  models::MemoryUse memory;           ///< on one accelerator
  core::DataSize memory_capacity;
  ServingRun run;  ///< of all batches that are under way together
};

/// Parts of a step of post-training, in their order.
struct PostTrainingTimes {
  core::Duration rollout;
  core::Duration reward;
  core::Duration log_probs;  ///< forward pass of the trainer over all samples
  core::Duration reference;  ///< forward pass of the frozen copy
  core::Duration update;     ///< all optimizer steps
  core::Duration weights;    ///< new weights on their way to the replicas, with what the stack adds
  core::Duration offload;    ///< trainer's state to host memory and back

  /// Time of the rollout's accelerators for a batch, and the trainer's.
  [[nodiscard]] core::Duration generating() const { return rollout + reward; }
  [[nodiscard]] core::Duration training() const { return log_probs + reference + update; }
  [[nodiscard]] core::Duration moving() const { return weights + offload; }
};

struct PostTrainingResult {
  std::string name;
  std::vector<std::string> infeasible;
  bool is_split = false;
  bool is_asynchronous = false;
  std::int64_t num_accelerators = 0;
  std::int64_t trainer_accelerators = 0;
  std::int64_t num_prompts = 0;
  std::int64_t num_samples = 0;  ///< of a step
  std::int64_t updates_per_step = 0;
  std::int64_t num_steps = 0;
  double tokens_per_step = 0.0;         ///< of prompts and answers
  double output_tokens_per_step = 0.0;  ///< of answers
  std::int64_t sequence_length = 0;     ///< of the trainer

  std::int64_t num_parameters = 0;
  models::MemoryUse trainer_memory;  ///< on one accelerator
  core::DataSize memory_capacity;
  core::DataSize weights;  ///< of the model in the format of the rollout
  std::optional<Rollout> rollout;
  PostTrainingTimes times;
  core::Duration tail;  ///< of the rollout, in which the last tenth of the answers ends
  core::Duration step_time;
  /// Shares of a step in which accelerators of the rollout, of the trainer, of all wait.
  double rollout_idle_fraction = 0.0;
  double trainer_idle_fraction = 0.0;
  double idle_fraction = 0.0;
  core::Power mean_power;  ///< of the cluster, with what the building adds
  std::string limit;       ///< sentence on what limits the step

  [[nodiscard]] bool feasible() const { return infeasible.empty(); }
  [[nodiscard]] core::Duration total_time() const {
    return step_time * static_cast<double>(num_steps);
  }
};

/// Simulates the rollout request by request, and the trainer's passes and steps as events. Rollout
/// and trainer alternate, or overlap in a steady state.
PostTrainingResult simulate(const CheckedPostTraining& checked,
                            const SimulateOptions& options = {});

/// Sets the time of a step, its idle shares and its limit from the times of its parts and the
/// rollout.
void combine(PostTrainingResult& result);

/// Returns all numbers of post-training, in the order of the JSON.
const Numbers<PostTrainingResult>& post_training_numbers();
std::vector<Output> outputs(const PostTrainingResult& result);

}  // namespace railwright::simulation
