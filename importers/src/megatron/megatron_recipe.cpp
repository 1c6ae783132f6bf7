// SPDX-License-Identifier: Apache-2.0
#include "megatron_recipe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <set>
#include <string>
#include <utility>

#include "../common/other_jobs.hpp"
#include "../common/tree_values.hpp"
#include "megatron_ignored.hpp"
#include "megatron_model.hpp"
#include "megatron_older.hpp"
#include "megatron_stack.hpp"
#include "pipeline_layout.hpp"

namespace railwright::importers {

namespace {

/// A value that follows from several options: where one of them is not known, it is not.
struct Follows {
  std::string_view option;
  std::string_view path;
};
constexpr auto kFollows = std::to_array<Follows>({
    {"bf16", "software.precision"},
    {"fp16", "software.precision"},
    {"fp8", "software.precision"},
    {"fp8_format", "software.precision"},
    {"fp4", "software.precision"},
    {"fp4_format", "software.precision"},
    {"bf16", "software.gradient_reduce_bytes"},
    {"fp16", "software.gradient_reduce_bytes"},
    {"accumulate_allreduce_grads_in_fp32", "software.gradient_reduce_bytes"},
    {"grad_reduce_in_bf16", "software.gradient_reduce_bytes"},
    {"bf16", "software.parameter_gather_bytes"},
    {"fp16", "software.parameter_gather_bytes"},
    {"fp8_param_gather", "software.parameter_gather_bytes"},
    {"recompute_granularity", "software.recompute"},
    {"recompute_activations", "software.recompute"},
    {"moe_layer_recompute", "software.recompute"},
    {"recompute_method", "software.recompute_layers"},
    {"recompute_num_layers", "software.recompute_layers"},
    {"recompute_modules", "software.recompute_modules"},
    {"recompute_granularity", "software.recompute_modules"},
    {"recompute_activations", "software.recompute_modules"},
    {"use_distributed_optimizer", "software.zero_stage"},
    {"zero_stage", "software.zero_stage"},
    {"deepspeed", "software.zero_stage"},
    {"use_megatron_fsdp", "software.zero_stage"},
    {"use_custom_fsdp", "software.zero_stage"},
    {"use_torch_fsdp2", "software.zero_stage"},
    {"data_parallel_sharding_strategy", "software.zero_stage"},
    {"optimizer", "software.optimizer"},
    {"attention_dropout", "software.dropout"},
    {"hidden_dropout", "software.dropout"},
    {"use_flash_attn", "software.attention"},
    {"attention_backend", "software.attention"},
});

class Recipe {
 public:
  Recipe(const core::Node& arguments, bool is_complete, std::span<const UnsetOption> unset,
         Findings& findings)
      : arguments_(arguments, findings),
        is_complete_(is_complete),
        unset_(unset),
        findings_(findings) {
    std::set<std::string, std::less<>> names;
    for (const UnsetOption& one : unset) names.emplace(name_of_today(one.name));
    arguments_.set_outside(std::move(names));
  }

  void all() {
    if (generates_text()) {
      findings_.problem_in_file("arguments of text generation with Megatron-LM, no training",
                                "train_iters, train_samples or global_batch_size are looked for");
      return;
    }
    if (const core::Node* task = arguments_.find("task"); task != nullptr) {
      findings_.problem(task->where, "task",
                        "one of Megatron-LM's tasks/main.py, which evaluates a model or tunes a "
                        "classifier: no training that a scenario describes");
      return;
    }
    const auto tp = degree("tensor_model_parallel_size", "tp");
    const auto pp = degree("pipeline_model_parallel_size", "pp");
    if (const auto sp = arguments_.whole("ds_sequence_parallel_size", 1, 65536);
        sp.value_or(1) > 1) {
      // Megatron-DeepSpeed divides sequences and exchanges heads all to all.
      findings_.know("parallelism.cp", *sp, "ds_sequence_parallel_size");
      findings_.know("software.context_exchange", std::string("all_to_all"),
                     "ds_sequence_parallel_size");
    } else if (!arguments_.is_outside("ds_sequence_parallel_size")) {
      degree("context_parallel_size", "cp");
    }
    degree("expert_model_parallel_size", "ep");
    if (const auto etp = arguments_.whole("expert_tensor_parallel_size", 1, 65536)) {
      findings_.know("parallelism.etp", *etp, "expert_tensor_parallel_size");
    }
    const auto layers = add_megatron_model(arguments_, tp.value_or(1), findings_);
    add_megatron_flag(arguments_, findings_, "sequence_parallel", "parallelism.sequence_parallel",
                      false);
    add_megatron_flag(arguments_, findings_, "account_for_embedding_in_pipeline_split",
                      "parallelism.embedding_as_layer", false);
    add_megatron_flag(arguments_, findings_, "account_for_loss_in_pipeline_split",
                      "parallelism.loss_as_layer", false);
    pipeline(layers, pp.value_or(1));
    batches();
    add_megatron_stack(arguments_, is_complete_, virtual_, findings_);
    withdraw();
    cluster();
    rest();
  }

