// SPDX-License-Identifier: Apache-2.0
// A training stack's public recipe: facts of the stack, not of any site.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "railwright/core/config/fields.hpp"
#include "railwright/core/hardware/precision.hpp"
#include "railwright/core/units/quantity.hpp"
#include "railwright/models/offload/offload.hpp"
#include "railwright/models/software/collectives.hpp"
#include "railwright/models/software/recompute.hpp"

namespace railwright::models {

/// Bytes of a number.
inline constexpr double kHalfBytes = 2.0;
inline constexpr double kFp32Bytes = 4.0;

enum class AttentionKernel : std::uint8_t {
  kFused,        ///< flash attention: no matrix of scores leaves the multiprocessor
  kFusedFirst,   ///< like kFused, with kernels of the first version
  kFusedNative,  ///< like kFused, with kernels written for the device
  kUnfused,      ///< two batched products with a softmax kernel, and dropout, between them
};

constexpr auto enum_words(AttentionKernel) {
  using enum AttentionKernel;
  return core::words<AttentionKernel>({{"fused", kFused},
                                       {"fused_first", kFusedFirst},
                                       {"fused_native", kFusedNative},
                                       {"unfused", kUnfused}});
}

enum class Elementwise : std::uint8_t {
  kFused,  ///< one kernel for a norm, an activation with its bias, a residual with its dropout
  kEager,  ///< one kernel for each operation, norms in fp32
};

constexpr auto enum_words(Elementwise) {
  using enum Elementwise;
  return core::words<Elementwise>({{"fused", kFused}, {"eager", kEager}});
}

enum class GatherUnit : std::uint8_t {
  kLayer,   ///< FSDP's blocks
  kWeight,  ///< each weight where it is used, as in XLA and DeepSpeed
};

constexpr auto enum_words(GatherUnit) {
  using enum GatherUnit;
  return core::words<GatherUnit>({{"layer", kLayer}, {"weight", kWeight}});
}

enum class Fp8Scaling : std::uint8_t {
  kTensor,  ///< one scale per tensor, delayed or current
  kBlock,   ///< one scale per block: 1 x 128 and 128 x 128, MXFP8 on Blackwell
};

constexpr auto enum_words(Fp8Scaling) {
  using enum Fp8Scaling;
  return core::words<Fp8Scaling>({{"tensor", kTensor}, {"block", kBlock}});
}

enum class ExpertDispatcher : std::uint8_t {
  kAllToAll,  ///< the collectives library sends a copy of a token to each of its experts
  kDeepEp,    ///< special kernels send a token once to each node [@deepep]
};

constexpr auto enum_words(ExpertDispatcher) {
  using enum ExpertDispatcher;
  return core::words<ExpertDispatcher>({{"all_to_all", kAllToAll}, {"deepep", kDeepEp}});
}

enum class ExpertKernels : std::uint8_t {
  kSeparate,  ///< separate kernels for each expert's products and casts
  kGrouped,   ///< one kernel for all experts
  kFused,     ///< like kGrouped; with MXFP8 it activates and casts too [@transformer_engine]
};

constexpr auto enum_words(ExpertKernels) {
  using enum ExpertKernels;
  return core::words<ExpertKernels>(
      {{"separate", kSeparate}, {"grouped", kGrouped}, {"fused", kFused}});
}

enum class CudaGraphs : std::uint8_t {
  kNone,
  kPartial,  ///< a layer except its experts, whose shapes depend on their tokens
  kFull,     ///< a whole step
};

constexpr auto enum_words(CudaGraphs) {
  using enum CudaGraphs;
  return core::words<CudaGraphs>({{"none", kNone}, {"partial", kPartial}, {"full", kFull}});
}

enum class Optimizer : std::uint8_t {
  kAdam,         ///< two moments; gradients are clipped by their norm
  kSgdMomentum,  ///< one moment
  kLars,  ///< like kSgdMomentum, with a rate from the norms of weight and gradient [@you2017lars]
};

constexpr auto enum_words(Optimizer) {
  using enum Optimizer;
  return core::words<Optimizer>({{"adam", kAdam}, {"sgd_momentum", kSgdMomentum}, {"lars", kLars}});
}

/// The writers of a checkpoint's files.
enum class CheckpointSharding : std::uint8_t {
  kModelParallel,  ///< a file for each rank of the first replica
  kAllRanks,  ///< each rank of each replica writes its share: distributed checkpoints, FSDP, ZeRO
};

constexpr auto enum_words(CheckpointSharding) {
  using enum CheckpointSharding;
  return core::words<CheckpointSharding>(
      {{"model_parallel", kModelParallel}, {"all_ranks", kAllRanks}});
}

/// The format and rates of a stack's checkpoints.
struct CheckpointFormat {
  core::Sourced<double> bytes_per_parameter;
  core::Sourced<CheckpointSharding> sharding{CheckpointSharding::kModelParallel, "default", false};
  core::Sourced<core::Bandwidth> writer_rate;
  core::Sourced<core::Bandwidth> serialization_rate;
  std::optional<core::Sourced<core::Bandwidth>> reader_rate;
  core::Sourced<core::Duration> snapshot_overhead{
      core::Duration::from_base(1.0),
      "PyTorch's first asynchronous checkpoints stop 7B on 128 A100 for 6.3 s in all (PyTorch "
      "blog, "
      "June 2024); with plans that are kept less than a second (arXiv:2407.20143); recalled",
      true};
  core::Sourced<double> write_slowdown{
      1.0,
      "no figure published: MegaScale calls what a copy costs the steps beside it negligible "
      "(arXiv:2402.15627); links that steps and checkpoints share are simulated",
      true};

