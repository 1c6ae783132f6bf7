// SPDX-License-Identifier: Apache-2.0
#include "megatron_stack.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "railwright/core/config/text_file.hpp"

namespace railwright::importers {

namespace {

class Stack {
 public:
  Stack(TreeValues& arguments, bool is_complete, std::int64_t virtual_stages, Findings& findings)
      : arguments_(arguments),
        is_complete_(is_complete),
        virtual_(virtual_stages),
        findings_(findings) {}

  void all() {
    precision();
    sharding();
    overlaps();
    recompute();
    moments();
    kernels();
    experts();
    context_exchange();
    cuda_graphs();
  }

 private:
  void precision() {
    const bool bf16 = arguments_.truth("bf16").value_or(false);
    const bool fp16 = arguments_.truth("fp16").value_or(false);
    const bool fp8 = has_value("fp8") || has_value("fp8_format") || has_value("fp8_e4m3") ||
                     has_value("fp8_hybrid");
    const auto recipe = arguments_.text("fp8_recipe");
    if (fp8 && recipe) {
      findings_.know("software.fp8_scaling",
                     std::string(*recipe == "mxfp8" || *recipe == "blockwise" ? "block" : "tensor"),
                     "fp8_recipe");
    }
    const bool fp4 = has_value("fp4") || has_value("fp4_format");
    arguments_.ignore({"fp8", "fp8_format", "fp8_amax_history_len", "fp8_amax_compute_algo",
                       "fp8_margin", "fp8_interval", "fp4", "fp4_format", "fp4_recipe"});
    element_bytes_ = bf16 || fp16 ? 2 : 4;
    if (fp4) {
      findings_.know("software.precision", std::string("fp4"), "fp4 and its format");
    } else if (bf16 && fp16 && !fp8) {
      findings_.outside("software.precision", "the file has --bf16 and --fp16, one in each branch");
    } else {
      say_precision(bf16, fp16, fp8);
    }
    gradients(bf16, fp16);
  }

  void say_precision(bool bf16, bool fp16, bool fp8) {
    findings_.say(bf16 || fp16 || fp8, "software.precision",
                  std::string(fp8    ? "fp8"
                              : bf16 ? "bf16"
                              : fp16 ? "fp16"
                                     : "fp32"),
                  fp8            ? "fp8 and its format"
                  : bf16 || fp16 ? "bf16 or fp16"
                                 : "neither bf16 nor fp16; PyTorch may still use tf32");
  }

  void gradients(bool bf16, bool fp16) {
    // bf16 implies accumulate_allreduce_grads_in_fp32.
    const bool in_fp32 = arguments_.truth("accumulate_allreduce_grads_in_fp32").value_or(bf16);
    const bool in_bf16 = arguments_.truth("grad_reduce_in_bf16").value_or(false);
    reduce_bytes_ = in_bf16 || (fp16 && !in_fp32) ? 2 : 4;
    findings_.say(in_bf16 || arguments_.has("accumulate_allreduce_grads_in_fp32"),
                  "software.gradient_reduce_bytes", reduce_bytes_,
                  in_bf16   ? "grad_reduce_in_bf16"
                  : in_fp32 ? "gradients are accumulated and reduced in fp32"
                            : "gradients are reduced in the precision of the model");
    const bool unfused = arguments_.truth("no_gradient_accumulation_fusion").value_or(false) ||
                         !arguments_.truth("gradient_accumulation_fusion").value_or(true);
    findings_.say(unfused, "software.gradient_accumulation_fusion", !unfused,
                  unfused ? "no_gradient_accumulation_fusion"
                          : "gradient_accumulation_fusion: Megatron's default");
    const bool narrow = arguments_.truth("fp8_param_gather").value_or(false);
    findings_.say(
        narrow, "software.parameter_gather_bytes", narrow ? 1 : element_bytes_,
        narrow ? "fp8_param_gather" : "parameters are gathered in the precision of the model");
    if (arguments_.truth("fp4_param_gather").value_or(false)) {
      findings_.not_expressed("fp4_param_gather: software.parameter_gather_bytes are whole bytes");
    }
  }

