// SPDX-License-Identifier: Apache-2.0
// Keys of stacks of reinforcement learning, and what each takes unless told. [@verl_config]
// [@openrlhf_arguments] [@nemo_rl_config]
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace railwright::importers {

/// A key with a number, and the program's default; nothing where another file has it.
struct RlCount {
  std::string_view key;
  std::optional<std::int64_t> otherwise;
};

/// Keys of one stack. "" for what it has no key for.
struct RlStack {
  std::string_view name;
  RlCount prompts;        ///< of a step
  RlCount samples;        ///< of a prompt
  RlCount batch;          ///< samples of an optimizer step, or prompts
  bool batch_in_prompts;  ///< `batch` counts prompts
  std::string_view micro;
  std::string_view model;
  RlCount max_output;
  RlCount epochs;
  RlCount nodes;
  RlCount accelerators;  ///< of a node
  RlCount rollout_tp;
  std::string_view rollout_pp;
  std::string_view memory_share;
  std::string_view steps;  ///< of generation and training
};

inline constexpr RlStack kVerl{
    .name = "verl",
    .prompts = {"data.train_batch_size", 1024},
    .samples = {"actor_rollout_ref.rollout.n", 1},
    .batch = {"actor_rollout_ref.actor.ppo_mini_batch_size", 256},
    .batch_in_prompts = true,
    .micro = "actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu",
    .model = "actor_rollout_ref.model.path",
    .max_output = {"data.max_response_length", 512},
    .epochs = {"actor_rollout_ref.actor.ppo_epochs", 1},
    .nodes = {"trainer.nnodes", 1},
    .accelerators = {"trainer.n_gpus_per_node", 8},
    .rollout_tp = {"actor_rollout_ref.rollout.tensor_model_parallel_size", 2},
    .rollout_pp = "actor_rollout_ref.rollout.pipeline_model_parallel_size",
    .memory_share = "actor_rollout_ref.rollout.gpu_memory_utilization",
    .steps = "trainer.total_training_steps",
};

inline constexpr RlStack kOpenRlhf{
    .name = "OpenRLHF",
    .prompts = {"rollout_batch_size", 1024},
    .samples = {"n_samples_per_prompt", 1},
    .batch = {"train_batch_size", 128},
    .batch_in_prompts = false,
    .micro = "micro_train_batch_size",
    .model = "pretrain",
    .max_output = {"generate_max_len", {}},
    .epochs = {"max_epochs", 1},
    .nodes = {"actor_num_nodes", 1},
    .accelerators = {"actor_num_gpus_per_node", 8},
    .rollout_tp = {"vllm_tensor_parallel_size", 1},
    .rollout_pp = "",
    .memory_share = "vllm_gpu_memory_utilization",
    .steps = "",
};

inline constexpr RlStack kNemoRl{
    .name = "NeMo RL",
    .prompts = {"grpo.num_prompts_per_step", {}},
    .samples = {"grpo.num_generations_per_prompt", {}},
    .batch = {"policy.train_global_batch_size", {}},
    .batch_in_prompts = false,
    .micro = "policy.train_micro_batch_size",
    .model = "policy.model_name",
    .max_output = {"policy.generation.max_new_tokens", {}},
    .epochs = {"", 1},
    .nodes = {"cluster.num_nodes", {}},
    .accelerators = {"cluster.gpus_per_node", {}},
    .rollout_tp = {"policy.generation.vllm_cfg.tensor_parallel_size", {}},
    .rollout_pp = "policy.generation.vllm_cfg.pipeline_parallel_size",
    .memory_share = "policy.generation.vllm_cfg.gpu_memory_utilization",
    .steps = "grpo.max_num_steps",
};

}  // namespace railwright::importers