  static constexpr auto fields() {
    using core::field;
    using core::positive;
    return core::field_list(
        field("bytes_per_parameter", &CheckpointFormat::bytes_per_parameter,
              "Bytes of a checkpoint for each parameter of the model.",
              core::Range{.min = 0.0, .max = 32.0, .open_min = true}),
        field("sharding", &CheckpointFormat::sharding, "Who writes the files.", core::optional),
        field("writer_rate", &CheckpointFormat::writer_rate,
              "What one single-threaded writer puts on the storage network while it writes.",
              positive),
        field("serialization_rate", &CheckpointFormat::serialization_rate,
              "Rate at which a writer turns tensors into bytes between its writes.", positive),
        field("reader_rate", &CheckpointFormat::reader_rate,
              "What one reader takes in at a restore; writer_rate where absent.", positive),
        field("snapshot_overhead", &CheckpointFormat::snapshot_overhead,
              "What an asynchronous checkpoint stops training for beside its copy to host memory: "
              "the plan of who writes what, and a barrier.",
              core::non_negative, core::optional),
        field("write_slowdown", &CheckpointFormat::write_slowdown,
              "Step slowdown while an asynchronous checkpoint is written: what the writers take of "
              "processors and memory.",
              core::between(1, 100), core::optional));
  }
};

/// Returns the numbers that an optimizer keeps for each parameter between steps, without a master
/// weight.
constexpr int num_moments(Optimizer optimizer) { return optimizer == Optimizer::kAdam ? 2 : 1; }

/// The recipe of a stack.
struct SoftwareProfile {
  static constexpr std::string_view kKind = "software";

