// SPDX-License-Identifier: Apache-2.0
#include "torchtitan_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "../common/looks_like.hpp"
#include "railwright/core/units/nearest.hpp"
#include "torchtitan_models.hpp"

namespace railwright::importers {

namespace {

/// Sections and beginnings of keys without an effect on time or memory.
constexpr auto kTorchtitanIgnored =
    std::to_array<std::string_view>({"job.",
                                     "config_file",
                                     "profiling.",
                                     "metrics.",
                                     "comm.",
                                     "lr_scheduler.",
                                     "memory_estimation.",
                                     "validation.",
                                     "experimental.custom",
                                     "debug.",
                                     "optimizer.lr",
                                     "optimizer.eps",
                                     "optimizer.beta",
                                     "optimizer.weight_decay",
                                     "optimizer.implementation",
                                     "optimizer.fused",
                                     "optimizer.foreach",
                                     "checkpoint.",
                                     "model.tokenizer_path",
                                     "model.hf_assets_path",
                                     "model.norm_type",
                                     "model.print_after",
                                     "model.vocab",
                                     "training.dataset",
                                     "training.data",
                                     "training.max_norm",
                                     "training.gc_",
                                     "training.seed",
                                     "training.deterministic",
                                     "training.warmup_steps",
                                     "training.num_workers",
                                     "training.fp8_",
                                     "training.pin_memory",
                                     "training.prefetch",
                                     "training.persistent",
                                     "training.streaming",
                                     "training.skip",
                                     "activation_checkpoint.per_op",
                                     "activation_checkpoint.early_stop",
                                     "activation_checkpoint.preserve",
                                     "activation_checkpoint.determinism",
                                     "activation_checkpoint.debug",
                                     "compile.components",
                                     "compile.backend",
                                     "float8.filter",
                                     "float8.precompute",
                                     "float8.force_recompute",
                                     "float8.emulate",
                                     "quantize.",
                                     "mx.filter",
                                     "mx.mxfp8",
                                     "parallelism.disable_loss_parallel",
                                     "parallelism.context_parallel_load",
                                     "parallelism.pipeline_parallel_schedule_csv",
                                     "experimental.enable_compiled",
                                     "parallelism.enable_compiled",
                                     "training.enable_loss_parallel",
                                     "training.disable_loss_parallel",
                                     "training.mock_data",
                                     "nnodes",
                                     "nproc_per_node",
                                     "rdzv",
                                     "local_ranks",
                                     "role",
                                     "tee",
                                     "log",
                                     "master_",
                                     "node_rank",
                                     "float8.moe",
                                     "wandb",
                                     "sink_level",
                                     "file_sink",
                                     "stderr_sink",
                                     "trainable",
                                     "seed"});

/// Schedules whose stages hold two chunks or more.
constexpr auto kManyChunks = std::to_array<std::string_view>(
    {"interleaved1f1b", "interleavedzerobubble", "zbvzerobubble", "dualpipev", "loopedbfs"});

class TorchtitanJob {
 public:
  explicit TorchtitanJob(TrainingPart& part) : part_(part), findings_(part.findings()) {}

  void all() {
    model();
    degrees();
    pipeline();
    batches();
    sharding();
    precision();
    recompute();
    kernels();
    propose_software(findings_, "torchtitan", "the configuration of torchtitan");
    part_.rest(kTorchtitanIgnored);
  }

 private:
  using Keys = std::initializer_list<std::string_view>;

  std::optional<std::int64_t> whole_of(Keys keys, std::int64_t least, std::int64_t most,
                                       std::string* found = nullptr) {
    const std::string key = part_.key_of(keys);
    if (found != nullptr) *found = key;
    return key.empty() ? std::nullopt : part_.values().whole(key, least, most);
  }

  void model() {
    const auto name = part_.values().text("model.name");
    const auto flavor = part_.values().text("model.flavor");
    const std::string path = "workload.model";
    if (name && (*name == "flux" || contains(*name, "diffusion"))) {
      findings_.problem(part_.values().find("model.name")->where, "model.name",
                        "no configuration of a language model but of a diffusion model of images");
      return;
    }
    if (!flavor) {
      if (!part_.is_outside("model.flavor")) findings_.outside(path, "no model.flavor in the file");
      return;
    }
    const std::string wanted = core::lower_case(*flavor);
    const std::string family = core::lower_case(name.value_or("llama3"));
    const auto known = std::ranges::find_if(kTorchtitanFlavors, [&](const TorchtitanFlavor& one) {
      return family.starts_with(one.name) && one.flavor == wanted;
    });
    if (known == kTorchtitanFlavors.end()) {
      findings_.outside(path, fmt::format("the shape of model.name {}, model.flavor {} is not "
                                          "known here: name the model",
                                          shown(name.value_or("")), shown(*flavor)));
      return;
    }
    layers_ = known->num_layers;
    findings_.assume(path, std::string(known->model),
                     fmt::format("the shape of torchtitan's {} {}", shown(family), shown(*flavor)));
  }