  [[nodiscard]] bool has_value(std::string_view name) {
    const core::Node* node = arguments_.find(name);
    return node != nullptr && node->text != "false" && node->text != "False";
  }

  void sharding() {
    const auto strategy = arguments_.text("data_parallel_sharding_strategy");
    const bool fsdp = arguments_.truth("use_custom_fsdp").value_or(false) ||
                      arguments_.truth("use_megatron_fsdp").value_or(false);
    if (const auto zero = arguments_.whole("zero_stage", 0, 3)) {
      findings_.know("software.zero_stage", *zero, "zero_stage");
    } else if (arguments_.truth("deepspeed").value_or(false)) {
      findings_.outside("software.zero_stage", "the file of --deepspeed_config tells it");
    } else if (arguments_.truth("use_torch_fsdp2").value_or(false)) {
      findings_.know("software.zero_stage", 3, "use_torch_fsdp2");
    } else if (fsdp && strategy && *strategy != "no_shard") {
      const int stage = *strategy == "optim" ? 1 : *strategy == "optim_grads" ? 2 : 3;
      findings_.know("software.zero_stage", stage, "data_parallel_sharding_strategy");
    } else if (arguments_.text("optimizer") == "dist_muon") {
      findings_.know("software.zero_stage", 1, "optimizer dist_muon");
    } else {
      const auto distributed = arguments_.truth("use_distributed_optimizer");
      findings_.say(distributed.has_value(), "software.zero_stage",
                    distributed.value_or(false) ? 1 : 0,
                    distributed ? "use_distributed_optimizer"
                                : "no use_distributed_optimizer: Megatron's default");
    }
    const auto instances = arguments_.whole("num_distributed_optimizer_instances", 1, 65536);
    if (instances.value_or(1) > 1) {
      findings_.not_expressed(fmt::format(
          "num_distributed_optimizer_instances {}: parallelism.zero_group is the data-parallel "
          "ranks over it",
          *instances));
    }
  }

  void overlaps() {
    const bool reduce = add_megatron_flag(arguments_, findings_, "overlap_grad_reduce",
                                          "software.overlap_gradient_reduce", false);
    add_megatron_flag(arguments_, findings_, "overlap_param_gather",
                      "software.overlap_parameter_gather", false);
    add_megatron_flag(arguments_, findings_, "tp_comm_overlap", "software.overlap_tensor_parallel",
                      false);
    const auto pairs = arguments_.truth("overlap_p2p_communication");
    const bool off =
        arguments_.truth("no_overlap_p2p_communication").value_or(false) || !pairs.value_or(true);
    findings_.assume("software.overlap_pipeline", virtual_ > 1 && !off,
                     off ? "sends and receives are waited for"
                     : virtual_ > 1
                         ? "interleaved stages send along with computation unless told not "
                           "to"
                         : "without virtual stages sends and receives are waited for");
    if (const auto elements = arguments_.number("ddp_bucket_size", 1.0, 1e15)) {
      findings_.know(
          "software.bucket", core::DataSize::from_base(std::max(1e6, *elements * reduce_bytes_)),
          fmt::format("ddp_bucket_size, {:g} elements of {} bytes", *elements, reduce_bytes_));
      findings_.know("software.bucket_replica_parameters", std::int64_t{0}, "ddp_bucket_size");
    } else if (reduce) {
      // [@megatron_core_ddp]
      findings_.assume("software.bucket", core::DataSize::from_base(40e6 * reduce_bytes_),
                       fmt::format("no ddp_bucket_size: Megatron's default of 40 million elements "
                                   "of {} bytes",
                                   reduce_bytes_));
      findings_.assume("software.bucket_replica_parameters", std::int64_t{1'000'000},
                       "no ddp_bucket_size: Megatron's default of a million elements a replica");
    } else {
      findings_.assume("software.bucket", core::DataSize::from_base(1e9),
                       "one bucket where nothing overlaps, cut so that it is a sensible message");
      findings_.assume("software.bucket_replica_parameters", std::int64_t{0},
                       "one bucket where nothing overlaps");
    }
  }

