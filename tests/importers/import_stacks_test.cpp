// SPDX-License-Identifier: Apache-2.0
// GPT-NeoX, nanotron, torchtune, MaxText, Primus, MLPerf and
// Megatron-Bridge.
#include <gtest/gtest.h>

#include <string>

#include "imported.hpp"

namespace railwright::test {
namespace {

const importers::ImportKind kNeox("gpt-neox");
const importers::ImportKind kNanotron("nanotron");
const importers::ImportKind kTorchtune("torchtune");
const importers::ImportKind kMaxtext("maxtext");
const importers::ImportKind kPrimus("primus");
const importers::ImportKind kMlperf("mlperf");
const importers::ImportKind kBridge("megatron-bridge");

bool holds(const std::string& text, const std::string& what) {
  return text.find(what) != std::string::npos;
}

TEST(ImportGptNeox, ReadsThe20BModelWithHyphens) {
  const auto imported = import_sample(kNeox, "gpt_neox/20b.yml");
  const auto* const model = find(imported, "workload.model");
  ASSERT_NE(model, nullptr);
  EXPECT_TRUE(holds(model->origin, "(20,554,567,680)")) << model->origin;
  EXPECT_EQ(value(imported, "parallelism.tp"), "2");
  EXPECT_EQ(value(imported, "parallelism.pp"), "4");
  EXPECT_EQ(value(imported, "cluster.nodes"), "12");
  EXPECT_EQ(value(imported, "workload.steps"), "150000");
  EXPECT_EQ(value(imported, "software.zero_stage"), "1");
  EXPECT_EQ(value(imported, "software.bucket"), "~2.52 GB");
  EXPECT_EQ(value(imported, "software.overlap_gradient_reduce"), "true");
  EXPECT_EQ(value(imported, "software.recompute"), "full");
  EXPECT_EQ(value(imported, "software.attention"), "~unfused");
  EXPECT_EQ(value(imported, "software.dropout"), "false");
  EXPECT_EQ(value(imported, "software.precision"), "fp16");
  EXPECT_EQ(value(imported, "checkpoint.interval_steps"), "500");
  EXPECT_EQ(value(imported, "workload.global_batch"), "~1536");  // 4 * 32 on 96 / 8 ranks
  EXPECT_TRUE(holds(not_expressed(imported), "gpt_j_residual"));
  EXPECT_TRUE(holds(not_expressed(imported), "made_up: passed over"));
}

TEST(ImportGptNeox, TakesAThirdOfAGatedWidth) {
  const auto imported = import_sample(kNeox, "gpt_neox/gated.yml");
  EXPECT_EQ(value(imported, "parallelism.pp"), "1");
  EXPECT_EQ(value(imported, "workload.model.ffn_size"), "11008");
  EXPECT_EQ(value(imported, "workload.model.gated_ffn"), "true");
  EXPECT_TRUE(is_unknown(imported, "workload.model.vocabulary_size"));
  EXPECT_TRUE(is_unknown(imported, "workload"));  // a preference step
  EXPECT_EQ(value(imported, "software.attention"), "fused");
}

TEST(ImportGptNeox, ReadsWideReductionsAndFp8) {
  const auto imported = importers::import_text(
      kNeox,
      "num_layers: 2\nhidden_size: 64\nnum_attention_heads: 2\nfp32_allreduce: true\n"
      "te_fp8_format: hybrid\nprecision: bfloat16\n",
      "file");
  EXPECT_EQ(value(imported, "software.gradient_reduce_bytes"), "4");
  EXPECT_EQ(value(imported, "software.precision"), "fp8");
}

TEST(ImportGptNeox, RefusesOtherLayers) {
  EXPECT_TRUE(holds(refusal(kNeox,
                            "{pipe_parallel_size: 1, num_layers: 2, hidden_size: 64, "
                            "num_attention_heads: 2, attention_config: [[[mamba], 2]]}"),
                    "layers of mamba"));
  EXPECT_TRUE(holds(refusal(kNeox, "{seq_length: 5}"), "no configuration of GPT-NeoX"));
}

TEST(ImportNanotron, ReadsALlama) {
  const auto imported = import_sample(kNanotron, "nanotron/llama.yaml");
  const auto* const model = find(imported, "workload.model");
  ASSERT_NE(model, nullptr);
  EXPECT_TRUE(holds(model->origin, "(1,235,814,400)")) << model->origin;  // Llama 3.2 1B
  EXPECT_EQ(value(imported, "workload.global_batch"), "256");
  EXPECT_EQ(value(imported, "parallelism.sequence_parallel"), "true");
  EXPECT_EQ(value(imported, "parallelism.schedule"), "1f1b");
  EXPECT_EQ(value(imported, "software.zero_stage"), "1");
  EXPECT_EQ(value(imported, "software.gradient_reduce_bytes"), "4");
  EXPECT_EQ(value(imported, "software.bucket"), "26.2144 MB");
  EXPECT_EQ(value(imported, "software.overlap_tensor_parallel"), "true");
  EXPECT_EQ(value(imported, "software.recompute"), "~none");
  EXPECT_TRUE(is_unknown(imported, "cluster.nodes"));
  EXPECT_EQ(not_expressed(imported), "");
}

TEST(ImportNanotron, TakesNoShapeOfAnotherModel) {
  const auto imported =
      importers::import_text(kNanotron,
                             "parallelism: {dp: 1, pp: 1, tp: 1}\ntokens: {micro_batch_size: 1}\n"
                             "model: {model_config: {d_model: 64, is_mamba_config: true}}\n",
                             "x");
  EXPECT_TRUE(is_unknown(imported, "workload.model"));
  EXPECT_TRUE(holds(refusal(kNanotron, "tokens: {}\n"), "no configuration of nanotron"));
}

TEST(ImportTorchtune, ReadsAnAdapter) {
  const auto imported = import_sample(kTorchtune, "torchtune/lora.yaml");
  EXPECT_EQ(value(imported, "workload.model"), "~qwen2.5-7b");
  EXPECT_EQ(value(imported, "workload.lora.rank"), "32");
  EXPECT_EQ(value(imported, "workload.lora.targets"), "~all");
  EXPECT_EQ(value(imported, "workload.sequence_length"), "4096");
  EXPECT_EQ(value(imported, "parallelism.tp"), "2");
  EXPECT_EQ(value(imported, "software.loss_copies"), "false");
  EXPECT_EQ(value(imported, "software.elementwise"), "fused");
  EXPECT_EQ(value(imported, "software.recompute"), "full");
  EXPECT_TRUE(holds(not_expressed(imported), "enable_activation_offloading"));
  EXPECT_TRUE(holds(refusal(kTorchtune, "seed: 1\n"), "no configuration of torchtune"));
  EXPECT_TRUE(holds(refusal(kTorchtune, "batch_size: 8\ntasks: [x]\nmodel: {_component_: a.b}\n"),
                    "trains nothing"));
}

TEST(ImportMaxtext, ReadsArgumentsInAVariable) {
  const auto imported = import_sample(kMaxtext, "maxtext/run.sh");
  EXPECT_EQ(value(imported, "workload.model"), "~llama-3.1-70b");
  EXPECT_EQ(value(imported, "workload.sequence_length"), "8192");
  EXPECT_EQ(value(imported, "workload.steps"), "30");
  EXPECT_EQ(value(imported, "parallelism.tp"), "4");
  EXPECT_EQ(value(imported, "workload.micro_batch"), "2");  // 0.5 on 4 devices
  EXPECT_EQ(value(imported, "software.model"), "~maxtext");
  EXPECT_EQ(value(imported, "software.precision"), "fp8");
  EXPECT_EQ(value(imported, "software.recompute"), "~elementwise");
  EXPECT_TRUE(is_unknown(imported, "dcn_data_parallelism"));
}

TEST(ImportMaxtext, ReadsAShape) {
  const auto imported = import_sample(kMaxtext, "maxtext/small.yml");
  const auto* const model = find(imported, "workload.model");
  ASSERT_NE(model, nullptr);
  EXPECT_TRUE(holds(model->origin, "(1,590,790,144)")) << model->origin;
  EXPECT_EQ(value(imported, "parallelism.cp"), "2");
  EXPECT_EQ(value(imported, "parallelism.zero_group"), "8");
  EXPECT_EQ(value(imported, "software.recompute"), "all_but_qkv");
  EXPECT_TRUE(holds(not_expressed(imported), "megablox"));
  EXPECT_TRUE(
      holds(refusal(kMaxtext, "steps: 5\nbase_config: base.yml\n"), "no configuration of MaxText"));
}

TEST(ImportMaxtext, RefusesAScriptThatTrainsNothing) {
  const std::string options = " per_device_batch_size=1 max_target_length=2048 model_name=gemma-2b";
  EXPECT_TRUE(
      holds(refusal(kMaxtext, "python3 -m MaxText.decode base.yml" + options), "trains nothing"));
  EXPECT_EQ(refusal(kMaxtext, "python3 -m MaxText.train base.yml" + options), "");
}

TEST(ImportPrimus, ReadsByTheStackItDrives) {
  const auto megatron = import_sample(kPrimus, "primus/megatron.yaml");
  EXPECT_EQ(value(megatron, "workload.model"), "~llama-3.1-70b");
  EXPECT_EQ(value(megatron, "workload.micro_batch"), "2");
  EXPECT_EQ(value(megatron, "parallelism.tp"), "8");
  EXPECT_EQ(value(megatron, "parallelism.sequence_parallel"), "true");
  EXPECT_EQ(value(megatron, "software.precision"), "fp8");
  EXPECT_EQ(value(megatron, "software.recompute"), "~none");
  EXPECT_TRUE(holds(not_expressed(megatron), "${MICRO:2}: its default 2"));
  EXPECT_TRUE(holds(not_expressed(megatron), "use_turbo_attention: passed over"));

  const auto titan = import_sample(kPrimus, "primus/torchtitan.yaml");
  EXPECT_EQ(value(titan, "workload.model"), "~qwen3-32b");
  EXPECT_EQ(value(titan, "software.recompute"), "none");
  EXPECT_EQ(value(titan, "parallelism.tp"), "absent");
  EXPECT_TRUE(is_unknown(titan, "parallelism.tensor_parallel_degree"));

  const auto maxtext = import_sample(kPrimus, "primus/maxtext.yaml");
  EXPECT_EQ(value(maxtext, "workload.model"), "~mixtral-8x7b");
  EXPECT_TRUE(is_unknown(maxtext, "parallelism.ep"));
}

TEST(ImportPrimus, ReadsItsOwnKernelsAndAdapters) {
  const auto of = [](const std::string& framework, const std::string& model,
                     const std::string& overrides) {
    return "modules: {pre_trainer: {framework: " + framework + ", model: " + model +
           ", overrides: {" + overrides + "}}}";
  };
  const auto read = [&](const std::string& text) {
    return importers::import_text(kPrimus, text, "file");
  };
  const auto turbo = read(of("megatron", "mixtral_8x7B.yaml",
                             "seq_length: 4096, use_turbo_deepep: true, "
                             "moe_token_dispatcher_type: alltoall"));
  EXPECT_EQ(value(turbo, "software.expert_dispatcher"), "deepep");
  const auto lora = read(of("megatron", "llama3_8B.yaml",
                            "seq_length: 4096, fp4: e2m1, lora: {enabled: true, dim: 32, "
                            "target_modules: [linear_qkv, linear_proj]}"));
  EXPECT_EQ(value(lora, "workload.lora.rank"), "32");
  EXPECT_EQ(value(lora, "workload.lora.targets"), "attention");
  EXPECT_EQ(value(lora, "software.precision"), "fp4");
  const auto titan = read(of("torchtitan", "llama3.1_8B-fp8.yaml", "training: {seq_len: 8192}"));
  EXPECT_EQ(value(titan, "software.precision"), "~fp8");
  EXPECT_TRUE(holds(refusal(kPrimus, of("megatron", "flux_12b.yaml",
                                        "seq_length: 512, vae_scale: 0.3, micro_batch_size: 1")),
                    "diffusion model"));
}

TEST(ImportPrimus, LeavesTheDefaultsOfARecipeToTheOutside) {
  const auto imported = import_sample(kPrimus, "primus/bridge.yaml");
  EXPECT_EQ(value(imported, "parallelism.tp"), "2");
  EXPECT_EQ(value(imported, "parallelism.pp"), "absent");
  EXPECT_EQ(value(imported, "software.model"), "~megatron-bridge-26.06");
  EXPECT_TRUE(is_unknown(imported, "software.recompute"));
  EXPECT_TRUE(holds(refusal(kPrimus,
                            "modules: {pre_trainer: {framework: diffusion, "
                            "overrides: {a: 1}}}"),
                    "framework diffusion"));
  EXPECT_TRUE(holds(refusal(kPrimus, "modules: 3\n"), "no experiment of Primus"));
}

TEST(ImportMlperf, ReadsVariables) {
  const auto imported =
      import_sample(kMlperf, "mlperf/llama2_70b_lora_nemo/config_8x8x1xtp4pp1cp2.sh");
  EXPECT_EQ(value(imported, "workload.model"), "~llama-2-70b");
  EXPECT_EQ(value(imported, "workload.sequence_length"), "~8192");
  EXPECT_EQ(value(imported, "workload.lora.rank"), "~16");
  EXPECT_EQ(value(imported, "cluster.nodes"), "8");
  EXPECT_EQ(value(imported, "parallelism.tp"), "4");
  EXPECT_EQ(value(imported, "parallelism.pp"), "1");
  EXPECT_EQ(value(imported, "parallelism.cp"), "2");
  EXPECT_EQ(value(imported, "workload.micro_batch"), "1");
  EXPECT_EQ(value(imported, "workload.global_batch"), "~8");  // 64 / (4 * 2) ranks
  EXPECT_EQ(value(imported, "workload.steps"), "800");
  EXPECT_EQ(value(imported, "software.model"), "~nemo-24.09");
  EXPECT_EQ(value(imported, "software.precision"), "fp8");
  EXPECT_EQ(value(imported, "software.attention"), "~fused_native");
  EXPECT_TRUE(holds(not_expressed(imported), "MADE_UP: passed over"));
  EXPECT_TRUE(holds(not_expressed(imported), "config_common.sh: import it too"));
}

TEST(ImportMlperf, LeavesToOtherFilesWhatTheyTell) {
  const auto common = import_sample(kMlperf, "mlperf/config_common.sh");
  EXPECT_TRUE(is_unknown(common, "workload.model"));
  EXPECT_TRUE(is_unknown(common, "parallelism.pp"));
  EXPECT_TRUE(is_unknown(common, "TENSOR_MODEL_PARALLEL"));
  EXPECT_EQ(value(common, "software.zero_stage"), "1");
  const auto parts = importers::import_files(
      {{kMlperf, sample("mlperf/config_common.sh")},
       {kMlperf, sample("mlperf/llama2_70b_lora_nemo/config_8x8x1xtp4pp1cp2.sh")}});
  EXPECT_EQ(core::find_path(parts.tree, "software.parameter_gather_bytes")->text, "1");
  EXPECT_TRUE(holds(refusal(kMlperf, "export DGXNNODES=4\nexport BATCHSIZE=8\n"),
                    "no configuration of a language model"));
  EXPECT_THROW(importers::import_text(kMlperf, "export USE_DIST_OPTIMIZER=True\n",
                                      "benchmarks/stable_diffusion/nemo/config_common.sh"),
               core::ConfigError);
}

TEST(ImportMegatronBridge, ReadsOverridesAndLeavesTheRestToTheRecipe) {
  const auto imported = import_sample(kBridge, "megatron_bridge/overrides.yaml");
  EXPECT_EQ(value(imported, "parallelism.tp"), "4");
  EXPECT_EQ(value(imported, "parallelism.pp"), "2");
  EXPECT_EQ(value(imported, "parallelism.cp"), "absent");
  EXPECT_EQ(value(imported, "workload.global_batch"), "64");
  EXPECT_EQ(value(imported, "workload.steps"), "600");
  EXPECT_EQ(value(imported, "software.precision"), "fp8");
  EXPECT_EQ(value(imported, "software.gradient_reduce_bytes"), "4");
  EXPECT_EQ(value(imported, "software.fused_loss"), "true");
  EXPECT_EQ(value(imported, "checkpoint.interval_steps"), "50");
  EXPECT_EQ(value(imported, "software.model"), "~megatron-bridge-26.06");
  EXPECT_TRUE(is_unknown(imported, "software.recompute"));
  EXPECT_TRUE(is_unknown(imported, "workload.model"));
}

TEST(ImportMegatronBridge, ReadsListsAndFourBits) {
  const auto imported = importers::import_text(
      kBridge,
      "mixed_precision: bf16_with_nvfp4_mixed\n"
      "train:\n  global_batch_size: 8\n"
      "model:\n  tensor_model_parallel_size: 1\n  context_parallel_size: 4\n"
      "  cp_comm_type: a2a+p2p\n  hierarchical_context_parallel_sizes: [2, 2]\n"
      "  recompute_granularity: selective\n  recompute_modules: [mlp]\n  made_up: [1]\n",
      "file");
  EXPECT_EQ(value(imported, "software.precision"), "fp4");
  EXPECT_EQ(value(imported, "software.context_exchange"), "all_to_all_ring");
  EXPECT_EQ(value(imported, "software.context_swap_ranks"), "2");
  EXPECT_EQ(value(imported, "software.recompute_modules"), "[feed_forward]");
  EXPECT_NE(not_expressed(imported).find("made_up"), std::string::npos);
}

TEST(ImportMegatronBridge, ReadsARecipeInPython) {
  const auto imported = import_sample(kBridge, "megatron_bridge/recipe.py");
  EXPECT_EQ(value(imported, "parallelism.tp"), "4");
  EXPECT_EQ(value(imported, "parallelism.cp"), "2");
  EXPECT_EQ(value(imported, "workload.sequence_length"), "8192");
  EXPECT_EQ(value(imported, "workload.global_batch"), "256");
  EXPECT_EQ(value(imported, "workload.micro_batch"), "1");
  EXPECT_EQ(value(imported, "software.overlap_tensor_parallel"), "false");
  EXPECT_EQ(value(imported, "workload.model"), "~llama-3.1-70b");
  // Arithmetic and a branch are not run.
  EXPECT_EQ(value(imported, "parallelism.pp"), "absent");
  EXPECT_EQ(value(imported, "software.recompute"), "absent");
  bool asks_stages = false;
  for (const auto& one : imported.not_known) {
    asks_stages =
        asks_stages || (one.is_outside && one.path == "model.pipeline_model_parallel_size");
  }
  EXPECT_TRUE(asks_stages);
}

TEST(ImportMegatronBridge, RefusesPythonThatItCannotRead) {
  const std::string head = "from x import ConfigContainer\n";
  const auto function = [](const char* name) {
    return std::string("def ") + name +
           "() -> ConfigContainer:\n    cfg = base()\n    cfg.train.micro_batch_size = 1\n";
  };
  EXPECT_NE(
      refusal(kBridge, head + function("a_config") + function("b_config")).find("2 recipes in it"),
      std::string::npos);
  EXPECT_NE(refusal(kBridge, head + "def a_config():\n    cfg = base(\n    cfg.x = 1\n")
                .find("a bracket that never ends"),
            std::string::npos);
  EXPECT_NE(refusal(kBridge, head + function("a_config") + "    cfg.x = 'y\n")
                .find("file:5:1: a string that never ends"),
            std::string::npos);
  EXPECT_NE(
      refusal(kBridge, head + "def a():\n    cfg.train.micro_batch_size = 1\n").find("no function"),
      std::string::npos);
}

TEST(ImportMegatronBridge, ReadsTheWordsOfAScript) {
  const auto imported = import_sample(kBridge, "megatron_bridge/recipe.sh");
  EXPECT_EQ(value(imported, "workload.model"), "~llama-3.2-3b");
  EXPECT_EQ(value(imported, "workload.micro_batch"), "2");
  EXPECT_EQ(value(imported, "parallelism.tp"), "2");
  EXPECT_EQ(value(imported, "parallelism.pp"), "absent");
  EXPECT_EQ(value(imported, "cluster.nodes"), "2");
  EXPECT_EQ(value(imported, "cluster.node.num_accelerators"), "~8");
  EXPECT_TRUE(is_unknown(imported, "--model.pipeline_model_parallel_size"));
  EXPECT_TRUE(holds(refusal(kBridge, "run_recipe.py logger.log_interval=1\n"),
                    "no override of Megatron-Bridge"));
}

TEST(ImportMegatronBridge, ReadsWhatMsSwiftTrainsByMegatron) {
  const auto imported = import_sample(kBridge, "megatron_bridge/swift.sh");
  EXPECT_EQ(value(imported, "workload.model"), "~qwen3-30b-a3b");
  EXPECT_EQ(value(imported, "workload.lora.rank"), "16");
  EXPECT_EQ(value(imported, "workload.lora.targets"), "~all");
  EXPECT_EQ(value(imported, "workload.micro_batch"), "1");
  EXPECT_EQ(value(imported, "workload.global_batch"), "32");
  EXPECT_EQ(value(imported, "workload.sequence_length"), "4096");
  EXPECT_EQ(value(imported, "parallelism.ep"), "4");
  EXPECT_EQ(value(imported, "software.recompute"), "full");
  EXPECT_EQ(value(imported, "software.model"), "~megatron-core-0.12");
  EXPECT_EQ(value(imported, "cluster.node.num_accelerators"), "~4");
  EXPECT_EQ(value(imported, "checkpoint.interval_steps"), "200");
}

}  // namespace
}  // namespace railwright::test