  std::optional<std::int64_t> degree(Keys keys, const char* path) {
    const std::string key = part_.key_of(keys);
    return part_.degree(key.empty() ? *keys.begin() : std::string_view(key), path);
  }

  void degrees() {
    const auto tp = degree({"parallelism.tensor_parallel_degree", "training.tensor_parallel_degree",
                            "experimental.tensor_parallel_degree"},
                           "parallelism.tp");
    cp_ = degree({"parallelism.context_parallel_degree", "experimental.context_parallel_degree",
                  "training.context_parallel_degree"},
                 "parallelism.cp");
    pp_ = degree({"parallelism.pipeline_parallel_degree", "experimental.pipeline_parallel_degree",
                  "training.pipeline_parallel_degree"},
                 "parallelism.pp");
    degree({"parallelism.expert_parallel_degree", "experimental.expert_parallel_degree"},
           "parallelism.ep");
    const auto etp = whole_of({"parallelism.expert_tensor_parallel_degree"}, 1, 65536);
    if (etp) findings_.know("parallelism.etp", *etp, "parallelism.expert_tensor_parallel_degree");
    findings_.assume("parallelism.sequence_parallel", true,
                     "torchtitan divides norms and residuals where tensors are divided");
    if (tp && cp_ && pp_) model_ranks_ = *tp * *cp_ * *pp_;
  }

