// SPDX-License-Identifier: Apache-2.0
#include "nanotron.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "../common/looks_like.hpp"
#include "../common/shape_part.hpp"
#include "../common/training_part.hpp"
#include "railwright/core/arithmetic.hpp"

namespace railwright::importers {

namespace {

/// Beginnings of keys without an effect on time or memory.
constexpr auto kNanotronIgnored =
    std::to_array<std::string_view>({"checkpoints.",
                                     "data_stages",
                                     "general.",
                                     "lighteval",
                                     "logging.",
                                     "metrics_logging",
                                     "profiler",
                                     "tokenizer.",
                                     "s3_upload",
                                     "model.init_method",
                                     "optimizer.clip_grad",
                                     "optimizer.learning_rate",
                                     "optimizer.optimizer_factory.",
                                     "optimizer.weight_decay",
                                     "tokens.limit",
                                     "tokens.val_check",
                                     "experiment_logger",
                                     "doremi",
                                     "model.model_config.bos_token",
                                     "model.model_config.eos_token",
                                     "model.model_config.pad_token",
                                     "model.model_config.initializer_range",
                                     "model.model_config.is_",
                                     "model.model_config.pretraining_tp",
                                     "model.model_config.rms_norm_eps",
                                     "model.model_config.rope_",
                                     "model.model_config.max_position",
                                     "model.model_config.use_cache",
                                     "model.dtype",
                                     "model.model_config.z_loss",
                                     "model.model_config._fused",
                                     "model.model_config._use_qkv",
                                     "model.model_config.log_attn",
                                     "model.model_config.layer_norm_eps",
                                     "data."});

class NanotronReading {
 public:
  explicit NanotronReading(TrainingPart& part)
      : part_(part), values_(part.values()), findings_(part.findings()) {}

  void all() {
    degrees();
    model();
    batches();
    stack();
    propose_software(findings_, "nanotron-0.5", "the configuration of nanotron");
    part_.rest(kNanotronIgnored);
  }

 private:
  void degrees() {
    const auto tp = part_.degree("parallelism.tp", "parallelism.tp");
    const auto pp = part_.degree("parallelism.pp", "parallelism.pp");
    const auto cp = part_.degree("parallelism.context_parallel_size", "parallelism.cp");
    part_.degree("parallelism.expert_parallel_size", "parallelism.ep");
    dp_ = values_.whole("parallelism.dp", 1, 10'000'000);
    findings_.assume("parallelism.virtual_stages", 1, "nanotron has one chunk a stage");
    const auto engine = part_.lower("parallelism.pp_engine");
    if (engine && *engine != "1f1b" && *engine != "afab") {
      findings_.outside("parallelism.schedule",
                        fmt::format("parallelism.pp_engine {}", shown(*engine)));
    } else {
      findings_.say(engine.has_value(), "parallelism.schedule",
                    std::string(engine == "1f1b" ? "1f1b" : "gpipe"),
                    engine ? "parallelism.pp_engine"
                           : "all passes forward, then all backward: nanotron's default");
    }
    const auto mode = part_.lower("parallelism.tp_mode");
    findings_.say(mode.has_value(), "parallelism.sequence_parallel", mode == "reduce_scatter",
                  mode ? "parallelism.tp_mode" : "all-reduce: nanotron's default");
    tp_ = tp.value_or(1);
    if (tp && pp && cp && dp_) {
      findings_.unknown("cluster.nodes",
                        fmt::format("{} accelerators in all", *tp * *pp * *cp * *dp_));
    }
  }

  std::int64_t shape_number(const char* name, std::int64_t otherwise) {
    return values_.whole(fmt::format("model.model_config.{}", name), 1, 10'000'000)
        .value_or(otherwise);
  }

