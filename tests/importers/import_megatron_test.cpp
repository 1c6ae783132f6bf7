// SPDX-License-Identifier: Apache-2.0
// Arguments of Megatron-LM and recipes of NeMo, which are read in the same words.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "imported.hpp"
#include "railwright/core/config/reader.hpp"
#include "railwright/models/workload/layers.hpp"
#include "railwright/models/workload/transformer.hpp"
#include "railwright/models/workload/transformer_fields.hpp"

namespace railwright::test {
namespace {

const importers::ImportKind kMegatron("megatron");

std::int64_t parameters_of(const importers::Imported& imported) {
  core::Reader reader;
  models::Transformer model;
  reader.read(find(imported, "workload.model")->value, "workload.model", model);
  reader.throw_if_any();
  return models::num_parameters(model);
}

TEST(ImportMegatron, ReadsAScript) {
  const auto imported = import_sample(kMegatron, "megatron/gpt3-175b-script.txt");
  // 12 l h^2 + 13 l h + (V + s) h + 2 h of arXiv:2104.04473, V padded to 50 * 1024
  EXPECT_EQ(parameters_of(imported),
            12LL * 96 * 12288 * 12288 + 13LL * 96 * 12288 + (51200LL + 2048) * 12288 + 2LL * 12288);
  EXPECT_EQ(value(imported, "parallelism.tp"), "8");
  EXPECT_EQ(value(imported, "parallelism.pp"), "16");
  EXPECT_EQ(value(imported, "parallelism.virtual_stages"), "3");  // 96 / (16 * 2)
  EXPECT_EQ(value(imported, "parallelism.cp"), "~1");
  EXPECT_EQ(value(imported, "workload.global_batch"), "1536");
  EXPECT_EQ(value(imported, "workload.micro_batch"), "1");
  EXPECT_EQ(value(imported, "workload.steps"), "500000");
  EXPECT_EQ(value(imported, "cluster.nodes"), "16");  // through $NUM_NODES
  EXPECT_EQ(value(imported, "software.precision"), "fp16");
  EXPECT_EQ(value(imported, "software.gradient_reduce_bytes"), "~2");
  EXPECT_EQ(value(imported, "software.zero_stage"), "~0");
  EXPECT_EQ(value(imported, "software.attention"), "fused");
  EXPECT_EQ(value(imported, "software.dropout"), "~true");
  EXPECT_EQ(value(imported, "software.overlap_pipeline"), "~true");
  const std::string rest = not_expressed(imported);
  EXPECT_NE(rest.find("rampup_batch_size"), std::string::npos);
  EXPECT_NE(rest.find("made_up_option"), std::string::npos);
  EXPECT_NE(rest.find("variable MBS 1"), std::string::npos);
  EXPECT_EQ(rest.find("lr_decay_style"), std::string::npos);
}

TEST(ImportMegatron, SaysWhichKeysTakeStateToATier) {
  const std::string rest = not_expressed(importers::import_text(
      kMegatron,
      "--num-layers 80 --hidden-size 8 --num-attention-heads 2 --optimizer-cpu-offload "
      "--cpu-offloading-num-layers 40",
      "line"));
  EXPECT_NE(rest.find("software.offload.optimizer names a tier"), std::string::npos) << rest;
  EXPECT_NE(rest.find("activation_share is 40 of all layers"), std::string::npos) << rest;
}

TEST(ImportMegatron, BucketsGrowWithReplicasUnlessTheirSizeIsGiven) {
  const auto imported = [](const std::string& rest) {
    return importers::import_text(
        kMegatron, "--num-layers 2 --hidden-size 8 --num-attention-heads 2 --bf16 " + rest, "line");
  };
  const auto grows = imported("--overlap-grad-reduce");
  EXPECT_EQ(value(grows, "software.bucket"), "~160 MB");  // 4e7 gradients of 4 bytes
  EXPECT_EQ(value(grows, "software.bucket_replica_parameters"), "~1000000");
  const auto given = imported("--overlap-grad-reduce --ddp-bucket-size 100000000");
  EXPECT_EQ(value(given, "software.bucket"), "400 MB");
  EXPECT_EQ(value(given, "software.bucket_replica_parameters"), "0");
  const auto whole = imported("");
  EXPECT_EQ(value(whole, "software.bucket"), "~1 GB");
  EXPECT_EQ(value(whole, "software.bucket_replica_parameters"), "~0");
}

TEST(ImportMegatron, ReadsChunksThatAreNotAlike) {
  const auto of = [](const std::string& rest) {
    return importers::import_text(
        kMegatron, "--num-layers 14 --pipeline-model-parallel-size 4 " + rest, "line");
  };
  const auto layout = of("--pipeline-model-parallel-layout \"Et*2|(tt|)*5,t|tL\"");
  EXPECT_EQ(value(layout, "parallelism.layers_per_chunk"), "[2, 2, 2, 2, 2, 2, 1, 1]");
  EXPECT_EQ(value(layout, "parallelism.virtual_stages"), "2");
  EXPECT_EQ(value(layout, "parallelism.loss_as_layer"), "~false");
  const auto apart = of("--pipeline-model-parallel-layout 'E|(t*7|)*2,mL'");
  EXPECT_EQ(value(apart, "parallelism.layers_per_chunk"), "[1, 7, 7, 1]");
  EXPECT_EQ(value(apart, "parallelism.embedding_as_layer"), "true");
  EXPECT_EQ(value(apart, "parallelism.loss_as_layer"), "true");
  const auto empty = of("--pipeline-model-parallel-layout 'E||t*14|L'");
  EXPECT_EQ(value(empty, "parallelism.layers_per_chunk"), "[1, 0, 14, 1]");
  const auto ends =
      of("--decoder-first-pipeline-num-layers 2 --decoder-last-pipeline-num-layers 4 "
         "--num-virtual-stages-per-pipeline-rank 2");
  EXPECT_EQ(value(ends, "parallelism.layers_per_chunk"), "[1, 2, 2, 2, 1, 2, 2, 2]");
  EXPECT_EQ(value(of("--decoder-last-pipeline-num-layers 2"), "parallelism.layers_per_chunk"),
            "[4, 4, 4, 2]");
  for (const char* refused : {"'Et*14|m|L|'", "'Et*3|(tt|'", "'Ettx|t|t|L'", "'Et*|t|t|L'",
                              "'Et*999999|t|t|L'", "'E|t|L'"}) {
    const auto none = of(std::string("--pipeline-model-parallel-layout ") + refused);
    EXPECT_EQ(value(none, "parallelism.layers_per_chunk"), "absent") << refused;
    EXPECT_NE(not_expressed(none).find("chunks are alike here"), std::string::npos) << refused;
  }
}

TEST(ImportMegatron, ReadsWhatMixturesAre) {
  const auto imported = importers::import_text(
      kMegatron,
      "--num-layers 61 --hidden-size 7168 --num-attention-heads 128 --ffn-hidden-size 18432 "
      "--num-experts 256 --moe-router-topk 8 --moe-router-num-groups 8 --moe-router-group-topk 4 "
      "--moe-ffn-hidden-size 2048 --bf16 "
      "--mtp-num-layers 1 --fp8-format e4m3 --fp8-recipe mxfp8 --moe-permute-fusion "
      "--overlap-moe-expert-parallel-comm "
      "--moe-token-dispatcher-type flex --moe-enable-deepep --no-gradient-accumulation-fusion "
      "--recompute-granularity selective --recompute-modules mla_up_proj moe_act novel",
      "line");
  EXPECT_EQ(value(imported, "workload.model.mtp_layers"), "1");
  EXPECT_EQ(value(imported, "software.expert_dispatcher"), "deepep");
  const auto* experts = find(imported, "workload.model.experts");
  ASSERT_NE(experts, nullptr);
  EXPECT_EQ(experts->value.find("groups")->text, "8");
  EXPECT_EQ(experts->value.find("top_groups")->text, "4");
  EXPECT_EQ(value(imported, "software.fused_permutation"), "true");
  EXPECT_EQ(value(imported, "software.overlap_expert_parallel"), "true");
  EXPECT_EQ(value(imported, "software.fp8_scaling"), "block");
  EXPECT_EQ(value(imported, "software.gradient_accumulation_fusion"), "false");
  EXPECT_EQ(value(imported, "software.recompute"), "selective");
  EXPECT_EQ(value(imported, "software.recompute_modules"),
            "[latent_projections, expert_activation]");
  const std::string rest = not_expressed(imported);
  EXPECT_NE(rest.find("novel"), std::string::npos);
  EXPECT_EQ(rest.find("moe_enable_deepep"), std::string::npos);
}

TEST(ImportMegatron, ReadsWhichLayersHaveExperts) {
  const auto read = [](const std::string& frequency) {
    return importers::import_text(kMegatron,
                                  "--num-layers 6 --hidden-size 512 --num-attention-heads 8 "
                                  "--num-experts 4 --vocab-size 1000 "
                                  "--moe-layer-freq " +
                                      frequency,
                                  "line");
  };
  const auto every_other = read("2");
  EXPECT_EQ(find(every_other, "workload.model")->value.find("experts")->find("every")->text, "2");
  EXPECT_NE(not_expressed(every_other).find("the last layer of each group"), std::string::npos);
  const auto behind = read("'([0]*1+[1]*5)'");
  EXPECT_EQ(find(behind, "workload.model")->value.find("experts")->find("dense_layers")->text, "1");
  EXPECT_NE(not_expressed(read("7")).find("every layer is taken"), std::string::npos);
}

TEST(ImportMegatron, ReadsWhatCudaGraphsHold) {
  const auto graphs = [](const std::string& options) {
    return value(
        importers::import_text(kMegatron, "--num-layers 2 --hidden-size 64 " + options, "line"),
        "software.cuda_graphs");
  };
  EXPECT_EQ(graphs("--cuda-graph-impl none --cuda-graph-scope attn"), "none");
  EXPECT_EQ(graphs("--cuda-graph-impl transformer_engine --cuda-graph-scope attn moe_router"),
            "partial");
  EXPECT_EQ(
      graphs("--cuda-graph-impl transformer_engine --cuda-graph-scope moe_router moe_preprocess"),
      "router");
  EXPECT_EQ(graphs("--cuda-graph-impl local --cuda-graph-scope full_iteration"), "full");
  EXPECT_EQ(graphs("--cuda-graph-impl full_iteration"), "full");
  EXPECT_EQ(graphs("--external-cuda-graph"), "partial");
  EXPECT_EQ(graphs("--enable-cuda-graph --cuda-graph-scope full_iteration"), "full");
}

TEST(ImportMegatron, ReadsHowRanksThatShareASequenceExchange) {
  const auto of = [](const std::string& options) {
    return importers::import_text(
        kMegatron, "--num-layers 2 --hidden-size 64 --context-parallel-size " + options, "line");
  };
  const auto kind = [&](const std::string& options) {
    return value(of(options), "software.context_exchange");
  };
  EXPECT_EQ(kind("8"), "absent");
  EXPECT_EQ(kind("1 --cp-comm-type a2a"), "absent");
  EXPECT_EQ(kind("8 --cp-comm-type p2p"), "ring");
  EXPECT_EQ(kind("8 --cp-comm-type a2a a2a"), "all_to_all");
  EXPECT_EQ(kind("8 --cp-comm-type allgather"), "all_gather");
  const std::string both = "8 --cp-comm-type a2a+p2p";
  EXPECT_EQ(kind(both), "all_to_all_ring");
  EXPECT_EQ(
      value(of(both + " --hierarchical-context-parallel-sizes 2 4"), "software.context_swap_ranks"),
      "2");
  EXPECT_TRUE(is_unknown(of(both), "software.context_swap_ranks"));
  EXPECT_TRUE(is_unknown(of("8 --cp-comm-type p2p a2a"), "software.context_exchange"));
  EXPECT_TRUE(is_unknown(of("8 --cp-comm-type other"), "software.context_exchange"));
}

TEST(ImportMegatron, ReadsNamesOfEarlierReleases) {
  const auto of = [](const std::string& options) {
    return importers::import_text(kMegatron, "--num-layers 24 --hidden-size 2048 " + options,
                                  "line");
  };
  const auto recompute = [&](const std::string& options) {
    return value(of(options), "software.recompute");
  };
  EXPECT_EQ(recompute(""), "~none");
  EXPECT_EQ(recompute("--checkpoint-activations --checkpoint-num-layers 1"), "full");
  EXPECT_EQ(recompute("--checkpoint-num-layers 1"), "~none");
  EXPECT_EQ(recompute("--activations-checkpoint-method uniform"), "full");
  const auto block =
      of("--activations-checkpoint-method block --activations-checkpoint-num-layers 8");
  EXPECT_EQ(value(block, "software.recompute_layers"), "8");
  EXPECT_EQ(value(of("--encoder-seq-length 512"), "workload.sequence_length"), "512");
  const auto first = of("--model-parallel-size 8 --batch-size 4");
  EXPECT_EQ(value(first, "parallelism.tp"), "8");
  EXPECT_EQ(value(first, "workload.micro_batch"), "4");
  EXPECT_TRUE(is_unknown(of("--batch-size $SIZE"), "--batch-size"));
}

TEST(ImportMegatron, ReadsThoseOfMegatronDeepSpeed) {
  const auto of = [](const std::string& options) {
    return importers::import_text(
        kMegatron,
        "deepspeed --num_nodes 4 pretrain_gpt.py --num-layers 24 --hidden-size 2048 "
        "--num-attention-heads 16 --vocab-size 51200 --deepspeed " +
            options,
        "line");
  };
  const auto mixture =
      of("--zero-stage 2 --num-experts 64 --moe-expert-parallel-size 32 --expert-interval 2 "
         "--mlp-type residual");
  EXPECT_EQ(value(mixture, "software.zero_stage"), "2");
  EXPECT_EQ(value(mixture, "parallelism.ep"), "32");
  core::Reader reader;
  models::Transformer model;
  reader.read(find(mixture, "workload.model")->value, "workload.model", model);
  ASSERT_TRUE(model.experts);
  EXPECT_EQ(model.experts->top_k, 1);
  EXPECT_EQ(model.experts->every, 2);
  EXPECT_EQ(model.experts->shared_ffn_size, 8192);
  EXPECT_TRUE(is_unknown(of("--num-experts 1"), "software.zero_stage"));
  EXPECT_EQ(parameters_of(of("--num-experts 1")), parameters_of(of("")));
}

TEST(ImportMegatron, ReadsHybridLayers) {
  const std::string pattern = "M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M-";
  const std::string shape =
      "--hidden-size 4096 --num-attention-heads 32 --group-query-attention --num-query-groups 8 "
      "--ffn-hidden-size 21504 --squared-relu --vocab-size 131072 --disable-bias-linear "
      "--normalization RMSNorm --position-embedding-type none "
      "--untie-embeddings-and-output-weights --is-hybrid-model ";
  const auto of = [&](const std::string& options) {
    return importers::import_text(kMegatron, shape + options, "line");
  };
  for (const char* name : {"--hybrid-override-pattern ", "--hybrid-layer-pattern "}) {
    const auto imported = of(name + pattern);
    EXPECT_NEAR(static_cast<double>(parameters_of(imported)), 8.1e9, 0.05e9);  // Nemotron-H 8B
  }
  EXPECT_TRUE(is_unknown(of("--num-layers 52 --hybrid-attention-ratio 0.08"), "workload.model"));
  EXPECT_TRUE(is_unknown(of("--hybrid-layer-pattern MXM"), "workload.model"));
}

TEST(ImportMegatron, ReadsDeltaNetsAndGates) {
  const std::string shape =
      "--num-layers 48 --hidden-size 2048 --num-attention-heads 16 --group-query-attention "
      "--num-query-groups 2 --kv-channels 256 --ffn-hidden-size 5120 --swiglu --vocab-size 151936 "
      "--make-vocab-size-divisible-by 1 --disable-bias-linear --normalization RMSNorm "
      "--position-embedding-type rope --untie-embeddings-and-output-weights "
      "--num-experts 512 --moe-router-topk 10 --moe-ffn-hidden-size 512 "
      "--moe-shared-expert-intermediate-size 512 --attention-output-gate ";
  const auto of = [&](const std::string& options) {
    return importers::import_text(kMegatron, shape + options, "line");
  };
  const auto imported =
      of("--experimental-attention-variant gated_delta_net --linear-attention-freq 4");
  EXPECT_NEAR(static_cast<double>(parameters_of(imported)), 80e9, 0.8e9);  // Qwen3-Next
  EXPECT_TRUE(is_unknown(of("--experimental-attention-variant dsa"), "workload.model"));
  EXPECT_TRUE(
      is_unknown(of("--experimental-attention-variant gdn --linear-attention-freq '[1,1,0]*16'"),
                 "workload.model"));
}

TEST(ImportMegatron, ReadsWindowsAndNarrowMoments) {
  const auto of = [](const std::string& options) {
    return importers::import_text(kMegatron,
                                  "--num-layers 24 --hidden-size 2048 --num-attention-heads 16 "
                                  "--vocab-size 51200 --num-experts 8 " +
                                      options,
                                  "line");
  };
  const auto window = of("--window-size 127,0 --window-attn-skip-freq 2");
  const core::Node* local = find(window, "workload.model")->value.find("local_attention");
  ASSERT_NE(local, nullptr);
  EXPECT_EQ(local->find("window")->text, "128");
  EXPECT_EQ(local->find("global_every")->text, "2");
  const std::string aware = "--use-precision-aware-optimizer --exp-avg-dtype bf16 ";
  EXPECT_EQ(value(of(aware + "--exp-avg-sq-dtype bf16"), "software.moment_bytes"), "2");
  EXPECT_TRUE(is_unknown(of(aware), "software.moment_bytes"));
  EXPECT_EQ(value(of("--moe-layer-recompute"), "software.recompute_modules"), "[experts]");
  EXPECT_TRUE(is_unknown(of("--heterogeneous-layers-config-path x.json"), "workload.model"));
}

TEST(ImportMegatron, ReadsMuon) {
  const auto of = [](const std::string& options) {
    return importers::import_text(
        kMegatron, "--num-layers 2 --hidden-size 64 --num-attention-heads 2 " + options, "line");
  };
  const auto layers = of("--optimizer dist_muon --muon-num-ns-steps 5");
  EXPECT_EQ(value(layers, "software.optimizer"), "muon");
  EXPECT_EQ(value(layers, "software.zero_stage"), "1");
  EXPECT_EQ(not_expressed(layers).find("muon"), std::string::npos) << not_expressed(layers);
  const auto other = of("--optimizer muon --muon-num-ns-steps 10 --muon-tp-mode distributed");
  EXPECT_EQ(value(other, "software.zero_stage"), "~0");
  EXPECT_NE(not_expressed(other).find("muon_num_ns_steps 10"), std::string::npos);
  EXPECT_NE(not_expressed(other).find("muon_tp_mode distributed"), std::string::npos);
}

TEST(ImportMegatron, KnowsOtherJobs) {
  const std::string shape = "--num-layers 2 --hidden-size 64 --num-attention-heads 2 ";
  EXPECT_NE(refusal(kMegatron, shape + "--num-tokens-to-generate 10").find("text generation"),
            std::string::npos);
  EXPECT_NE(refusal(kMegatron, shape + "--micro-batch-size 8 --task LAMBADA").find("evaluates"),
            std::string::npos);
  const auto of = [&](const std::string& options) {
    return importers::import_text(kMegatron, shape + options, "line");
  };
  EXPECT_TRUE(is_unknown(of("--train-iters 5 --grpo-group-size 8"), "grpo_group_size"));
  EXPECT_TRUE(is_unknown(of("--img-h 336 --patch-dim 14"), "img_h"));
  EXPECT_TRUE(is_unknown(of("--decoder-num-layers 12"), "workload.model"));
  EXPECT_TRUE(is_unknown(of("--train-iters 5 $(pretrain_bert.py)"), "pretrain_bert"));
  EXPECT_FALSE(is_unknown(of("--vocab-size 51200"), "workload.model"));
}

TEST(ImportMegatron, ReadsFourBits) {
  const auto of = [](const std::string& options) {
    return value(importers::import_text(
                     kMegatron, "--num-layers 2 --hidden-size 64 --bf16 " + options, "line"),
                 "software.precision");
  };
  EXPECT_EQ(of("--fp4-format e2m1 --fp4-recipe nvfp4"), "fp4");
  EXPECT_EQ(of("--fp8-format hybrid"), "fp8");
  EXPECT_EQ(of(""), "bf16");
}

TEST(ImportMegatron, ReadsALineOfArguments) {
  const auto imported = import_sample(kMegatron, "megatron/llama-8b.txt");
  EXPECT_EQ(parameters_of(imported), 8'030'261'248);
  EXPECT_EQ(value(imported, "workload.steps"), "100");  // 12,800 samples
  EXPECT_EQ(value(imported, "parallelism.cp"), "2");
  EXPECT_EQ(value(imported, "parallelism.sequence_parallel"), "true");
  EXPECT_EQ(value(imported, "software.zero_stage"), "1");
  EXPECT_EQ(value(imported, "software.gradient_reduce_bytes"), "~4");
  EXPECT_EQ(value(imported, "software.bucket"), "~160 MB");  // 4e7 elements of fp32
  EXPECT_EQ(value(imported, "software.recompute"), "selective");
  EXPECT_EQ(value(imported, "software.dropout"), "false");
  EXPECT_TRUE(is_unknown(imported, "software.attention"));
  EXPECT_TRUE(is_unknown(imported, "--micro-batch-size"));  // $MBS, set nowhere
}

TEST(ImportMegatron, ReadsTheListThatALogBeginsWith) {
  const auto imported = import_sample(kMegatron, "megatron/mixtral.log");
  EXPECT_EQ(value(imported, "workload.global_batch"), "256");
  EXPECT_EQ(value(imported, "parallelism.ep"), "8");
  EXPECT_EQ(value(imported, "software.precision"), "fp8");
  EXPECT_EQ(value(imported, "software.recompute"), "none");
  EXPECT_EQ(value(imported, "checkpoint.interval_steps"), "500");
  // Mixtral 8x7B, whose vocabulary of 32,000 is padded by 256
  EXPECT_EQ(parameters_of(imported), 46'702'792'704 + std::int64_t{2} * 256 * 4096);
}

TEST(ImportMegatron, RefusesWithThePlace) {
  const std::string all = refusal(kMegatron,
                                  "--num-layers 30 --hidden-size many \\\n"
                                  " --num-layers-per-virtual-pipeline-stage 4 \\\n"
                                  " --pipeline-model-parallel-size 4 --bf16\n");
  EXPECT_NE(all.find("file:1:31: hidden_size: expected a whole number"), std::string::npos) << all;
  EXPECT_NE(all.find("do not divide 30 layers"), std::string::npos) << all;
  EXPECT_NE(refusal(kMegatron, "hello world\n").find("no argument of Megatron-LM"),
            std::string::npos);
  EXPECT_NE(refusal(kMegatron,
                    "--num-layers 10000 --hidden-size 1000000 --num-attention-heads 1 "
                    "--ffn-hidden-size 4000000 --num-experts 100000 --vocab-size 5")
                .find("more parameters than can be counted"),
            std::string::npos);
  EXPECT_NE(refusal(kMegatron, "\"--num-layers"), "");  // a quote that never ends
}

importers::Imported of_script(const std::string& text) {
  return importers::import_text(importers::ImportKind("megatron"), text, "train.sh");
}

bool asks_outside(const importers::Imported& imported) {
  return std::ranges::any_of(imported.not_known, &importers::NotKnown::is_outside);
}

constexpr const char* kShape =
    "--num-layers 24 --hidden-size 2048 --num-attention-heads 16 --vocab-size 50304 ";

/// A default in place of a value that somebody passes in would be a wrong cluster.
TEST(ImportMegatron, AValueFromOutsideIsNoDefault) {
  const auto imported =
      of_script(std::string(kShape) +
                "--tensor-model-parallel-size $TP --micro-batch-size 2 --seq-length 4096");
  EXPECT_EQ(value(imported, "parallelism.tp"), "absent");
  EXPECT_TRUE(is_unknown(imported, "--tensor-model-parallel-size"));
  EXPECT_TRUE(asks_outside(imported));
  EXPECT_EQ(value(imported, "workload.micro_batch"), "2");
  const auto experts = of_script(std::string(kShape) + "--num-experts $EXPERTS");
  EXPECT_EQ(value(experts, "workload.model"), "absent");  // neither dense nor with experts
  EXPECT_EQ(value(experts, "workload.model.num_layers"), "24");
  EXPECT_TRUE(asks_outside(experts));
}

TEST(ImportMegatron, AVariableOfOptionsEndsAValue) {
  const auto imported = of_script(
      "MORE=\"--bf16 --use-distributed-optimizer\"\npython pretrain_gpt.py " + std::string(kShape) +
      "--pipeline-model-parallel-size 4 $MORE --swiglu ${DATA_ARGS[@]} $EXTRA_ARGS\n");
  EXPECT_EQ(value(imported, "parallelism.pp"), "4");
  EXPECT_EQ(value(imported, "software.precision"), "bf16");
  EXPECT_EQ(value(imported, "software.zero_stage"), "1");
  EXPECT_NE(not_expressed(imported).find("EXTRA_ARGS"), std::string::npos);
  EXPECT_FALSE(asks_outside(imported));
}

TEST(ImportMegatron, ALauncherHasItsOwnOptions) {
  const auto imported =
      of_script("torchrun --nnodes 2 --nproc_per_node 8 pretrain_gpt.py " + std::string(kShape) +
                "--global-batch-size 1_024 2>&1 | tee log\n");
  EXPECT_EQ(value(imported, "cluster.nodes"), "2");
  EXPECT_EQ(value(imported, "cluster.node.num_accelerators"), "~8");
  EXPECT_EQ(value(imported, "workload.global_batch"), "1024");
}

TEST(ImportMegatron, BranchesOfOneIfAreNotBothTaken) {
  const auto imported = of_script(
      "if [ $FAST = 1 ]; then\n A=\"--bf16\"\nelse\n A=\"--fp16\"\nfi\n"
      "python pretrain_gpt.py $A " +
      std::string(kShape) + "\n");
  EXPECT_EQ(value(imported, "software.precision"), "absent");
  EXPECT_TRUE(is_unknown(imported, "software.precision"));
  EXPECT_TRUE(asks_outside(imported));
}

TEST(ImportMegatron, GatedByGelu) {
  const auto plain = of_script(kShape);
  const auto gated = of_script(std::string(kShape) + "--quick-geglu --ffn-hidden-size 8192");
  EXPECT_NE(value(plain, "workload.model").find("gated_ffn: false"), std::string::npos);
  EXPECT_NE(value(gated, "workload.model").find("gated_ffn: true"), std::string::npos);
}

TEST(ImportMegatron, ReadsTheYamlOfItsTests) {
  const auto imported = of_script(
      "ENV_VARS:\n  CUDA_DEVICE_MAX_CONNECTIONS: 1\nMODEL_ARGS:\n"
      "  --num-layers: 12\n  --hidden-size: 512\n  --num-attention-heads: 8\n"
      "  --tensor-model-parallel-size: 2\n  --bf16: true\n");
  EXPECT_EQ(value(imported, "parallelism.tp"), "2");
  EXPECT_EQ(value(imported, "workload.model.num_layers"), "12");
  EXPECT_EQ(value(imported, "software.precision"), "bf16");
}

TEST(ImportMegatron, RefusesAScriptWhoseValuesAllComeFromOutside) {
  EXPECT_THROW(of_script("python pretrain_gpt.py --num-layers $L --hidden-size $H\n"),
               core::ConfigError);
}

TEST(ImportMegatron, ReadsTheHeadOfABatchJob) {
  const auto imported = importers::import_text(
      kMegatron,
      "#!/bin/bash\n#SBATCH -N 12\n#SBATCH --gres=gpu:a100:8\nMBS=4\n"
      "srun python pretrain_gpt.py --num-layers 4 --hidden-size 64 --num-attention-heads 4 "
      "--seq-length 128 --micro-batch-size $((MBS / 2)) --global-batch-size 64\n",
      "job.sh");
  EXPECT_EQ(value(imported, "cluster.nodes"), "12");
  EXPECT_EQ(value(imported, "cluster.node.num_accelerators"), "~8");
  EXPECT_EQ(value(imported, "workload.micro_batch"), "2");
}

TEST(ImportMegatron, ProposesAReleaseByItsOptions) {
  const auto profile = [](const std::string& option) {
    return value(
        importers::import_text(kMegatron, "--num-layers 4 --hidden-size 64 " + option, "x"),
        "software.model");
  };
  EXPECT_EQ(profile("--bf16"), "~megatron-core-0.12");
  EXPECT_EQ(profile("--zero-stage 1"), "~megatron-deepspeed");
  EXPECT_EQ(profile("--checkpoint-activations"), "~megatron-lm-2021");
}

TEST(ImportMegatron, ReadsWhatForksCallTheirOwn) {
  const auto shared = of_script("torchrun pretrain_gpt.py " + std::string(kShape) +
                                "--attention-head-type multiquery --micro-batch-size 1\n");
  EXPECT_EQ(value(shared, "workload.model.num_kv_heads"), "absent");
  ASSERT_NE(find(shared, "workload.model"), nullptr);
  EXPECT_NE(value(shared, "workload.model").find("num_kv_heads: 1,"), std::string::npos);
  const auto hidden = of_script("torchrun pretrain_llama.py " + std::string(kShape) +
                                "--overlapped-distributed-optimizer --micro-batch-size 1\n");
  EXPECT_EQ(value(hidden, "software.zero_stage"), "1");
  EXPECT_EQ(value(hidden, "software.overlap_gradient_reduce"), "true");
  EXPECT_EQ(value(hidden, "software.overlap_parameter_gather"), "true");
}

TEST(ImportMegatron, ReadsTheGroupsOfFlagScale) {
  const auto imported = import_sample(kMegatron, "megatron/flagscale.yaml");
  EXPECT_EQ(value(imported, "parallelism.tp"), "4");
  EXPECT_EQ(value(imported, "parallelism.pp"), "2");
  EXPECT_EQ(value(imported, "workload.micro_batch"), "1");
  EXPECT_EQ(value(imported, "workload.global_batch"), "1024");
  EXPECT_EQ(value(imported, "software.precision"), "bf16");
  EXPECT_EQ(value(imported, "software.zero_stage"), "1");
  EXPECT_NE(value(imported, "workload.model").find("num_layers: 60,"), std::string::npos);
  EXPECT_NE(refusal(kMegatron, text_of(sample("megatron/flagscale.yaml")) +
                                   "\nextra: {tokenizer_type: RWKVTokenizer}\n")
                .find("whose layers are recurrent"),
            std::string::npos);
  // A width that follows from a rule of Aquila's is not the default.
  std::string text = text_of(sample("megatron/flagscale.yaml"));
  text.replace(text.find("ffn_hidden_size: 16384"), 22, "hidden_dim_multiplier: 1.3");
  const auto aquila = importers::import_text(kMegatron, text, "aquila.yaml");
  EXPECT_TRUE(is_unknown(aquila, "workload.model"));
  EXPECT_EQ(value(aquila, "workload.model.ffn_size"), "absent");
}

TEST(ImportMegatron, LeavesPositionsFromOutsideToTheBase) {
  const auto open = of_script(
      "torchrun pretrain_gpt.py --num-layers 24 --hidden-size 2048 --num-attention-heads 16 "
      "--max-position-embeddings $LENGTH --micro-batch-size 1\n");
  EXPECT_EQ(value(open, "workload.model.positions"), "absent");
  EXPECT_EQ(value(open, "workload.model.num_layers"), "24");
  EXPECT_NE(not_expressed(open).find("max_position_embeddings"), std::string::npos);
}

TEST(ImportMegatron, RefusesProgramsThatTrainNothing) {
  const std::string options = std::string(kShape) + "--micro-batch-size 1\n";
  EXPECT_NE(refusal(kMegatron,
                    "torchrun --nproc_per_node 8 tools/run_text_generation_server.py " + options)
                .find("a program of Megatron-LM that trains nothing"),
            std::string::npos);
  EXPECT_NE(
      refusal(kMegatron, "python tools/merge_mp_partitions.py " + options).find("trains nothing"),
      std::string::npos);
  // The training of the same script counts.
  EXPECT_EQ(refusal(kMegatron,
                    "python tools/preprocess_data.py --workers 8\n"
                    "torchrun pretrain_gpt.py " +
                        options),
            "");
}

}  // namespace
}  // namespace railwright::test