  void pipeline() {
    if (!pp_) return;
    const std::string schedule_key = part_.key_of(
        {"parallelism.pipeline_parallel_schedule", "experimental.pipeline_parallel_schedule"});
    const std::string schedule =
        schedule_key.empty() ? "1f1b" : part_.lower(schedule_key).value_or("1f1b");
    const auto per_stage = whole_of({"parallelism.pipeline_parallel_layers_per_stage"}, 1, 10'000);
    const auto first =
        whole_of({"parallelism.pipeline_parallel_first_stage_less_layers"}, 0, 10'000).value_or(1);
    const auto last =
        whole_of({"parallelism.pipeline_parallel_last_stage_less_layers"}, 0, 10'000).value_or(1);
    if (*pp_ == 1) {
      findings_.assume("parallelism.virtual_stages", 1, "no pipeline");
      return;
    }
    if (schedule == "gpipe") {
      findings_.know("parallelism.schedule", std::string("gpipe"), schedule_key);
    } else if (schedule == "1f1b" || schedule == "interleaved1f1b") {
      findings_.say(!schedule_key.empty(), "parallelism.schedule", std::string("1f1b"),
                    schedule_key.empty() ? "torchtitan's default" : schedule_key);
    } else {
      findings_.outside("parallelism.schedule",
                        fmt::format("{} {} is none that railwright has", schedule_key, schedule));
    }
    chunks(std::ranges::count(kManyChunks, schedule) > 0, per_stage, first, last);
  }

  /// Adds chunks as pipeline_parallel.py divides them: the embedding and the loss stand for layers.
  void chunks(bool many, std::optional<std::int64_t> per_stage, std::int64_t first,
              std::int64_t last) {
    if (part_.values().has("parallelism.pipeline_parallel_split_points") ||
        part_.values().has("parallelism.module_fqns_per_model_part") ||
        part_.values().has("experimental.pipeline_parallel_split_points")) {
      findings_.outside("parallelism.layers_per_chunk", "split points named one by one");
      return;
    }
    std::int64_t num_chunks = *pp_ * (many ? 2 : 1);
    if (per_stage && layers_ == 0) {
      findings_.outside("parallelism.virtual_stages",
                        "layers of a stage, but the number of layers is not known");
      return;
    }
    const std::int64_t all = layers_ + first + last;
    if (per_stage) num_chunks = (all + *per_stage - 1) / *per_stage;
    if (num_chunks % *pp_ != 0) {
      findings_.problem_in_file(
          fmt::format("{} chunks do not divide over {} stages", num_chunks, *pp_));
      return;
    }
    findings_.say(per_stage.has_value(), "parallelism.virtual_stages", num_chunks / *pp_,
                  per_stage ? "parallelism.pipeline_parallel_layers_per_stage"
                  : many    ? "two chunks a stage: torchtitan's default for this schedule"
                            : "one chunk a stage");
    if (layers_ == 0 || first > 1 || last > 1 || num_chunks > all) {
      findings_.not_expressed("how layers are dealt over stages: taken as alike");
      return;
    }
    std::vector<std::int64_t> layers(static_cast<std::size_t>(num_chunks), all / num_chunks);
    for (std::int64_t i = 0; i < all % num_chunks; ++i) ++layers[static_cast<std::size_t>(i)];
    findings_.assume(
        "parallelism.layers_per_chunk", layers,
        "torchtitan deals layers, embedding and loss evenly, the first stages one more");
    findings_.assume("parallelism.embedding_as_layer", first == 1, "as torchtitan counts it");
    findings_.assume("parallelism.loss_as_layer", last == 1, "as torchtitan counts it");
  }

  void batches() {
    const auto length =
        whole_of({"training.seq_len", "training.max_context_length", "training.context_len"}, 1,
                 100'000'000);
    say(length, "workload.sequence_length", "training.seq_len", 2048);
    std::string local_key;
    auto local =
        whole_of({"training.local_batch_size", "training.batch_size"}, 1, 1'000'000, &local_key);
    if (!local && local_key.empty()) local = 8;
    const std::string key = local_key.empty() ? "training.local_batch_size" : local_key;
    if (pp_.value_or(1) == 1) {
      if (local) {
        findings_.say(
            !local_key.empty(), "workload.micro_batch", *local,
            local_key.empty() ? "no training.local_batch_size: torchtitan's default" : key);
      }
    } else if (const auto count =
                   whole_of({"experimental.pipeline_parallel_microbatches"}, 1, 1'000'000)) {
      if (local && *local % *count == 0) {
        findings_.know("workload.micro_batch", *local / *count,
                       "training.batch_size over experimental.pipeline_parallel_microbatches");
      }
    } else if (part_.values().has("experimental.pipeline_parallel_degree") && local) {
      findings_.assume("workload.micro_batch", std::max<std::int64_t>(1, *local / *pp_),
                       "a micro-batch a stage: the default of torchtitan in 2024");
    } else {
      const auto micro = whole_of({"parallelism.pipeline_parallel_microbatch_size"}, 1, 1'000'000);
      say(micro, "workload.micro_batch", "parallelism.pipeline_parallel_microbatch_size", 1);
    }
    global(local);
    if (const auto steps = whole_of({"training.steps"}, 1, 1'000'000'000)) {
      findings_.know("workload.steps", *steps, "training.steps");
    } else if (!part_.is_outside("training.steps")) {
      findings_.unknown("workload.steps", "no training.steps");
    }
    const std::string enable = part_.key_of({"checkpoint.enable", "checkpoint.enable_checkpoint"});
    if (!enable.empty() && part_.yes(enable).value_or(false)) {
      if (const auto interval = whole_of({"checkpoint.interval"}, 1, 1'000'000'000)) {
        findings_.know("checkpoint.interval_steps", *interval, "checkpoint.interval");
      }
    }
  }

  void say(std::optional<std::int64_t> value, const char* path, const char* key,
           std::int64_t otherwise) {
    if (part_.is_outside(key)) return;
    findings_.say(value.has_value(), path, value.value_or(otherwise),
                  value ? std::string(key) : fmt::format("no {}: torchtitan's default", key));
  }

  void global(std::optional<std::int64_t> local) {
    shards_ = whole_of({"parallelism.data_parallel_shard_degree",
                        "training.data_parallel_shard_degree", "training.data_parallel_degree"},
                       -1, 1'000'000);
    replicas_ = whole_of({"parallelism.data_parallel_replicate_degree",
                          "training.data_parallel_replicate_degree"},
                         1, 1'000'000)
                    .value_or(1);
    const auto told = whole_of({"training.global_batch_size"}, -1, 1'000'000'000);
    const bool has_ranks = shards_.value_or(-1) > 0;
    if (has_ranks && model_ranks_ > 0) {
      findings_.unknown("cluster.nodes",
                        fmt::format("{} accelerators in all", *shards_ * replicas_ * model_ranks_));
    }
    if (told.value_or(-1) > 0) {
      findings_.know("workload.global_batch", *told, "training.global_batch_size");
    } else if (has_ranks && local) {
      findings_.assume("workload.global_batch", *local * *shards_ * replicas_,
                       fmt::format("{} sequences on each of {} data-parallel ranks", *local,
                                   *shards_ * replicas_));
    } else if (local && !part_.is_outside("training.global_batch_size")) {
      findings_.unknown("workload.global_batch",
                        fmt::format("{} times the number of data-parallel ranks", *local));
    }
  }

  void sharding() {
    const std::string path = "software.zero_stage";
    if (shards_.value_or(-1) == 1 && replicas_ > 1) {
      findings_.know(path, 0, "data_parallel_shard_degree 1: replicas");
      return;
    }
    findings_.say(
        shards_.has_value(), path, 3,
        shards_ ? "data_parallel_shard_degree" : "FSDP over all ranks: torchtitan's default");
    if (replicas_ > 1 && shards_.value_or(-1) > 1) {
      findings_.know("parallelism.zero_group", *shards_, "data_parallel_shard_degree");
    } else if (replicas_ > 1) {
      findings_.unknown("parallelism.zero_group",
                        fmt::format("{} copies: the ranks over them", replicas_));
    }
    const auto policy = part_.lower("parallelism.fsdp_reshard_after_forward");
    const bool told = policy == "always" || policy == "never";
    findings_.say(
        told, "software.reshard_after_forward",
        policy == "always" || (policy != "never" && pp_.value_or(1) == 1),
        told ? "parallelism.fsdp_reshard_after_forward" : "the default: only without a pipeline");
    if (part_.yes("training.enable_cpu_offload").value_or(false)) {
      findings_.not_expressed(
          "training.enable_cpu_offload: name a tier of the catalogue in software.offload");
    }
  }

  void precision() {
    const auto converters = part_.words("model.converters");
    const auto has = [&](std::string_view word) {
      return std::ranges::any_of(converters, [&](const std::string& name) {
        return name.find(word) != std::string::npos;
      });
    };
    const std::string path = "software.precision";
    const bool float8 = has("float8") || part_.yes("float8.enable_float8_linear").value_or(false);
    if (has("mx")) {
      findings_.know(path, std::string("fp8"), "model.converters");
      findings_.know("software.fp8_scaling", std::string("block"), "MXFP8");
    } else if (float8) {
      findings_.know(path, std::string("fp8"), "float8");
      scaling();
    } else {
      if (has("turbo")) findings_.not_expressed("model.converters: kernels of Primus-Turbo");
      const auto word = part_.lower("training.mixed_precision_param");
      const bool told = word == "bfloat16" || word == "float32" || word == "float16";
      if (!part_.is_outside("training.mixed_precision_param")) {
        findings_.say(told, path,
                      std::string(word == "float32"   ? "fp32"
                                  : word == "float16" ? "fp16"
                                                      : "bf16"),
                      told ? "training.mixed_precision_param" : "torchtitan's default");
      }
    }
    if (const auto reduce = part_.lower("training.mixed_precision_reduce")) {
      findings_.know("software.gradient_reduce_bytes", *reduce == "float32" ? 4 : 2,
                     "training.mixed_precision_reduce");
    }
    for (const char* key : {"float8.enable_fsdp_float8_all_gather",
                            "quantize.linear.float8.enable_fsdp_float8_all_gather"}) {
      if (part_.yes(key).value_or(false) && float8) {
        findings_.know("software.parameter_gather_bytes", 1, key);
      }
    }
    if (part_.values().has("training.dtype") && part_.lower("training.dtype") != "float32") {
      findings_.not_expressed("training.dtype: the optimizer's state is in this format too");
    }
  }

  void scaling() {
    const std::string key =
        part_.key_of({"float8.recipe_name", "quantize.linear.float8.recipe_name"});
    const auto recipe = key.empty() ? std::nullopt : part_.lower(key);
    const std::string path = "software.fp8_scaling";
    if (recipe && recipe->starts_with("rowwise")) {
      findings_.know(path, std::string("row"), fmt::format("{} {}", key, shown(*recipe)));
      if (*recipe != "rowwise") {
        findings_.not_expressed(fmt::format("{} {}: gradients of weights in 16 bits, taken as fp8",
                                            key, shown(*recipe)));
      }
      return;
    }
    findings_.assume(
        path, std::string("tensor"),
        recipe ? fmt::format("{} {}", key, shown(*recipe)) : "a scale for each tensor");
  }

  void recompute() {
    const std::string path = "software.recompute";
    const std::string key = "activation_checkpoint.mode";
    const auto mode = part_.lower(key);
    const auto option =
        part_.lower("activation_checkpoint.selective_ac_option").value_or(mode ? "2" : "");
    if (part_.is_outside(key)) return;
    if (mode == "none" || mode == "full") {
      findings_.know(path, *mode, key);
    } else if (mode && *mode != "selective") {
      findings_.outside(path, fmt::format("{} {} is none that railwright has", key, shown(*mode)));
    } else if (option == "op") {
      findings_.know(path, std::string("alternate_products"),
                     "activation_checkpoint.selective_ac_option op");
    } else if (mode && layers_ > 0 && option.size() == 1 && option[0] >= '1' && option[0] <= '9') {
      const std::int64_t every = option[0] - '0';
      findings_.know(path, std::string("full"), "activation_checkpoint: every such layer");
      const std::int64_t chunk = layers_ / pp_.value_or(1);
      findings_.assume("software.recompute_layers", std::max<std::int64_t>(1, chunk / every),
                       fmt::format("one layer of {}, taken as the first of a stage", every));
    } else {
      findings_.unknown(path, mode ? fmt::format("every {}th layer", shown(option))
                                   : "no activation_checkpoint.mode");
    }
  }

  void kernels() {
    const std::string key = part_.key_of({"compile.enable", "training.compile"});
    const bool compiled = !key.empty() && part_.yes(key).value_or(false);
    const auto components = part_.words("compile.components");
    const bool model = components.empty() || std::ranges::count(components, "model") > 0;
    if (!part_.is_outside(key)) {
      findings_.say(!key.empty(), "software.elementwise",
                    std::string(compiled && model ? "fused" : "eager"),
                    key.empty() ? "no compile.enable: torchtitan's default" : key);
    }
    const std::string async = part_.key_of(
        {"parallelism.enable_async_tensor_parallel", "experimental.enable_async_tensor_parallel"});
    const bool overlaps = !async.empty() && part_.yes(async).value_or(false);
    findings_.say(!async.empty(), "software.overlap_tensor_parallel", overlaps && compiled,
                  async.empty() ? "no parallelism.enable_async_tensor_parallel" : async);
    const auto backend = part_.lower("parallelism.expert_parallel_comm_backend");
    if (backend) {
      findings_.know("software.expert_dispatcher",
                     std::string(*backend == "standard" ? "all_to_all" : "deepep"),
                     "parallelism.expert_parallel_comm_backend");
    }
    context_exchange();
    const auto optimizer = part_.lower("optimizer.name");
    if (optimizer && *optimizer != "adam" && *optimizer != "adamw") {
      findings_.unknown("software.optimizer",
                        fmt::format("'{}' is none that railwright has", shown(*optimizer)));
    } else {
      findings_.say(optimizer.has_value(), "software.optimizer", std::string("adam"),
                    optimizer ? "optimizer.name" : "AdamW: torchtitan's default");
    }
    if (part_.yes("optimizer.early_step_in_backward").value_or(false)) {
      findings_.not_expressed("optimizer.early_step_in_backward: no gradients are kept");
    }
    if (part_.yes("fault_tolerance.enable").value_or(false)) {
      findings_.not_expressed("fault_tolerance: replicas of TorchFT beside this job");
    }
    part_.values().ignore({"fault_tolerance"});
  }

  /// PyTorch gathers keys and values at once or passes them on.
  void context_exchange() {
    const std::string key = part_.key_of({"parallelism.context_parallel_rotate_method",
                                          "experimental.context_parallel_rotate_method"});
    if (key.empty() || part_.is_outside(key)) return;
    const std::string word = part_.lower(key).value_or("");
    if (cp_.value_or(1) == 1) return;
    if (word == "allgather" || word == "alltoall") {
      findings_.know("software.context_exchange",
                     std::string(word == "alltoall" ? "ring" : "gathered_ring"), key);
    } else {
      findings_.unknown("software.context_exchange",
                        fmt::format("{} is none that railwright has", shown(word)));
    }
  }

  TrainingPart& part_;
  Findings& findings_;
  std::optional<std::int64_t> cp_;
  int layers_ = 0;  ///< of the model; 0 where it is not known
  std::optional<std::int64_t> pp_;
  std::int64_t model_ranks_ = 0;  ///< that share a copy of the model; 0 where it is not known
  std::optional<std::int64_t> shards_;
  std::int64_t replicas_ = 1;
};

}  // namespace

void add_torchtitan_job(TrainingPart& part) {
  if (part.key_of({"model.flavor", "training.seq_len", "training.local_batch_size",
                   "training.batch_size", "parallelism.tensor_parallel_degree",
                   "parallelism.data_parallel_shard_degree", "training.tensor_parallel_degree"})
          .empty()) {
    part.findings().problem_in_file(
        "no configuration of torchtitan",
        "model.flavor, training.seq_len, parallelism.tensor_parallel_degree ... are looked for");
    part.findings().throw_if_any();
  }
  TorchtitanJob(part).all();
}

}  // namespace railwright::importers