  std::string name;
  std::string description;
  core::Sourced<int> zero_stage;
  core::Sourced<bool> reshard_after_forward{true, "default", false};
  core::Sourced<bool> sync_every_microbatch{false, "default", false};
  core::Sourced<GatherUnit> gather_unit{GatherUnit::kLayer, "default", false};
  core::Sourced<bool> fp32_shards{false, "default", false};
  core::Sourced<int> gradient_reduce_bytes;
  core::Sourced<bool> gradient_accumulation_fusion{false, "the rule of autograd", true};
  core::Sourced<int> parameter_gather_bytes;
  core::Sourced<core::DataSize> bucket;
  core::Sourced<int> bucket_replica_parameters{0, "the rule of training stacks", true};
  core::Sourced<bool> overlap_gradient_reduce;
  core::Sourced<bool> overlap_parameter_gather;
  core::Sourced<bool> overlap_pipeline;
  core::Sourced<bool> scatter_pipeline{false, "default", false};
  core::Sourced<bool> overlap_tensor_parallel{false, "default", false};
  core::Sourced<double> tensor_parallel_overlap_share{1.0, "neutral", false};
  core::Sourced<bool> overlap_context_parallel{true, "default", false};
  core::Sourced<ExpertDispatcher> expert_dispatcher{ExpertDispatcher::kAllToAll,
                                                    "the rule of training stacks", true};
  core::Sourced<bool> overlap_expert_parallel{false, "default", false};
  core::Sourced<ExpertKernels> expert_kernels{ExpertKernels::kGrouped,
                                              "the rule of training stacks", true};
  core::Sourced<double> overlap_slowdown{1.0, "neutral", false};
  core::Sourced<Recompute> recompute;
  std::vector<RecomputeModule> recompute_modules;
  std::optional<int> recompute_layers;
  core::Sourced<AttentionKernel> attention;
  core::Sourced<bool> dropout;
  core::Sourced<Elementwise> elementwise{Elementwise::kFused, "the rule of training stacks", true};
  core::Sourced<bool> fused_permutation{true, "the rule of training stacks", true};
  core::Sourced<bool> sequence_copies{false, "the rule of training stacks", true};
  core::Sourced<bool> fused_loss{false, "the rule of training stacks", true};
  core::Sourced<bool> loss_copies{false, "the rule of training stacks", true};
  core::Sourced<core::Precision> precision{core::Precision::kBf16, "the rule of training", false};
  core::Sourced<Fp8Scaling> fp8_scaling{Fp8Scaling::kTensor, "default", false};
  core::Sourced<bool> fp8_primary_weights{false, "default", false};
  core::Sourced<bool> fp8_weight_transposes{
      true,
      "PyPI megatron-core 0.12.0, transformer_config.py: disable_parameter_transpose_cache false",
      false};
  core::Sourced<bool> fp8_saved_inputs{
      true, "taken from Transformer Engine (PyPI transformer_engine 2.4.0), module/linear.py",
      true};
  core::Sourced<double> mamba_share{
      0.28, "fitted to Nemotron-H 56B on H100 (github NVIDIA/dgxc-benchmarking v25.05.05)", true};
  core::Sourced<bool> fp8_activation_input{false, "default", false};
  core::Sourced<int> loss_chunk{0, "the rule of training stacks", false};
  core::Sourced<Optimizer> optimizer{Optimizer::kAdam, "the rule of training transformers", false};
  core::Sourced<int> moment_bytes{4, "the rule of training stacks", false};
  core::Sourced<bool> master_weights{true, "the rule of training stacks", false};
  core::Sourced<int> kernels_per_layer;
  core::Sourced<CudaGraphs> cuda_graphs{CudaGraphs::kNone, "default", false};
  core::Sourced<core::Duration> host_launch{
      core::Duration::from_base(5e-6),
      "no measurement used: PyTorch's way through an operator to its launch", true};
  core::Sourced<double> compute_efficiency{1.0, "neutral", false};
  core::Sourced<double> jitter{0.0, "neutral", false};
  core::Sourced<core::Duration> step_overhead{core::Duration{}, "neutral", false};
  core::Sourced<core::DataSize> framework_memory;
  core::Sourced<bool> model_gradients{false, "the rule of training stacks", true};
  core::Sourced<int> step_copies_bytes{0, "the rule of training stacks", true};
  core::Sourced<double> reserved_share{
      0.28,
      "torchtitan without torch.compile on H100, two rows: what its allocator reserved beyond this "
      "model's lines",
      true};
  Offload offload;
  CollectiveTuning collectives;
  CheckpointFormat checkpoint;
  bool fp8_any_layout = false;  ///< copied from the accelerators of the cluster