 private:
  [[nodiscard]] bool generates_text() {
    static constexpr auto kOfGeneration = std::to_array<std::string_view>(
        {"num_tokens_to_generate", "max_tokens_to_oom", "inference_max_requests",
         "inference_max_seq_length", "inference_batch_times_seqlen_threshold", "out_seq_length"});
    static constexpr auto kOfTraining =
        std::to_array<std::string_view>({"train_iters", "train_samples", "global_batch_size"});
    const auto has = [&](std::string_view name) {
      return arguments_.has(name) || arguments_.is_outside(name);
    };
    return std::ranges::any_of(kOfGeneration, has) && std::ranges::none_of(kOfTraining, has);
  }

  std::optional<std::int64_t> degree(const std::string& name, const std::string& key) {
    const auto value = arguments_.whole(name, 1, 65536);
    if ((arguments_.has(name) || arguments_.is_outside(name)) && !value) return {};
    findings_.say(value.has_value(), fmt::format("parallelism.{}", key), value.value_or(1),
                  value ? name : fmt::format("no {}: Megatron's default", name));
    return value.value_or(1);
  }

  void pipeline(std::optional<std::int64_t> layers, std::int64_t pp) {
    const auto of_chunk = arguments_.whole("num_layers_per_virtual_pipeline_stage", 1, 10'000);
    const auto chunks = arguments_.whole("num_virtual_stages_per_pipeline_rank", 1, 10'000);
    virtual_ = 1;
    if (chunks) {
      virtual_ = *chunks;
      findings_.know("parallelism.virtual_stages", *chunks, "num_virtual_stages_per_pipeline_rank");
    } else if (of_chunk && layers) {
      if (*layers % (pp * *of_chunk) != 0) {
        findings_.problem(arguments_.find("num_layers_per_virtual_pipeline_stage")->where,
                          "num_layers_per_virtual_pipeline_stage",
                          fmt::format("{} stages of chunks of {} layers do not divide {} layers",
                                      pp, *of_chunk, *layers));
        return;
      }
      virtual_ = *layers / (pp * *of_chunk);
      findings_.know(
          "parallelism.virtual_stages", virtual_,
          fmt::format("{} layers over {} stages in chunks of {}", *layers, pp, *of_chunk));
    } else if (of_chunk) {
      findings_.unknown("parallelism.virtual_stages", "chunks of layers, but no num_layers");
    } else if (!arguments_.is_outside("num_layers_per_virtual_pipeline_stage") &&
               !arguments_.is_outside("num_virtual_stages_per_pipeline_rank")) {
      findings_.assume("parallelism.virtual_stages", 1, "no virtual stages: Megatron's default");
    }
    uneven_chunks(layers, pp);
  }

  /// Adds the layers of chunks that are not alike.
  void uneven_chunks(std::optional<std::int64_t> layers, std::int64_t pp) {
    static constexpr const char* kLayout = "pipeline_model_parallel_layout";
    const auto first = arguments_.whole("decoder_first_pipeline_num_layers", 1, 10'000);
    const auto last = arguments_.whole("decoder_last_pipeline_num_layers", 1, 10'000);
    std::string reason = "they do not divide";
    std::optional<PipelineLayout> layout;
    std::string origin = "decoder_first_pipeline_num_layers, decoder_last_pipeline_num_layers";
    if (const auto text = arguments_.text(kLayout)) {
      origin = kLayout;
      layout = read_pipeline_layout(*text, reason);
      const auto chunks = layout ? std::ssize(layout->layers_per_chunk) : 0;
      if (layout && chunks % pp != 0) {
        reason = fmt::format("{} chunks over {} stages", chunks, pp);
        layout.reset();
      }
      if (layout) {
        virtual_ = chunks / pp;
        findings_.know("parallelism.virtual_stages", virtual_, kLayout);
      }
    } else if (!first && !last) {
      return;
    } else if (layers) {
      layout = uneven_ends(*layers, pp, virtual_, first, last);
    } else {
      reason = "the number of layers is not known";
    }
    if (!layout) {
      findings_.not_expressed(fmt::format("{}: {}; chunks are alike here", origin, reason));
      return;
    }
    findings_.know("parallelism.layers_per_chunk", layout->layers_per_chunk, origin);
    if (layout->embedding_as_layer) {
      findings_.know("parallelism.embedding_as_layer", true, "E alone in its chunk");
    }
    if (layout->loss_as_layer) {
      findings_.know("parallelism.loss_as_layer", true, "L without a layer in its chunk");
    }
  }

  void batches() {
    const auto known = [&](const std::string& name, const std::string& path, std::int64_t most) {
      const auto value = arguments_.whole(name, 1, most);
      if (value) {
        findings_.know(path, *value, name);
      } else if (!arguments_.is_outside(name)) {
        findings_.unknown(path, fmt::format("no {}", name));
      }
      return value;
    };
    known("seq_length", "workload.sequence_length", 100'000'000);
    known("micro_batch_size", "workload.micro_batch", 1'000'000);
    const auto global = arguments_.whole("global_batch_size", 1, 1'000'000'000);
    if (global) {
      findings_.know("workload.global_batch", *global, "global_batch_size");
    } else if (!arguments_.is_outside("global_batch_size")) {
      findings_.unknown("workload.global_batch",
                        "no global_batch_size: micro_batch_size times data-parallel ranks");
    }
    if (arguments_.has("rampup_batch_size")) {
      findings_.not_expressed("rampup_batch_size: every step has the global batch");
    }
    const auto samples = arguments_.whole("train_samples", 1);
    if (const auto steps = arguments_.whole("train_iters", 1)) {
      findings_.know("workload.steps", *steps, "train_iters");
    } else if (samples && global) {
      findings_.know("workload.steps", (*samples + *global - 1) / *global,
                     "train_samples over global_batch_size");
    } else {
      findings_.unknown("workload.steps",
                        "no train_iters and no train_samples with a global batch");
    }
  }

  /// Adds the cluster from torchrun's arguments, and the checkpoint interval.
  void cluster() {
    if (const auto nodes = arguments_.whole("nnodes", 1, 65536)) {
      findings_.know("cluster.nodes", *nodes, "nnodes");
    }
    const char* name = arguments_.has("nproc_per_node") ? "nproc_per_node" : "num_gpus_per_node";
    if (const auto ranks = arguments_.whole(name, 1, 1024)) {
      findings_.assume("cluster.node.num_accelerators", *ranks,
                       fmt::format("{}: a rank on each accelerator", name));
    }
    if (const auto world = arguments_.whole("world_size", 1, 100'000'000)) {
      findings_.unknown("cluster.nodes",
                        fmt::format("world_size {}: so many accelerators", *world));
    }
    if (const auto steps = arguments_.whole("save_interval", 1)) {
      findings_.know("checkpoint.interval_steps", *steps, "save_interval");
    }
  }

  /// Says which arguments that decide something have values from outside the file.
  void outside() {
    for (const std::string& name : arguments_.asked_outside()) {
      const auto one = std::ranges::find_if(
          unset_, [&](const UnsetOption& option) { return name_of_today(option.name) == name; });
      findings_.outside(one->option, why_unset(*one));
    }
  }

  /// Drops values that follow from an option without a value.
  void withdraw() {
    for (const Follows& one : kFollows) {
      if (!arguments_.is_outside(one.option) || !findings_.forget(one.path)) continue;
      const auto option = std::ranges::find_if(unset_, [&](const UnsetOption& unset) {
        return name_of_today(unset.name) == one.option;
      });
      findings_.outside(one.path, fmt::format("{}: {}", option->option, why_unset(*option)));
    }
  }

  void rest() {
    outside();
    if (const auto adapter = arguments_.text("peft"); adapter && *adapter != "none") {
      findings_.outside("workload.lora.rank",
                        fmt::format("peft {}: the recipe has its rank", shown(*adapter)));
    }
    note_other_jobs(arguments_, findings_);
    if (is_complete_) return;
    arguments_.ignore(kMegatronIgnored);
    for (const std::string& name : arguments_.unasked()) {
      findings_.not_expressed(shown(name) + ": passed over");
    }
  }

  TreeValues arguments_;
  bool is_complete_;
  std::span<const UnsetOption> unset_;
  Findings& findings_;
  std::int64_t virtual_ = 1;
};

}  // namespace

void add_megatron_recipe(const core::Node& arguments, bool is_complete,
                         std::span<const UnsetOption> unset, Findings& findings) {
  const core::Node today = with_names_of_today(arguments);
  Recipe(today, is_complete, unset, findings).all();
}

}  // namespace railwright::importers