  /// Takes absent numbers as LlamaConfig and Qwen2Config do.
  void model() {
    const std::string config = "model.model_config";
    const core::Node* given = values_.find(config);
    if (given == nullptr || !given->is_mapping() || outside_of_shape()) {
      if (given == nullptr) findings_.outside("workload.model", "no model.model_config");
      return;
    }
    if (part_.yes(config + ".is_mamba_config").value_or(false) ||
        !values_.has(config + ".num_hidden_layers") || !values_.has(config + ".hidden_size")) {
      findings_.outside("workload.model",
                        "model.model_config without num_hidden_layers and hidden_size");
      return;
    }
    TransformerShape shape;
    models::Transformer& model = shape.model;
    model.num_layers =
        static_cast<int>(std::min<std::int64_t>(shape_number("num_hidden_layers", 32), 10'000));
    model.hidden_size =
        static_cast<int>(std::min<std::int64_t>(shape_number("hidden_size", 4096), 1'000'000));
    model.num_heads = static_cast<int>(
        std::min<std::int64_t>(shape_number("num_attention_heads", 32), 1'000'000));
    model.num_kv_heads = static_cast<int>(
        std::min<std::int64_t>(shape_number("num_key_value_heads", model.num_heads), 1'000'000));
    model.ffn_size = static_cast<int>(
        std::min<std::int64_t>(shape_number("intermediate_size", 11008), 4'000'000));
    model.gated_ffn = !part_.yes(config + ".is_starcoder2_config").value_or(false);
    model.tied_embeddings = part_.yes(config + ".tie_word_embeddings").value_or(false);
    if (part_.yes(config + ".attention_bias").value_or(false)) {
      findings_.not_expressed("model.model_config.attention_bias: biases of attention alone");
    }
    if (!model.gated_ffn) {
      findings_.outside("workload.model", "the shape of Starcoder 2 is not read");
      return;
    }
    experts(model);
    const std::int64_t multiple =
        std::min<std::int64_t>(
            values_.whole("model.make_vocab_size_divisible_by", 1, 1'000'000).value_or(1),
            1'000'000) *
        tp_;
    const std::int64_t size = shape_number("vocab_size", 32000);
    model.vocabulary_size = static_cast<int>(
        std::min<std::int64_t>(core::ceil_div(size, multiple) * multiple, 10'000'000));
    if (model.vocabulary_size != size) {
      shape.assumption = fmt::format("padded from {} to a multiple of {}; ", size, multiple);
    }
    add_shape(shape, "nanotron", findings_);
    for (const char* key : {"sliding_window_size", "no_rope_layer"}) {
      if (values_.has(fmt::format("{}.{}", config, key))) {
        findings_.not_expressed(fmt::format("{}.{}: passed over", config, key));
      }
    }
  }

  /// Whether a number of the shape comes from outside the file.
  bool outside_of_shape() {
    return std::ranges::any_of(
        std::to_array({"num_hidden_layers", "hidden_size", "num_attention_heads",
                       "num_key_value_heads", "intermediate_size", "vocab_size"}),
        [&](const char* name) {
          const std::string key = fmt::format("model.model_config.{}", name);
          return !part_.key_of({key}).empty() && part_.is_outside(key);
        });
  }

  void experts(models::Transformer& model) {
    const std::string moe = "model.model_config.moe_config";
    const auto count = values_.whole(moe + ".num_experts", 1, 100'000);
    if (count.value_or(1) <= 1) return;
    model.experts = models::Experts{
        .count = static_cast<int>(*count),
        .top_k = static_cast<int>(values_.whole(moe + ".top_k", 1, 100'000).value_or(2)),
        .ffn_size = static_cast<int>(
            values_.whole(moe + ".moe_intermediate_size", 1, 4'000'000).value_or(1408))};
    if (part_.yes(moe + ".enable_shared_expert").value_or(false)) {
      model.experts->shared_ffn_size = static_cast<int>(
          values_.whole(moe + ".shared_expert_intermediate_size", 1, 4'000'000).value_or(5632));
    }
    values_.ignore({moe + ".layers", moe + ".router_aux_loss_coef"});
  }

  void batches() {
    part_.whole("tokens.sequence_length", "workload.sequence_length", 100'000'000);
    const auto micro = part_.whole("tokens.micro_batch_size", "workload.micro_batch", 1'000'000);
    const auto accumulation = values_.whole("tokens.batch_accumulation_per_replica", 1, 1'000'000);
    if (micro && accumulation && dp_) {
      findings_.know("workload.global_batch", *micro * *accumulation * *dp_,
                     "tokens.micro_batch_size, batch_accumulation_per_replica and parallelism.dp");
    } else {
      findings_.unknown("workload.global_batch", "no batch and no parallelism.dp");
    }
    part_.whole("tokens.train_steps", "workload.steps");
    if (const auto every = values_.whole("checkpoints.checkpoint_interval", 1)) {
      findings_.know("checkpoint.interval_steps", *every, "checkpoints.checkpoint_interval");
    }
  }

  void stack() {
    const auto type = part_.lower("model.dtype");
    const bool bf16 = type == "bfloat16";
    const bool fp16 = type == "float16";
    if (!part_.is_outside("model.dtype")) {
      findings_.say(type.has_value(), "software.precision",
                    std::string(bf16   ? "bf16"
                                : fp16 ? "fp16"
                                       : "fp32"),
                    type ? "model.dtype" : "no model.dtype");
    }
    if (const auto stage = values_.whole("optimizer.zero_stage", 0, 3)) {
      findings_.know("software.zero_stage", *stage, "optimizer.zero_stage");
    } else if (!part_.is_outside("optimizer.zero_stage")) {
      findings_.unknown("software.zero_stage", "no optimizer.zero_stage");
    }
    const auto wide = part_.yes("optimizer.accumulate_grad_in_fp32");
    if (wide) {
      findings_.know("software.gradient_reduce_bytes", *wide ? 4 : 2,
                     "optimizer.accumulate_grad_in_fp32");
    }
    if (const auto cap = values_.number("model.ddp_bucket_cap_mb", 1.0, 1e6)) {
      findings_.know("software.bucket", core::DataSize::from_base(*cap * 1048576.0),
                     "model.ddp_bucket_cap_mb");
    }
    const auto full = part_.yes("parallelism.recompute_layer");
    findings_.say(full.has_value(), "software.recompute",
                  std::string(full.value_or(false) ? "full" : "none"),
                  full ? "parallelism.recompute_layer"
                       : "no parallelism.recompute_layer: nanotron's default");
    const auto async = part_.yes("parallelism.tp_linear_async_communication");
    findings_.say(async.has_value(), "software.overlap_tensor_parallel", async.value_or(false),
                  async ? "parallelism.tp_linear_async_communication" : "nanotron's default");
    if (part_.yes("parallelism.tp_recompute_allgather").has_value()) {
      findings_.not_expressed(
          "parallelism.tp_recompute_allgather: inputs are gathered again in the "
          "backward pass");
    }
    findings_.assume("software.attention", std::string("fused"),
                     "nanotron runs FlashAttention unless told");
    values_.ignore({"model.model_config._attn_implementation"});
    const auto name = part_.lower("optimizer.optimizer_factory.name");
    if (name && !name->starts_with("adam")) {
      findings_.unknown("software.optimizer",
                        fmt::format("'{}' is none that railwright has", shown(*name)));
    } else {
      findings_.say(name.has_value(), "software.optimizer", std::string("adam"),
                    name ? "optimizer.optimizer_factory.name" : "AdamW unless told");
    }
  }

  TrainingPart& part_;
  TreeValues& values_;
  Findings& findings_;
  std::optional<std::int64_t> dp_;
  std::int64_t tp_ = 1;
};

}  // namespace

bool is_nanotron(std::string_view head) {
  return !is_json_object(head) && has_line(head, "parallelism:") && has_line(head, "tokens:") &&
         contains(head, "micro_batch_size");
}

Imported import_nanotron(std::string_view text, const std::string& file, const core::Node& known) {
  core::Node document = parse_foreign_yaml(text, file);
  std::vector<UnsetOption> unset = take_out_templates(document);
  Findings findings(file);
  TrainingPart part(document, std::move(unset), known, "nanotron", findings);
  if (part.key_of({"parallelism.tp", "parallelism.dp", "tokens.micro_batch_size",
                   "model.model_config.hidden_size"})
          .empty()) {
    findings.problem_in_file("no configuration of nanotron",
                             "parallelism.tp, tokens.micro_batch_size, model.model_config ... are "
                             "looked for");
    findings.throw_if_any();
  }
  NanotronReading(part).all();
  return findings.take();
}

}  // namespace railwright::importers