  void recompute() {
    const bool short_form = arguments_.truth("recompute_activations").value_or(false);
    const bool experts = arguments_.truth("moe_layer_recompute").value_or(false);
    const auto granularity = arguments_.text("recompute_granularity");
    const auto method = arguments_.text("recompute_method");
    const auto layers = arguments_.whole("recompute_num_layers", 0, 10'000);
    if (granularity && *granularity == "full" && layers == 0) {
      findings_.know("software.recompute", std::string("none"), "recompute_num_layers 0");
    } else if (granularity && *granularity == "full") {
      findings_.know("software.recompute", std::string("full"), "recompute_granularity");
      if (method && *method == "block" && layers) {
        findings_.know("software.recompute_layers", *layers, "recompute_method block");
      } else if (layers.value_or(1) > 1) {
        findings_.not_expressed(
            "recompute_method uniform of several layers: taken as each layer by itself");
      }
    } else if (short_form || (granularity && *granularity == "selective")) {
      findings_.know("software.recompute", std::string("selective"),
                     short_form ? "recompute_activations" : "recompute_granularity");
      recompute_modules();
    } else if (experts) {
      findings_.know("software.recompute", std::string("selective"), "moe_layer_recompute");
      findings_.know("software.recompute_modules", std::vector<std::string>{"experts"},
                     "moe_layer_recompute");
    } else if (granularity) {
      findings_.problem(arguments_.find("recompute_granularity")->where, "recompute_granularity",
                        fmt::format("expected full or selective, got '{}'", shown(*granularity)));
    } else if (!arguments_.is_outside("recompute_granularity")) {
      findings_.say(is_complete_, "software.recompute", std::string("none"),
                    "no recompute_granularity");
    }
  }

  void recompute_modules() {
    static const std::map<std::string_view, std::string_view> kModules{
        {"core_attn", "attention"},
        {"layernorm", "norms"},
        {"mla_up_proj", "latent_projections"},
        {"mlp", "feed_forward"},
        {"moe_act", "expert_activation"},
        {"moe", "experts"},
        {"shared_experts", "shared_experts"}};
    const core::Node* list = arguments_.find("recompute_modules");
    if (list == nullptr) return;
    std::vector<std::string> modules;
    const auto add = [&](const core::Node& name) {
      const auto found = kModules.find(name.text);
      if (found == kModules.end()) {
        findings_.not_expressed(fmt::format("recompute_modules {}", shown(name.text)));
      } else {
        modules.emplace_back(found->second);
      }
    };
    if (list->kind == core::Node::Kind::kScalar) add(*list);
    for (const core::Node& name : list->items) add(name);
    if (!modules.empty()) {
      findings_.know("software.recompute_modules", modules, "recompute_modules");
    }
  }

  /// Muon, with what of its settings is taken otherwise.
  void muon() {
    findings_.know("software.optimizer", std::string("muon"), "optimizer");
    if (const auto steps = arguments_.whole("muon_num_ns_steps", 1, 1000); steps.value_or(5) != 5) {
      findings_.not_expressed(
          fmt::format("muon_num_ns_steps {}: five steps of Newton and Schulz are taken", *steps));
    }
    if (const auto mode = arguments_.text("muon_tp_mode");
        mode.value_or("blockwise") != "blockwise") {
      findings_.not_expressed(fmt::format(
          "muon_tp_mode {}: each rank of tensor parallelism takes its slice alone", shown(*mode)));
    }
  }

  /// Numbers that the optimizer keeps, fp32 unless told.
  void moments() {
    static constexpr auto kBytes = std::to_array<std::pair<std::string_view, int>>(
        {{"fp32", 4}, {"float32", 4}, {"bf16", 2}, {"bfloat16", 2}, {"fp16", 2}, {"fp8", 1}});
    const bool is_aware = arguments_.truth("use_precision_aware_optimizer").value_or(false);
    const auto first = arguments_.text("exp_avg_dtype").value_or("fp32");
    const auto second = arguments_.text("exp_avg_sq_dtype").value_or("fp32");
    if (!is_aware) return;
    const auto* const found =
        std::ranges::find_if(kBytes, [&](const auto& one) { return one.first == first; });
    if (first == second && found != kBytes.end()) {
      findings_.know("software.moment_bytes", found->second, "exp_avg_dtype, exp_avg_sq_dtype");
    } else {
      findings_.unknown(
          "software.moment_bytes",
          fmt::format("exp_avg_dtype {}, exp_avg_sq_dtype {}", shown(first), shown(second)));
    }
  }

  void experts() {
    const auto type = arguments_.text("moe_token_dispatcher_type");
    const bool flex = type && *type == "flex";
    if (type) {
      findings_.know("software.expert_dispatcher", std::string(flex ? "deepep" : "all_to_all"),
                     "moe_token_dispatcher_type");
    }
    if (type && *type == "allgather") {
      findings_.not_expressed("moe_token_dispatcher_type allgather: taken as alltoall");
    }
    arguments_.ignore({"moe_enable_deepep", "moe_flex_dispatcher_backend", "moe_deepep_num_sms"});
    // A model that is named may have experts too.
    const bool has_experts = arguments_.has("num_experts");
    for (const auto& [name, path] :
         {std::pair{"moe_permute_fusion", "software.fused_permutation"},
          std::pair{"overlap_moe_expert_parallel_comm", "software.overlap_expert_parallel"}}) {
      if (has_experts || arguments_.has(name)) {
        add_megatron_flag(arguments_, findings_, name, path, false);
      }
    }
  }

  /// One word, or one for each layer.
  void context_exchange() {
    static const std::map<std::string_view, std::string_view> kKinds{
        {"p2p", "ring"},
        {"allgather", "all_gather"},
        {"a2a", "all_to_all"},
        {"a2a+p2p", "all_to_all_ring"}};
    const core::Node* given = arguments_.find("cp_comm_type");
    const core::Node* sizes = arguments_.find("hierarchical_context_parallel_sizes");
    if (given == nullptr || arguments_.whole("context_parallel_size").value_or(1) == 1) return;
    const core::Node& first = given->items.empty() ? *given : given->items.front();
    const bool is_one = std::ranges::all_of(
        given->items, [&](const core::Node& item) { return item.text == first.text; });
    const auto kind = kKinds.find(first.text);
    if (!is_one || kind == kKinds.end()) {
      findings_.unknown(
          "software.context_exchange",
          is_one ? fmt::format("cp_comm_type {} is none that railwright has", shown(first.text))
                 : "cp_comm_type differs by layer");
      return;
    }
    findings_.know("software.context_exchange", std::string(kind->second), "cp_comm_type");
    if (kind->first != "a2a+p2p") return;
    std::int64_t swapped = 0;
    if (sizes != nullptr && sizes->items.size() == 2) {
      const std::string& size = sizes->items.front().text;
      std::from_chars(size.data(), size.data() + size.size(), swapped);
    }
    if (swapped > 0) {
      findings_.know("software.context_swap_ranks", swapped,
                     "the first of hierarchical_context_parallel_sizes");
    } else {
      findings_.outside("software.context_swap_ranks",
                        "a2a+p2p without two hierarchical_context_parallel_sizes");
    }
  }

  void cuda_graphs() {
    const auto has_scope = [&](std::string_view name) {
      const core::Node* scope = arguments_.find("cuda_graph_scope");
      if (scope == nullptr) return false;
      return scope->text == name || std::ranges::any_of(scope->items, [&](const core::Node& item) {
               return item.text == name;
             });
    };
    const auto implementation = arguments_.text("cuda_graph_impl");
    const bool full = has_scope("full_iteration") || implementation == "full_iteration";
    const std::string path = "software.cuda_graphs";
    const bool of_router = has_scope("moe_router") && !has_scope("attn");
    const std::string graphs = full ? "full" : of_router ? "router" : "partial";
    if (implementation) {
      findings_.know(path, *implementation == "none" ? "none" : graphs, "cuda_graph_impl");
      return;
    }
    for (const char* flag : {"enable_cuda_graph", "external_cuda_graph"}) {
      if (!arguments_.truth(flag).value_or(false)) continue;
      findings_.know(path, graphs, flag);
      return;
    }
  }

  void kernels() {
    const auto backend = arguments_.text("attention_backend");
    const bool flash = arguments_.truth("use_flash_attn").value_or(false);
    const auto implementation = arguments_.text("transformer_impl");
    const std::string path = "software.attention";
    if (backend && (*backend == "unfused" || *backend == "local")) {
      findings_.know(path, std::string("unfused"), "attention_backend");
    } else if (backend && *backend == "fused") {
      findings_.assume(path, std::string("fused_native"),
                       "attention_backend fused: cuDNN's, written for the device");
    } else if (flash || (backend && *backend == "flash")) {
      findings_.know(path, std::string("fused"), flash ? "use_flash_attn" : "attention_backend");
    } else if (implementation && *implementation == "local") {
      findings_.know(path, std::string("unfused"),
                     "transformer_impl local without flash attention");
    } else {
      findings_.unknown(path, "Transformer Engine chooses by device and shape");
    }
    const double dropout = std::max(arguments_.number("attention_dropout", 0.0, 1.0).value_or(0.1),
                                    arguments_.number("hidden_dropout", 0.0, 1.0).value_or(0.1));
    findings_.say(arguments_.has("attention_dropout") && arguments_.has("hidden_dropout"),
                  "software.dropout", dropout > 0.0,
                  "attention_dropout and hidden_dropout, 0.1 unless told");
    if (arguments_.has("cross_entropy_loss_fusion")) {
      add_megatron_flag(arguments_, findings_, "cross_entropy_loss_fusion", "software.fused_loss",
                        false);
    }
    const auto optimizer = arguments_.text("optimizer");
    if (optimizer == "muon" || optimizer == "dist_muon") {
      muon();
    } else if (optimizer && *optimizer != "adam" && *optimizer != "sgd") {
      findings_.unknown("software.optimizer",
                        fmt::format("'{}' is none that railwright has", shown(*optimizer)));
    } else {
      findings_.say(optimizer.has_value(), "software.optimizer",
                    std::string(optimizer && *optimizer == "sgd" ? "sgd_momentum" : "adam"),
                    optimizer ? "optimizer" : "no optimizer: Megatron's default");
    }
    if (arguments_.truth("optimizer_cpu_offload").value_or(false)) {
      findings_.not_expressed("optimizer_cpu_offload: software.offload.optimizer names a tier");
    }
    if (const auto layers = arguments_.whole("cpu_offloading_num_layers", 1, 10'000)) {
      findings_.not_expressed(
          fmt::format("cpu_offloading_num_layers: software.offload.activations names a tier, "
                      "activation_share is {} of all layers",
                      *layers));
    }
  }

  TreeValues& arguments_;
  bool is_complete_;
  std::int64_t virtual_;
  Findings& findings_;
  int element_bytes_ = 2;
  int reduce_bytes_ = 4;
};

}  // namespace

bool add_megatron_flag(TreeValues& arguments, Findings& findings, const std::string& name,
                       const std::string& path, bool otherwise) {
  const auto value = arguments.truth(name);
  if (arguments.is_outside(name)) return otherwise;
  findings.say(value.has_value(), path, value.value_or(otherwise),
               value ? name : fmt::format("no {}: Megatron's default", name));
  return value.value_or(otherwise);
}

void add_megatron_stack(TreeValues& arguments, bool is_complete, std::int64_t virtual_stages,
                        Findings& findings) {
  Stack(arguments, is_complete, virtual_stages, findings).all();
}

}  // namespace railwright::importers
