// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "imported.hpp"

namespace railwright::test {
namespace {

const importers::ImportKind kTrainer("trainer");
const importers::ImportKind kAccelerate("accelerate");

TEST(ImportTrainer, ReadsAScriptWithItsArithmetic) {
  const auto imported = import_sample(kTrainer, "trainer/torchrun.sh");
  EXPECT_EQ(value(imported, "cluster.nodes"), "4");
  EXPECT_EQ(value(imported, "cluster.node.num_accelerators"), "~8");
  EXPECT_EQ(value(imported, "workload.model"), "~llama-3.1-8b");
  EXPECT_EQ(value(imported, "workload.micro_batch"), "2");
  EXPECT_EQ(value(imported, "workload.global_batch"), "~128");  // 2 * 2 * 32 ranks
  EXPECT_EQ(value(imported, "workload.sequence_length"), "8192");
  EXPECT_EQ(value(imported, "workload.steps"), "1000");
  EXPECT_EQ(value(imported, "checkpoint.interval_steps"), "200");
  EXPECT_EQ(value(imported, "software.precision"), "bf16");
  EXPECT_EQ(value(imported, "software.recompute"), "full");
  EXPECT_EQ(value(imported, "software.attention"), "fused");
  EXPECT_EQ(value(imported, "parallelism.tp"), "~1");
  EXPECT_EQ(value(imported, "software.zero_stage"), "absent");
  EXPECT_TRUE(is_unknown(imported, "software.zero_stage"));
  EXPECT_EQ(not_expressed(imported),
            "variable MODEL meta-llama/Llama-3.1-8B, its default in the script\n");
}

TEST(ImportTrainer, TakesZeroFromTheJsonBesideIt) {
  const std::string json = std::string(::testing::TempDir()) + "trainer_zero3.json";
  std::ofstream(json) << R"({"zero_optimization": {"stage": 3}, "bf16": {"enabled": true}})";
  auto parts = importers::import_files({{{}, sample("trainer/torchrun.sh")}, {{}, json}});
  EXPECT_EQ(core::find_path(parts.tree, "software.zero_stage")->text, "3");
  EXPECT_FALSE(importers::asks_outside(parts));
  parts = importers::import_files({{{}, sample("trainer/torchrun.sh")}});
  EXPECT_TRUE(importers::asks_outside(parts));
}

TEST(ImportTrainer, TakesAScriptWithoutShardingForReplicas) {
  const auto imported = import_sample(kTrainer, "trainer/ddp.sh");
  EXPECT_EQ(value(imported, "software.zero_stage"), "~0");
  EXPECT_EQ(value(imported, "software.bucket"), "52.4288 MB");
  EXPECT_EQ(value(imported, "software.recompute"), "~none");
  EXPECT_EQ(value(imported, "workload.model"), "~llama-2-7b");
  EXPECT_EQ(value(imported, "workload.global_batch"), "~32");
  EXPECT_EQ(value(imported, "workload.sequence_length"), "~4096");
}

TEST(ImportTrainer, ReadsLlamaFactory) {
  const auto imported = import_sample(kTrainer, "trainer/llama-factory.yaml");
  EXPECT_EQ(value(imported, "workload.model"), "~qwen3-8b");
  EXPECT_EQ(value(imported, "workload.lora.rank"), "16");
  EXPECT_EQ(value(imported, "workload.lora.targets"), "attention");
  EXPECT_EQ(value(imported, "workload.sequence_length"), "4096");
  EXPECT_EQ(value(imported, "software.recompute"), "~full");
  EXPECT_EQ(value(imported, "software.fused_loss"), "true");
  EXPECT_EQ(value(imported, "software.elementwise"), "fused");
  EXPECT_TRUE(is_unknown(imported, "workload.global_batch"));
  EXPECT_TRUE(is_unknown(imported, "software.zero_stage"));
}

TEST(ImportTrainer, KnowsThatAnotherOptimizerIsSwitchedOn) {
  const auto imported = importers::import_text(
      kTrainer,
      "model_name_or_path: org/Qwen3-8B\nfinetuning_type: full\nuse_galore: true\n"
      "per_device_train_batch_size: 1\noptim: adamw_torch\n",
      "file");
  EXPECT_TRUE(is_unknown(imported, "software.optimizer"));
}

TEST(ImportTrainer, ReadsMuonAndFrozenLayers) {
  const auto of = [](const std::string& lines) {
    return importers::import_text(kTrainer,
                                  "model_name_or_path: org/Qwen3-8B\n"
                                  "per_device_train_batch_size: 1\n" +
                                      lines,
                                  "file");
  };
  EXPECT_EQ(value(of("finetuning_type: full\nuse_muon: true\n"), "software.optimizer"), "muon");
  EXPECT_EQ(value(of("finetuning_type: full\noptim: muon\n"), "software.optimizer"), "muon");
  const auto upper = of("finetuning_type: freeze\nfreeze_trainable_layers: 4\n");
  EXPECT_TRUE(is_unknown(upper, "workload.frozen_layers"));
}

TEST(ImportTrainer, ReadsAxolotl) {
  const auto imported = import_sample(kTrainer, "trainer/axolotl.yaml");
  EXPECT_EQ(value(imported, "workload.sequence_length"), "8192");
  EXPECT_EQ(value(imported, "workload.micro_batch"), "2");
  EXPECT_EQ(value(imported, "workload.lora.rank"), "absent");
  EXPECT_EQ(value(imported, "software.precision"), "~bf16");
  EXPECT_EQ(value(imported, "software.zero_stage"), "3");
  EXPECT_EQ(value(imported, "parallelism.cp"), "2");
  EXPECT_EQ(value(imported, "software.optimizer"), "adam");
  EXPECT_EQ(value(imported, "software.moment_bytes"), "1");
  EXPECT_TRUE(is_unknown(imported, "parallelism.zero_group"));
  const std::string rest = not_expressed(imported);
  EXPECT_NE(rest.find("paged_adamw_8bit"), std::string::npos);
  EXPECT_NE(rest.find("fsdp_offload_params"), std::string::npos);
  EXPECT_NE(rest.find("made_up_key: passed over"), std::string::npos);
  EXPECT_EQ(rest.find("state_dict"), std::string::npos);
}

TEST(ImportTrainer, LeavesToTheOutsideWhatIsSetThere) {
  const auto imported = import_sample(kTrainer, "trainer/swift.sh");
  EXPECT_EQ(value(imported, "workload.sequence_length"), "absent");
  EXPECT_TRUE(is_unknown(imported, "--max_length"));
  EXPECT_EQ(value(imported, "software.zero_stage"), "2");
  EXPECT_EQ(value(imported, "workload.lora.rank"), "~8");
  EXPECT_EQ(value(imported, "workload.lora.targets"), "all");
  EXPECT_EQ(value(imported, "cluster.node.num_accelerators"), "~2");
}

TEST(ImportTrainer, SaysThatAPreferenceStepIsMoreThanOneModel) {
  const auto imported = import_sample(kTrainer, "trainer/preference.yaml");
  EXPECT_TRUE(is_unknown(imported, "workload"));
  EXPECT_EQ(value(imported, "workload.lora.rank"), "64");
  EXPECT_EQ(value(imported, "workload.lora.targets"), "~qkv");
  EXPECT_EQ(value(imported, "workload.lora.base"), "nf4");
  EXPECT_EQ(value(imported, "software.zero_stage"), "absent");
}

TEST(ImportTrainer, ReadsArgumentsAsJson) {
  const auto json = [](const std::string& more) {
    const std::string text = R"({"output_dir": "o", "model_name_or_path": "Qwen/Qwen2-7B", )"
                             R"("per_device_train_batch_size": 2, "lora_rank": 64)" +
                             more + "}";
    EXPECT_EQ(importers::detect_import_kind(text), kTrainer);
    return importers::import_text(kTrainer, text, "args.json");
  };
  const auto quantized = json(R"(, "train_mode": "qlora", "bf16": true)");
  EXPECT_EQ(value(quantized, "workload.micro_batch"), "2");
  EXPECT_EQ(value(quantized, "workload.lora.rank"), "64");
  EXPECT_EQ(value(quantized, "workload.lora.base"), "nf4");
  EXPECT_EQ(value(quantized, "software.precision"), "bf16");
  // Adapters of a rank, and no word for whether they are used.
  EXPECT_TRUE(is_unknown(json(""), "workload.lora"));
}

TEST(ImportTrainer, RefusesAFileWithoutItsArguments) {
  EXPECT_NE(refusal(kTrainer, "python train.py --epochs 3\n").find("no argument of a trainer"),
            std::string::npos);
  EXPECT_NE(
      refusal(kTrainer, "per_device_train_batch_size: many\n").find("expected a whole number"),
      std::string::npos);
}

TEST(ImportTrainer, DropsNamesThatTheCatalogueDoesNotHave) {
  auto parts = importers::import_files({{{}, sample("trainer/preference.yaml")}});
  importers::drop_names_without_entry(parts,
                                      core::Catalogue({RAILWRIGHT_SOURCE_DIR "/models/catalogue"}));
  EXPECT_EQ(core::find_path(parts.tree, "workload.model"), nullptr);
  EXPECT_NE(core::find_path(parts.tree, "workload.micro_batch"), nullptr);
  EXPECT_TRUE(importers::asks_outside(parts));
  EXPECT_NE(importers::import_notes(parts).find("no 'unpublished-model'"), std::string::npos);
}

TEST(ImportAccelerate, ReadsFsdp) {
  const auto imported = import_sample(kAccelerate, "accelerate/fsdp.yaml");
  EXPECT_EQ(value(imported, "cluster.nodes"), "2");
  EXPECT_EQ(value(imported, "cluster.node.num_accelerators"), "~8");
  EXPECT_EQ(value(imported, "software.precision"), "bf16");
  EXPECT_EQ(value(imported, "software.zero_stage"), "3");
  EXPECT_EQ(value(imported, "software.reshard_after_forward"), "false");
  EXPECT_EQ(value(imported, "software.recompute"), "full");
  EXPECT_EQ(not_expressed(imported),
            "fsdp_config.fsdp_backward_prefetch no_prefetch: gathers wait for their layer\n");
}

TEST(ImportAccelerate, ReadsZeroAndLeavesATemplateToTheOutside) {
  const auto imported = import_sample(kAccelerate, "accelerate/zero-3.yaml");
  EXPECT_EQ(value(imported, "software.zero_stage"), "3");
  EXPECT_TRUE(is_unknown(imported, "num_processes"));
  EXPECT_TRUE(is_unknown(imported, "software.precision"));
  EXPECT_EQ(value(imported, "cluster.node.num_accelerators"), "absent");
  EXPECT_NE(not_expressed(imported).find("offload_optimizer_device cpu"), std::string::npos);
}

TEST(ImportAccelerate, RefusesOtherKinds) {
  EXPECT_NE(refusal(kAccelerate, "mixed_precision: bf16\n").find("no configuration of accelerate"),
            std::string::npos);
  EXPECT_NE(refusal(kAccelerate, "distributed_type: XLA\nmixed_precision: bf16\n")
                .find("xla is not described"),
            std::string::npos);
  EXPECT_NE(refusal(kAccelerate,
                    "distributed_type: FSDP\nmixed_precision: bf16\nnum_machines: 3\n"
                    "num_processes: 8\n")
                .find("num_processes 8 do not divide over 3 nodes"),
            std::string::npos);
}

TEST(ImportTrainer, AProgramThatGeneratesOrComparesIsMoreThanATraining) {
  const auto script = [](const std::string& program) {
    return importers::import_text(
        importers::ImportKind("trainer"),
        "accelerate launch " + program +
            " --model_name_or_path Qwen/Qwen3-8B --per_device_train_batch_size 1 --bf16\n",
        "run.sh");
  };
  const auto has_more_passes = [](const importers::Imported& imported) {
    return std::ranges::any_of(imported.not_known, [](const importers::NotKnown& one) {
      return one.is_outside && (one.reason.find("more passes") != std::string::npos ||
                                one.reason.find("answers are") != std::string::npos);
    });
  };
  for (const char* program : {"open_instruct/grpo_fast.py", "run_dpo.py", "-m site.reward_model",
                              "train.py --num_unique_prompts_rollout 8", "train.py --beta 0.1"}) {
    EXPECT_TRUE(has_more_passes(script(program))) << program;
  }
  // Letters within a word, and folders.
  for (const char* program :
       {"train_sft.py", "support_sft.py", "corpora/train.py", "R1-Distill-7B/train.py"}) {
    EXPECT_FALSE(has_more_passes(script(program))) << program;
  }
}

TEST(ImportTrainer, AFrozenBaseInFourBitsIsQlora) {
  const auto imported = importers::import_text(
      importers::ImportKind("trainer"),
      "model_name_or_path: Qwen/Qwen3-8B\nper_device_train_batch_size: 1\nlearning_rate: 1e-5\n"
      "finetuning_type: lora\nlora_rank: 16\nquantization_bit: 4\n",
      "file");
  EXPECT_EQ(value(imported, "workload.lora.base"), "nf4");
}

}  // namespace
}  // namespace railwright::test
