// SPDX-License-Identifier: Apache-2.0
// Reinforcement learning of a language model: replicas of an engine generate samples (the rollout),
// the trainer learns from them, and new weights go to the replicas. [@sheng2024hybridflow]
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/fields.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/models/inference/request_load.hpp"
#include "railwright/simulation/results/result_number.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/workloads/serving/serving.hpp"
#include "railwright/workloads/training/simulate.hpp"

namespace railwright::simulation {

/// Samples of a step of post-training, and the order of rollout and trainer.
struct PostTraining {
  int prompts = 0;
  int samples_per_prompt = 1;
  double prompt_spread = 0.0;
  double output_spread = 0.0;
  std::optional<int> max_output_tokens;
  int seed = 1;
  std::optional<int> rollout_nodes;
  int max_staleness = 0;
  int epochs = 1;
  bool recompute_log_probs = true;
  bool reference_model = false;
  core::Duration reward;
  core::Duration sync_overhead;
  bool offload_trainer = false;

  /// Whether rollout and trainer have nodes of their own.
  [[nodiscard]] bool is_split() const { return rollout_nodes.has_value(); }
  /// Whether the trainer learns while the next samples are generated.
  [[nodiscard]] bool is_asynchronous() const { return is_split() && max_staleness > 0; }
  /// Batches of samples that are under way in the rollout.
  [[nodiscard]] int batches_under_way() const { return max_staleness > 1 ? max_staleness : 1; }
  [[nodiscard]] std::int64_t samples() const { return std::int64_t{prompts} * samples_per_prompt; }

  static constexpr auto fields() {
    using core::between;
    using core::field;
    using core::optional;
    using P = PostTraining;
    return core::field_list(
        field("prompts", &P::prompts, "Prompts of a step.", between(1, 1e7)),
        field("samples_per_prompt", &P::samples_per_prompt,
              "Answers to each prompt: the group size of GRPO. [@shao2024deepseekmath]",
              between(1, 1e5), optional),
        field("prompt_spread", &P::prompt_spread,
              "Standard deviation of the tokens of prompts over inference.prompt_tokens, drawn "
              "from a lognormal distribution; 0: all alike.",
              between(0, 10), optional),
        field("output_spread", &P::output_spread, "As prompt_spread, of the answers.",
              between(0, 10), optional),
        field("max_output_tokens", &P::max_output_tokens, "Tokens at which an answer is cut off.",
              between(1, 1e8)),
        field("seed", &P::seed, "Of the draws.", between(0, 2'000'000'000), optional),
        field("rollout_nodes", &P::rollout_nodes,
              "Nodes that generate alone, the last of the cluster; the others train. Where absent, "
              "all nodes generate and train in turn (colocated).",
              between(1, 65536)),
        field("max_staleness", &P::max_staleness,
              "Updated weights that the trainer may be ahead of those that generated its samples; "
              "0: rollout and trainer wait for each other, 1: one step off, more: so many batches "
              "are generated together. Needs rollout_nodes.",
              between(0, 64), optional),
        field("epochs", &P::epochs, "Times that the trainer goes over the samples of a step.",
              between(1, 1000), optional),
        field("recompute_log_probs", &P::recompute_log_probs,
              "Whether the trainer computes the probabilities of the samples anew before it "
              "learns: one forward pass.",
              optional),
        field("reference_model", &P::reference_model,
              "Whether a frozen copy of the model rates the samples too: one forward pass on the "
              "trainer's accelerators, which hold its weights.",
              optional),
        field("reward", &P::reward,
              "Time until the last sample has its reward, with accelerators idle; 0 where rules "
              "give it.",
              core::non_negative, optional),
        field("sync_overhead", &P::sync_overhead,
              "Time that the stack adds to each transfer of weights: names and formats that the "
              "engine asks for, its wake-up; measure it.",
              core::non_negative, optional),
        field("offload_trainer", &P::offload_trainer,
              "Whether parameters and optimizer state of the trainer lie in host memory while the "
              "same accelerators generate.",
              optional));
  }
};

/// A scenario with `post_training`, the trainer in `workload` and the rollout in `inference`.
struct PostTrainingScenario {
  std::string name;
  PostTraining post_training;
  models::Training workload;
  models::Parallelism parallelism;
  models::SoftwareProfile software;
  models::Installation installation;
  models::Inference inference;
  topologies::Cluster cluster;
  models::PowerPlan power;
  std::optional<SweepSpace> sweep;

  static constexpr auto fields() {
    using core::field;
    using core::optional;
    using S = PostTrainingScenario;
    return core::field_list(
        field("name", &S::name, "The scenario in a few words."),
        field("post_training", &S::post_training, "The samples of a step, and who waits for whom."),
        field("workload", &S::workload,
              "The trainer: `global_batch` samples are an optimizer step, of `sequence_length` "
              "tokens, or of the mean length where absent."),
        field("parallelism", &S::parallelism, "How the trainer divides the model.", optional),
        field("software", &S::software, "The trainer's recipe, by catalogue name."),
        field("installation", &S::installation, "The site, by catalogue name.", optional),
        field("inference", &S::inference, "The engine that generates, of the same model."),
        field("cluster", &S::cluster, "Nodes and fabric of both."),
        field("power", &S::power, "A cap on nodes, and what the building adds.", optional),
        field("sweep", &S::sweep, "The points of `sweep`."));
  }
};

struct CheckedPostTraining {
  PostTraining post_training;
  CheckedCluster cluster;
  CheckedScenario trainer;               ///< on the first nodes
  CheckedInference rollout;              ///< on a cluster of its nodes alone
  std::vector<models::Request> samples;  ///< of all batches that are under way together
};

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

/// Draws the samples of all batches that are under way together; those of a group have one prompt.
std::vector<models::Request> draw_samples(const PostTraining& post_training,
                                          const models::Inference& inference);

/// Reads a scenario of post-training. Throws ConfigError with every problem.
CheckedPostTraining read_post_training(const core::Node& tree, const core::Catalogue& catalogue);

/// Returns the scenario with every key that read_post_training() finds for it. Throws ConfigError
/// with every problem.
core::Node complete_post_training(const core::Node& tree, const core::Catalogue& catalogue);

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
