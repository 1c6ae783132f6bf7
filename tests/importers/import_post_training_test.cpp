// SPDX-License-Identifier: Apache-2.0
// Reinforcement learning: scripts of verl and OpenRLHF, YAML of NeMo RL.
#include <gtest/gtest.h>

#include <string>

#include "imported.hpp"

namespace railwright::test {
namespace {

const importers::ImportKind kRl("post-training");

importers::Imported rl(const std::string& text) {
  return importers::import_text(kRl, text, "run.sh");
}

constexpr const char* kVerlCommand =
    "python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo \\\n"
    "  data.train_batch_size=$PROMPTS data.max_response_length=$((1024 * 3)) \\\n"
    "  actor_rollout_ref.model.path=Qwen/Qwen3-8B \\\n"
    "  actor_rollout_ref.actor.ppo_mini_batch_size=128 actor_rollout_ref.rollout.n=8 \\\n"
    "  actor_rollout_ref.actor.use_kl_loss=True actor_rollout_ref.rollout.name=vllm \\\n"
    "  +actor_rollout_ref.actor.fsdp_config.param_offload=True \\\n"
    "  actor_rollout_ref.actor.fsdp_config.optimizer_offload=True \\\n"
    "  trainer.nnodes=4 trainer.total_training_steps=100 ";

TEST(ImportPostTraining, ReadsVerl) {
  const auto imported =
      rl("PROMPTS=256\n" + std::string(kVerlCommand) +
         "actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=2 \\\n"
         "  actor_rollout_ref.rollout.gpu_memory_utilization=0.6 trainer.n_gpus_per_node=4 $@\n");
  EXPECT_EQ(value(imported, "post_training.prompts"), "256");
  EXPECT_EQ(value(imported, "post_training.samples_per_prompt"), "8");
  EXPECT_EQ(value(imported, "post_training.max_output_tokens"), "3072");
  EXPECT_EQ(value(imported, "post_training.reference_model"), "true");
  EXPECT_EQ(value(imported, "post_training.offload_trainer"), "true");
  EXPECT_EQ(value(imported, "workload.model"), "~qwen3-8b");
  EXPECT_EQ(value(imported, "inference.model"), "~qwen3-8b");
  EXPECT_EQ(value(imported, "workload.global_batch"), "1024");
  EXPECT_EQ(value(imported, "workload.micro_batch"), "2");
  EXPECT_EQ(value(imported, "workload.steps"), "200");
  EXPECT_EQ(value(imported, "inference.tp"), "~2");
  EXPECT_EQ(value(imported, "inference.memory_share"), "0.6");
  EXPECT_EQ(value(imported, "cluster.nodes"), "4");
  EXPECT_EQ(value(imported, "cluster.node.num_accelerators"), "4");
  EXPECT_EQ(value(imported, "software.recompute"), "~full");
}

TEST(ImportPostTraining, LeavesOpenWhatVerlTakesFromOutside) {
  const auto imported = rl(kVerlCommand);
  EXPECT_EQ(value(imported, "post_training.prompts"), "absent");
  EXPECT_TRUE(is_unknown(imported, "--data.train_batch_size"));
  const auto critic =
      rl("python3 -m verl.trainer.main_ppo --config-name=own data.train_batch_size=8 \\\n"
         "  actor_rollout_ref.actor.strategy=megatron algorithm.filter_groups.enable=True \\\n"
         "  actor_rollout_ref.actor.megatron.tensor_model_parallel_size=4\n");
  EXPECT_EQ(value(critic, "parallelism.tp"), "4");
  EXPECT_EQ(value(critic, "parallelism.pp"), "~1");
  EXPECT_EQ(value(critic, "software.recompute"), "absent");
  for (const char* path : {"config_name", "algorithm.adv_estimator", "algorithm.filter_groups",
                           "inference.engine.model"}) {
    EXPECT_TRUE(is_unknown(critic, path)) << path;
  }
}

TEST(ImportPostTraining, ReadsOpenRlhfByItsOldAndItsNewNames) {
  const auto before = rl(
      "python3 -m openrlhf.cli.train_ppo_ray --actor_num_nodes 2 --actor_num_gpus_per_node 8 \\\n"
      "  --vllm_tensor_parallel_size 2 --colocate_all_models --pretrain Qwen/Qwen3-8B \\\n"
      "  --micro_train_batch_size 4 --train_batch_size 256 --rollout_batch_size 128 \\\n"
      "  --n_samples_per_prompt 8 --generate_max_len 2048 --zero_stage 3 --init_kl_coef 0 \\\n"
      "  --advantage_estimator rloo\n");
  const auto now = rl(
      "python3 -m openrlhf.cli.train_ppo_ray --actor.num_nodes 2 --actor.num_gpus_per_node 8 \\\n"
      "  --vllm.tensor_parallel_size 2 --train.colocate_all \\\n"
      "  --actor.model_name_or_path Qwen/Qwen3-8B --train.micro_batch_size 4 \\\n"
      "  --train.batch_size 256 --rollout.batch_size 128 --rollout.n_samples_per_prompt 8 \\\n"
      "  --rollout.max_new_tokens 2048 --ds.zero_stage 3 --algo.kl.init_coef 0 \\\n"
      "  --algo.advantage.estimator rloo\n");
  for (const auto& imported : {before, now}) {
    EXPECT_EQ(value(imported, "post_training.prompts"), "128");
    EXPECT_EQ(value(imported, "post_training.samples_per_prompt"), "8");
    EXPECT_EQ(value(imported, "post_training.max_output_tokens"), "2048");
    EXPECT_EQ(value(imported, "post_training.reference_model"), "false");
    EXPECT_EQ(value(imported, "workload.global_batch"), "256");
    EXPECT_EQ(value(imported, "inference.tp"), "2");
    EXPECT_EQ(value(imported, "cluster.nodes"), "2");
    EXPECT_EQ(value(imported, "software.zero_stage"), "3");
  }
}

TEST(ImportPostTraining, ReadsNemoRl) {
  const std::string recipe =
      "grpo: {num_prompts_per_step: 64, num_generations_per_prompt: 32, max_num_steps: 20,\n"
      "       async_grpo: {enabled: true, max_trajectory_age_steps: 1}}\n"
      "loss_fn: {reference_policy_kl_penalty: 0.01}\n"
      "policy:\n  model_name: Qwen/Qwen3-8B\n  train_global_batch_size: 512\n"
      "  train_micro_batch_size: 1\n  max_total_sequence_length: 4096\n"
      "  megatron_cfg: {enabled: true, tensor_model_parallel_size: 2,\n"
      "    pipeline_model_parallel_size: 1, context_parallel_size: 1,\n"
      "    expert_model_parallel_size: 1, sequence_parallel: true}\n"
      "  generation:\n    backend: vllm\n    max_new_tokens: ${policy.max_total_sequence_length}\n"
      "    vllm_cfg: {tensor_parallel_size: 4}\n"
      "    colocated: {enabled: false, resources: {num_nodes: 2}}\n"
      "cluster: {gpus_per_node: 8, num_nodes: 6}\n";
  const auto imported = importers::import_text(kRl, recipe, "recipe.yaml");
  EXPECT_EQ(value(imported, "post_training.prompts"), "64");
  EXPECT_EQ(value(imported, "post_training.max_output_tokens"), "4096");
  EXPECT_EQ(value(imported, "post_training.rollout_nodes"), "2");
  EXPECT_EQ(value(imported, "post_training.max_staleness"), "1");
  EXPECT_EQ(value(imported, "parallelism.tp"), "2");
  EXPECT_EQ(value(imported, "workload.steps"), "80");
  EXPECT_EQ(value(imported, "inference.tp"), "4");
  EXPECT_EQ(value(imported, "cluster.nodes"), "6");
  // What another file tells is asked for, not assumed.
  const auto part = importers::import_text(
      kRl, "defaults: base.yaml\ngrpo: {num_prompts_per_step: 64}\npolicy: {model_name: a/b-8b}\n",
      "part.yaml");
  for (const char* path : {"defaults", "parallelism", "inference.tp", "cluster.nodes"}) {
    EXPECT_TRUE(is_unknown(part, path)) << path;
  }
}

TEST(ImportPostTraining, ASwitchFromOutsideHasNoDefault) {
  const std::string verl =
      "python3 -m verl.trainer.main_ppo data.train_batch_size=8 "
      "actor_rollout_ref.model.path=Qwen/Qwen3-8B ";
  const auto value_of = [](const std::string& text, const char* path) {
    return value(rl(text + "\n"), path);
  };
  const char* reference = "post_training.reference_model";
  EXPECT_EQ(value_of(verl, reference), "~false");
  EXPECT_EQ(value_of(verl + "actor_rollout_ref.actor.use_kl_loss=$KL", reference), "absent");
  EXPECT_EQ(value_of(verl + "actor_rollout_ref.actor.use_kl_loss=$KL "
                            "algorithm.use_kl_in_reward=True",
                     reference),
            "true");
  EXPECT_EQ(value_of(verl + "actor_rollout_ref.model.enable_gradient_checkpointing=$GC",
                     "software.recompute"),
            "absent");
  const std::string open =
      "python3 -m openrlhf.cli.train_ppo_ray --rollout_batch_size 128 --pretrain Qwen/Qwen3-8B ";
  EXPECT_EQ(value_of(open, "software.recompute"), "~none");
  EXPECT_EQ(value_of(open + "--gradient_checkpointing=$GC", "software.recompute"), "absent");
  EXPECT_EQ(value_of(open + "--gradient_checkpointing", "software.recompute"), "full");
  EXPECT_EQ(value_of(open + "--colocate_all_models --deepspeed_enable_sleep",
                     "post_training.offload_trainer"),
            "true");
  EXPECT_EQ(value_of(open + "--colocate_all_models --deepspeed_enable_sleep=$SLEEP",
                     "post_training.offload_trainer"),
            "absent");
  EXPECT_EQ(value_of(open + "--zero_stage $Z", "software.zero_stage"), "absent");
  EXPECT_EQ(value_of(open + "--init_kl_coef $KL", reference), "absent");
}

TEST(ImportPostTraining, SaysWhatNoKeyTells) {
  const std::string verl =
      "python3 -m verl.trainer.main_ppo data.train_batch_size=1073741824 "
      "actor_rollout_ref.rollout.n=1073741824 trainer.total_training_steps=1073741824 "
      "actor_rollout_ref.actor.ppo_mini_batch_size=1 actor_rollout_ref.actor.ppo_epochs=1073741824 "
      "reward.reward_model.enable=True\n";
  const auto imported = rl(verl);
  EXPECT_EQ(value(imported, "workload.steps"), "absent");
  EXPECT_TRUE(is_unknown(imported, "workload.steps"));
  EXPECT_TRUE(is_unknown(imported, "workload.micro_batch"));
  EXPECT_TRUE(is_unknown(imported, "reward_model"));
}

TEST(ImportPostTraining, ReadsLongLinesInOneGo) {
  const std::string key = "python3 -m verl.trainer.main_ppo data.train_batch_size=8 x=";
  EXPECT_EQ(value(rl(key + std::string(std::size_t{3} << 20U, 'y')), "post_training.prompts"), "8");
  std::string merges;
  for (int i = 0; i < 300000; ++i) merges += "<<:";
  const std::string recipe = "grpo: {num_prompts_per_step: 64}\npolicy: {model_name: a/b-8b}\n";
  EXPECT_EQ(value(importers::import_text(kRl, recipe + "x: \"" + merges + "\"\n", "r.yaml"),
                  "post_training.prompts"),
            "64");
}

TEST(ImportPostTraining, RefusesAFileWithoutAnythingThatDecides) {
  EXPECT_NE(refusal(kRl, "grpo:\n  seed: 1\npolicy:\n  precision: bfloat16\n")
                .find("no key of NeMo RL that decides something"),
            std::string::npos);
}

}  // namespace
}  // namespace railwright::test