  /// Returns the gradient bytes of a bucket that `num_replicas` share.
  [[nodiscard]] core::DataSize bucket_among(int num_replicas) const {
    const double grown = static_cast<double>(bucket_replica_parameters.value) * num_replicas *
                         gradient_reduce_bytes.value;
    return std::max(bucket.value, core::DataSize::from_base(grown));
  }
  /// Whether gradients are reduced after every micro-batch: where they are divided, as ranks then
  /// have no room to sum whole ones. Stages of a pipeline sum them anyway.
  [[nodiscard]] bool reduces_every_microbatch(int stage_of_zero, int pp) const {
    return sync_every_microbatch.value || (stage_of_zero == 2 && pp == 1);
  }
  /// Whether the kernels of experts' products also activate and cast.
  [[nodiscard]] bool has_fused_experts() const {
    return expert_kernels.value == ExpertKernels::kFused && has_fp8_blocks();
  }
  [[nodiscard]] bool has_fp8_blocks() const {
    return precision.value == core::Precision::kFp8 && fp8_scaling.value == Fp8Scaling::kBlock;
  }
  /// Whether one narrow copy of a tensor serves both passes.
  [[nodiscard]] bool has_one_fp8_copy() const { return fp8_any_layout && !has_fp8_blocks(); }
  /// Whether full recompute leaves out the layer in a place of a model chunk.
  [[nodiscard]] bool is_kept(int place_in_chunk) const {
    return recompute.value == Recompute::kFull && recompute_layers &&
           place_in_chunk >= *recompute_layers;
  }
  [[nodiscard]] Recomputed recomputed() const {
    return models::recomputed(recompute.value, recompute_modules);
  }
  [[nodiscard]] Recomputed recomputed_at(int place_in_chunk) const {
    return is_kept(place_in_chunk) ? Recomputed{} : recomputed();
  }

