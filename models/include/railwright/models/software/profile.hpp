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
#include "railwright/models/software/context_exchange.hpp"
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
  kRow,     ///< one scale per row of a product's operand: torchao's rowwise
};

constexpr auto enum_words(Fp8Scaling) {
  using enum Fp8Scaling;
  return core::words<Fp8Scaling>({{"tensor", kTensor}, {"block", kBlock}, {"row", kRow}});
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
  kRouter,   ///< only the router and what counts the tokens of each expert
};

constexpr auto enum_words(CudaGraphs) {
  using enum CudaGraphs;
  return core::words<CudaGraphs>(
      {{"none", kNone}, {"router", kRouter}, {"partial", kPartial}, {"full", kFull}});
}

enum class Optimizer : std::uint8_t {
  kAdam,         ///< two moments; gradients are clipped by their norm
  kSgdMomentum,  ///< one moment
  kLars,  ///< like kSgdMomentum, with a rate from the norms of weight and gradient [@you2017lars]
  kMuon,  ///< orthogonalized momentum of the matrices of layers, kAdam for all else [@muon]
};

constexpr auto enum_words(Optimizer) {
  using enum Optimizer;
  return core::words<Optimizer>(
      {{"adam", kAdam}, {"sgd_momentum", kSgdMomentum}, {"lars", kLars}, {"muon", kMuon}});
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

  static constexpr auto fields();
};

/// Returns the numbers that an optimizer keeps for each parameter between steps, without a master
/// weight; Muon's matrices have one less.
constexpr int num_moments(Optimizer optimizer) {
  return optimizer == Optimizer::kAdam || optimizer == Optimizer::kMuon ? 2 : 1;
}

/// The recipe of a stack.
struct SoftwareProfile {
  static constexpr std::string_view kKind = "software";

  // Defined in one source: to make, copy and destroy all its members is long code.
  SoftwareProfile();
  SoftwareProfile(const SoftwareProfile&);
  SoftwareProfile(SoftwareProfile&&) noexcept;
  SoftwareProfile& operator=(const SoftwareProfile&);
  SoftwareProfile& operator=(SoftwareProfile&&) noexcept;
  ~SoftwareProfile();

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
  core::Sourced<ContextExchange> context_exchange{
      ContextExchange::kRing, "the rule of Megatron-Core: cp_comm_type p2p", true};
  core::Sourced<int> context_swap_ranks{1, "default", false};
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
  /// Returns how `cp` ranks of a sequence divide attention.
  [[nodiscard]] ContextRanks context_ranks(int cp) const {
    return models::context_ranks(context_exchange.value, context_swap_ranks.value, cp);
  }
  /// Whether gradients are reduced after every micro-batch: where they are divided, as ranks then
  /// have no room to sum whole ones. Stages of a pipeline sum them anyway.
  [[nodiscard]] bool reduces_every_microbatch(int stage_of_zero, int pp) const {
    return sync_every_microbatch.value || (stage_of_zero == 2 && pp == 1);
  }
  /// Whether replicas at this stage of ZeRO would divide matrices that Muon orthogonalizes whole.
  /// [@megatron_muon]
  [[nodiscard]] bool cuts_matrices(int stage_of_zero) const {
    return optimizer.value == Optimizer::kMuon && stage_of_zero > 1;
  }
  /// Whether the kernels of experts' products also activate and cast.
  [[nodiscard]] bool has_fused_experts() const {
    return expert_kernels.value == ExpertKernels::kFused && has_fp8_blocks();
  }
  [[nodiscard]] bool has_fp8_blocks() const {
    return precision.value == core::Precision::kFp8 && fp8_scaling.value == Fp8Scaling::kBlock;
  }
  [[nodiscard]] bool has_fp8_rows() const {
    return precision.value == core::Precision::kFp8 && fp8_scaling.value == Fp8Scaling::kRow;
  }
  /// Whether one narrow copy of a tensor serves both passes.
  [[nodiscard]] bool has_one_fp8_copy() const {
    return fp8_any_layout && !has_fp8_blocks() && !has_fp8_rows();
  }
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

  static constexpr auto fields();
};

}  // namespace railwright::models
