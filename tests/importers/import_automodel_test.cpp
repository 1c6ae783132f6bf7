// SPDX-License-Identifier: Apache-2.0
// Recipes of NeMo Automodel.
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "imported.hpp"

namespace railwright::test {
namespace {

const importers::ImportKind kAutomodel("automodel");

TEST(ImportAutomodel, ReadsABenchmarkWithStages) {
  const auto imported = import_sample(kAutomodel, "automodel/gpt-oss-20b-stages.yaml");
  EXPECT_EQ(value(imported, "workload.model"), "~gpt-oss-20b");
  EXPECT_EQ(value(imported, "workload.global_batch"), "512");
  EXPECT_EQ(value(imported, "workload.micro_batch"), "2");  // a piece of the rank's 8
  EXPECT_EQ(value(imported, "workload.sequence_length"), "4096");
  EXPECT_EQ(value(imported, "workload.steps"), "30");
  EXPECT_EQ(value(imported, "parallelism.tp"), "1");
  EXPECT_EQ(value(imported, "parallelism.pp"), "4");
  EXPECT_EQ(value(imported, "parallelism.cp"), "2");
  EXPECT_EQ(value(imported, "parallelism.ep"), "16");
  EXPECT_EQ(value(imported, "parallelism.virtual_stages"), "~2");
  EXPECT_EQ(value(imported, "cluster.nodes"), "8");
  EXPECT_EQ(value(imported, "software.zero_stage"), "3");
  EXPECT_EQ(value(imported, "software.reshard_after_forward"), "~false");
  EXPECT_EQ(value(imported, "software.recompute"), "full");
  EXPECT_EQ(value(imported, "software.precision"), "~bf16");
  EXPECT_EQ(value(imported, "checkpoint.interval_steps"), "absent");
  EXPECT_TRUE(is_unknown(imported, "cluster.node.num_accelerators"));
}

TEST(ImportAutomodel, ReadsAdaptersOnOneNode) {
  const auto imported = import_sample(kAutomodel, "automodel/llama-adapters.yaml");
  EXPECT_EQ(value(imported, "workload.model"), "~llama-3.1-8b");
  EXPECT_EQ(value(imported, "workload.micro_batch"), "4");
  EXPECT_EQ(value(imported, "workload.sequence_length"), "8192");
  EXPECT_EQ(value(imported, "workload.lora.rank"), "16");
  EXPECT_EQ(value(imported, "workload.lora.targets"), "qkv");
  EXPECT_EQ(value(imported, "workload.lora.base"), "nf4");
  EXPECT_EQ(value(imported, "parallelism.tp"), "2");
  EXPECT_EQ(value(imported, "parallelism.pp"), "~1");
  EXPECT_EQ(value(imported, "software.reshard_after_forward"), "~true");
  EXPECT_EQ(value(imported, "software.recompute"), "~none");
  EXPECT_EQ(value(imported, "software.attention"), "unfused");
  EXPECT_EQ(value(imported, "cluster.nodes"), "1");
  EXPECT_EQ(value(imported, "cluster.node.num_accelerators"), "~8");
  EXPECT_EQ(value(imported, "checkpoint.interval_steps"), "100");
}

importers::Imported with(const std::string& more) {
  return importers::import_text(
      kAutomodel, "recipe: TrainFinetuneRecipeForNextTokenPrediction\n" + more, "recipe.yaml");
}

TEST(ImportAutomodel, KnowsWhatItDoesNotKnow) {
  const std::string model =
      "model:\n  _target_: nemo_automodel.NeMoAutoModelForCausalLM.from_config\n";
  const auto smaller = with(model +
                            "  config: {pretrained_model_name_or_path: deepseek-ai/DeepSeek-V3, "
                            "num_hidden_layers: 4}\n");
  EXPECT_TRUE(is_unknown(smaller, "workload"));
  EXPECT_EQ(value(smaller, "workload.model"), "absent");
  const auto open = with(model +
                         "distributed: {tp_size: '${TP}', pp_size: 4, "
                         "pipeline: {pp_schedule: interleaved1f1b, layers_per_stage: 2}}\n");
  EXPECT_EQ(value(open, "parallelism.tp"), "absent");
  EXPECT_EQ(value(open, "parallelism.pp"), "4");
  EXPECT_TRUE(is_unknown(open, "parallelism.virtual_stages"));
  const auto clouds = with(model + "skypilot: {num_nodes: 2, accelerators: 'H100:8'}\n");
  EXPECT_EQ(value(clouds, "cluster.nodes"), "2");
  EXPECT_EQ(value(clouds, "cluster.node.num_accelerators"), "~8");
  const auto narrow = with(model + "  backend: {te_fp8: {recipe: mxfp8}}\n");
  EXPECT_TRUE(is_unknown(narrow, "software.precision"));
  EXPECT_EQ(value(narrow, "software.precision"), "absent");
}

TEST(ImportAutomodel, ReadsWordsAsTheyAreWritten) {
  const std::string model =
      "model: {pretrained_model_name_or_path: meta-llama/Llama-3.1-8B}\n"
      "step_scheduler: {max_steps: 100000, local_batch_size: 1}\n";
  const auto said = with(model +
                         "distributed: {activation_checkpointing: yes, mp_policy: {param_dtype: "
                         "torch.fp16, reduce_dtype: half}}\n"
                         "optimizer: {_target_: torchao.optim.AdamW8bit}\n");
  EXPECT_EQ(value(said, "workload.steps"), "100000");
  EXPECT_EQ(value(said, "software.recompute"), "full");
  EXPECT_EQ(value(said, "software.precision"), "fp16");
  EXPECT_EQ(value(said, "software.gradient_reduce_bytes"), "2");
  EXPECT_EQ(value(said, "software.moment_bytes"), "1");
  const auto open = with(model +
                         "distributed: {strategy: foo, activation_checkpointing: {mode: full}, "
                         "mp_policy: {param_dtype: fp12}}\n"
                         "peft: {peft_fn: lora, target_modules: [q_proj], exclude_modules: "
                         "['*mlp*']}\n");
  for (const char* path : {"software.zero_stage", "software.recompute", "software.precision",
                           "workload.lora.targets"}) {
    EXPECT_TRUE(is_unknown(open, path)) << path;
    EXPECT_EQ(value(open, path), "absent") << path;
  }
  EXPECT_EQ(value(open, "workload.lora.rank"), "~8");
}

// A config.json tells the model; it does not tell that a teacher runs as well.
TEST(ImportAutomodel, AConfigDoesNotTellAnotherJob) {
  const std::string recipe = std::string(::testing::TempDir()) + "automodel_teacher.yaml";
  std::ofstream(recipe) << "recipe: nemo_automodel.KnowledgeDistillationRecipe\n"
                           "model: {pretrained_model_name_or_path: tiiuae/falcon-7b}\n"
                           "step_scheduler: {global_batch_size: 8, local_batch_size: 1}\n"
                           "distributed: {tp_size: 1}\n";
  const auto parts =
      importers::import_files({{kAutomodel, recipe}, {{}, sample("hugging_face/falcon-7b.json")}});
  EXPECT_TRUE(importers::asks_outside(parts));
}

TEST(ImportAutomodel, KnowsOtherRecipes) {
  const std::string model = "model: {_target_: nemo_automodel.X.from_pretrained}\n";
  EXPECT_NE(refusal(kAutomodel, "recipe: TrainEagle3Recipe\n" + model)
                .find("TrainEagle3Recipe trains no language model of its own"),
            std::string::npos);
  const auto images =
      importers::import_text(kAutomodel, "recipe: FinetuneRecipeForVLM\n" + model, "recipe.yaml");
  EXPECT_TRUE(is_unknown(images, "workload"));
  EXPECT_NE(refusal(kAutomodel, "recipe: X\n").find("no recipe of NeMo Automodel"),
            std::string::npos);
}

}  // namespace
}  // namespace railwright::test
