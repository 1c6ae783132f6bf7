// SPDX-License-Identifier: Apache-2.0
// The keys of post_training_scenario.hpp.
#pragma once

#include "railwright/core/config/fields.hpp"
#include "railwright/models/inference/inference_fields.hpp"
#include "railwright/models/power/node_power_fields.hpp"
#include "railwright/models/software/installation_fields.hpp"
#include "railwright/models/software/profile_fields.hpp"
#include "railwright/models/workload/training_fields.hpp"
#include "railwright/simulation/scenario/scenario_fields.hpp"
#include "railwright/simulation/scenario/sweep_space_fields.hpp"
#include "railwright/topologies/cluster/cluster_fields.hpp"
#include "railwright/workloads/post_training/post_training_scenario.hpp"

namespace railwright::simulation {

constexpr auto PostTraining::fields() {
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
      field("output_spread", &P::output_spread, "As prompt_spread, of the answers.", between(0, 10),
            optional),
      field("max_output_tokens", &P::max_output_tokens,
            "Tokens at which an answer is cut off; inference.output_tokens is the mean with "
            "answers cut off.",
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
      field("tensor_overhead", &P::tensor_overhead,
            "Time that each tensor of the model adds to a transfer of weights, experts one by one: "
            "gathered, named, sent and placed by calls of Python.",
            core::non_negative, optional),
      field("whole_trainer_sends", &P::whole_trainer_sends,
            "With rollout_nodes, whether all ranks of the trainer are in the group that broadcasts "
            "weights, which then leave over all NICs of its nodes (NeMo RL); else its first rank "
            "alone.",
            optional),
      field("offload_trainer", &P::offload_trainer,
            "Whether parameters and optimizer state of the trainer lie in host memory while the "
            "same accelerators generate.",
            optional),
      field("offload_rate", &P::offload_rate,
            "Bytes/s between an accelerator and host memory when the trainer's state moves, at "
            "most those of its link: copies to memory that is not pinned are slower.",
            core::at_least(1e6), optional));
}

constexpr auto PostTrainingScenario::fields() {
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

}  // namespace railwright::simulation