  // NOLINTNEXTLINE(readability-function-size): a row a key
  static constexpr auto fields() {
    using core::at_least;
    using core::field;
    using core::optional;
    return core::field_list(
        field("name", &SoftwareProfile::name, "Name in the catalogue."),
        field("description", &SoftwareProfile::description, "The stack in words."),
        field(
            "zero_stage", &SoftwareProfile::zero_stage,
            "What is divided over data-parallel replicas: 0 nothing, 1 the optimizer state, 2 the "
            "gradients too, 3 the parameters too (FSDP).",
            core::between(0, 3)),
        field("reshard_after_forward", &SoftwareProfile::reshard_after_forward,
              "Under zero_stage 3, whether parameters are given up behind each pass and gathered "
              "for the next; else they are gathered once a step.",
              optional),
        field("sync_every_microbatch", &SoftwareProfile::sync_every_microbatch,
              "Whether to reduce gradients after every micro-batch instead of once a step.",
              optional),
        field("gather_unit", &SoftwareProfile::gather_unit,
              "Under zero_stage 3, what is whole at a time.", optional),
        field("fp32_shards", &SoftwareProfile::fp32_shards,
              "Under zero_stage 3 that reshards, whether ranks hold their shards of parameters and "
              "gradients in fp32 alone and cast them for each gather.",
              optional),
        field("gradient_reduce_bytes", &SoftwareProfile::gradient_reduce_bytes,
              "Bytes of a gradient on the wire.", core::between(1, 8)),
        field("gradient_accumulation_fusion", &SoftwareProfile::gradient_accumulation_fusion,
              "Whether the product that makes a weight's gradient adds it to those of earlier "
              "micro-batches, not a kernel of its own.",
              optional),
        field("parameter_gather_bytes", &SoftwareProfile::parameter_gather_bytes,
              "Bytes of a gathered parameter on the wire.", core::between(1, 8)),
        field("bucket", &SoftwareProfile::bucket,
              "Gradient bytes sent by one collective, at least.", at_least(1e6)),
        field("bucket_replica_parameters", &SoftwareProfile::bucket_replica_parameters,
              "Parameters of a bucket for each replica that shares it, where that is more than "
              "`bucket` (Megatron's million, so that chunks stay long on many ranks).",
              core::non_negative, optional),
        field("overlap_gradient_reduce", &SoftwareProfile::overlap_gradient_reduce,
              "Whether gradients are reduced while the last backward pass goes on."),
        field("overlap_parameter_gather", &SoftwareProfile::overlap_parameter_gather,
              "Whether parameters are gathered while the first forward pass goes on."),
        field("overlap_pipeline", &SoftwareProfile::overlap_pipeline,
              "Whether a stage goes on computing while it sends to the next."),
        field(
            "scatter_pipeline", &SoftwareProfile::scatter_pipeline,
            "Whether a stage sends activations once, a share from each tensor-parallel rank, to be "
            "gathered where they arrive; with sequence_parallel they are shares anyway.",
            optional),
        field("overlap_tensor_parallel", &SoftwareProfile::overlap_tensor_parallel,
              "Whether tensor-parallel collectives go along with the matrix products before and "
              "behind them.",
              optional),
        field("tensor_parallel_overlap_share", &SoftwareProfile::tensor_parallel_overlap_share,
              "Fraction of an overlapped tensor-parallel collective that is hidden.",
              core::between(0.0, 1.0), optional),
        field("overlap_context_parallel", &SoftwareProfile::overlap_context_parallel,
              "Whether keys and values go round the context-parallel ring along with attention.",
              optional),
        field("expert_dispatcher", &SoftwareProfile::expert_dispatcher,
              "What sends tokens to experts on other ranks, and back.", optional),
        field("overlap_expert_parallel", &SoftwareProfile::overlap_expert_parallel,
              "Whether tokens go to their experts and back while another micro-batch computes.",
              optional),
        field("expert_kernels", &SoftwareProfile::expert_kernels,
              "How the products of a rank's experts are launched.", optional),
        field("overlap_slowdown", &SoftwareProfile::overlap_slowdown,
              "Slowdown of computation while a collective overlaps it.", core::between(1, 10),
              optional),
        field("recompute", &SoftwareProfile::recompute,
              "Which activations are computed again in the backward pass."),
        field("recompute_modules", &SoftwareProfile::recompute_modules,
              "Under selective recompute, the parts of a layer that are computed again; attention "
              "where absent.",
              optional),
        field("recompute_layers", &SoftwareProfile::recompute_layers,
              "Under full recompute, how many layers of a model chunk, from the first on, are "
              "computed again; all where absent.",
              core::between(0, 1e6)),
        field("attention", &SoftwareProfile::attention, "The kernels that attention runs as."),
        field("dropout", &SoftwareProfile::dropout,
              "Whether the recipe drops attention weights and the outputs of blocks at random."),
        field("elementwise", &SoftwareProfile::elementwise,
              "The kernels that norms, activations and residuals run as.", core::optional),
        field("fused_permutation", &SoftwareProfile::fused_permutation,
              "Whether tokens are laid out by expert, and brought back and weighted, by kernels "
              "written for it (Megatron's moe_permute_fusion).",
              core::optional),
        field("sequence_copies", &SoftwareProfile::sequence_copies,
              "Whether kernels reorder what sequence parallelism gathers and scatters, from the "
              "order of ranks to that of sequences (PyTorch's functional collectives along a "
              "dimension other than the first).",
              core::optional),
        field("fused_loss", &SoftwareProfile::fused_loss,
              "Whether logits become a loss and a gradient without an fp32 copy of them.",
              core::optional),
        field("loss_copies", &SoftwareProfile::loss_copies,
              "Whether the backward pass of the loss holds three fp32 copies of the logits, as "
              "PyTorch's cross_entropy does.",
              core::optional),
        field("precision", &SoftwareProfile::precision,
              "Number format of the matrix products of layers.", core::optional),
        field(
            "fp8_scaling", &SoftwareProfile::fp8_scaling,
            "Under fp8, what has a scale of its own; with blocks, weights and activations are cast "
            "along rows and along columns.",
            optional),
        field("fp8_primary_weights", &SoftwareProfile::fp8_primary_weights,
              "Under fp8, whether an accelerator holds the weights of layers in fp8 alone, not as "
              "casts beside 16-bit weights.",
              optional),
        field("fp8_weight_transposes", &SoftwareProfile::fp8_weight_transposes,
              "Whether transposes of fp8 weights are kept for the backward passes of a step, where "
              "an accelerator needs them, or made in each.",
              optional),
        field("fp8_saved_inputs", &SoftwareProfile::fp8_saved_inputs,
              "Under fp8 or fp4, whether a product keeps the narrow cast of its input for the "
              "gradient of its weight, not the 16-bit input.",
              optional),
        field("mamba_share", &SoftwareProfile::mamba_share,
              "Share of the memory bandwidth of elementwise kernels that the kernels of a Mamba-2 "
              "mixer reach: they also multiply and exponentiate.",
              core::fraction, optional),
        field("fp8_activation_input", &SoftwareProfile::fp8_activation_input,
              "Whether a feed-forward block keeps the input of its activation function in fp8.",
              optional),
        field(
            "loss_chunk", &SoftwareProfile::loss_chunk,
            "Tokens whose logits and loss are made together, and made again in the backward pass; "
            "0: those of a whole micro-batch at once.",
            core::between(0, 1e9), optional),
        field("optimizer", &SoftwareProfile::optimizer, "How gradients change weights.", optional),
        field("moment_bytes", &SoftwareProfile::moment_bytes,
              "Bytes of each number that the optimizer keeps beside a weight.", core::between(1, 4),
              optional),
        field("master_weights", &SoftwareProfile::master_weights,
              "Whether the optimizer keeps fp32 weights beside narrower ones.", optional),
        field("kernels_per_layer", &SoftwareProfile::kernels_per_layer,
              "Kernels of one layer's forward pass; the backward pass has twice as many.",
              core::between(1, 10'000)),
        field("cuda_graphs", &SoftwareProfile::cuda_graphs,
              "Which kernels the host launches together as CUDA graphs, at no cost for each.",
              optional),
        field("host_launch", &SoftwareProfile::host_launch,
              "Time the host needs to launch one kernel; a layer takes at least this for each.",
              core::non_negative, core::optional),
        field("compute_efficiency", &SoftwareProfile::compute_efficiency,
              "Share of the device's compute rates that this stack's kernels reach.",
              core::between(1e-3, 2.0), optional),
        field("jitter", &SoftwareProfile::jitter,
              "Relative standard deviation of a node's time to compute a step: the slowest node "
              "sets the pace.",
              core::between(0.0, 1.0), optional),
        field(
            "step_overhead", &SoftwareProfile::step_overhead,
            "Time of a step beside all else: data loader, logging, synchronisation with the host.",
            core::non_negative, optional),
        field("framework_memory", &SoftwareProfile::framework_memory,
              "Device memory of the driver, the framework and its communication buffers.",
              core::non_negative),
        field("model_gradients", &SoftwareProfile::model_gradients,
              "Whether gradients in the model's format stay beside wider sums of them.", optional),
        field("step_copies_bytes", &SoftwareProfile::step_copies_bytes,
              "Bytes a parameter of a rank's shard for copies that the optimizer's step makes of "
              "its gradient; they count as reserved memory.",
              core::non_negative, optional),
        field("reserved_share", &SoftwareProfile::reserved_share,
              "Memory that the framework's allocator reserves beside what is in use, as a share of "
              "the activations.",
              core::non_negative, optional),
        field("offload", &SoftwareProfile::offload, "State offloaded from the accelerators.",
              optional),
        field("collectives", &SoftwareProfile::collectives,
              "The collective library, by catalogue name."),
        field("checkpoint", &SoftwareProfile::checkpoint, "How checkpoints are written."));
  }
};

}  // namespace railwright::models
