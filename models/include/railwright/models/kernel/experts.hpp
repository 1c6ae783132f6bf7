// SPDX-License-Identifier: Apache-2.0
// Time of a layer of gated experts on one rank, computed from its kernels.
#pragma once

#include <cstdint>
#include <optional>

#include "railwright/core/hardware/devices.hpp"
#include "railwright/core/hardware/experts_constants.hpp"
#include "railwright/core/units/quantity.hpp"
#include "railwright/models/kernel/expert_loads.hpp"
#include "railwright/models/kernel/gemm.hpp"

namespace railwright::models {

/// Number formats of the products, which decide how many bytes the kernels around them move.
enum class ExpertsRecipe : std::uint8_t {
  kBf16,
  kFp8,              ///< per tensor, static scales: tokens are cast once, before the permutation
  kFp8Block,         ///< blocks of 128, or MXFP8: rows are cast after the permutation
  kNvfp4,            ///< blocks of 16: tokens are cast once, before the permutation
  kNvfp4LowLatency,  ///< the same, by kernels generated for few tokens
};

/// A gated layer of experts, forward, as one rank of its group computes it.
struct ExpertsShape {
  std::int64_t tokens = 0;  ///< tokens of all ranks of the group: each rank routes and combines all
  std::int64_t hidden = 0;  ///< width of a token
  std::int64_t inter = 0;  ///< inner width of an expert on this rank: tensor parallelism divides it
  std::int64_t top_k = 1;
  std::int64_t num_experts = 1;
  std::int64_t expert_parallel = 1;  ///< ranks of the group
  double skew = 0.0;                 ///< exponent of the power law of loads; 0: all equal
  ExpertsRecipe recipe = ExpertsRecipe::kBf16;
  /// Whether the same weights were read just before, as in a benchmark's loop, so that those that
  /// fit stay in the cache. In a training step or a whole model they never do.
  bool repeats_weights = false;
  /// Bytes of a weight in memory if it is widened for the product; 0: the recipe's own.
  double stored_bytes = 0.0;

  [[nodiscard]] ExpertRouting routing() const {
    return {tokens, top_k, num_experts, expert_parallel, skew};
  }
};

/// Returns the constants of a recipe's kernels; null if they were not measured.
const core::ExpertsConstants* experts_kernel(const core::Accelerator& device, ExpertsRecipe recipe);

/// The parts of the time, in running order.
struct ExpertsTime {
  core::Duration launch;   ///< launch of all kernels
  core::Duration tokens;   ///< cast of tokens, and their combined outputs
  core::Duration gate_up;  ///< grouped product to both inner halves
  core::Duration down;     ///< grouped product back
  core::Duration rows;     ///< permutation, activation, casts and combination of rows

  [[nodiscard]] core::Duration total() const { return launch + tokens + gate_up + down + rows; }
};

/// Computes the parts. Each expert's rows are padded to tiles of 32 to 256 rows by 64 columns,
/// which are dealt to the multiprocessors over all experts together; the fastest height is used.
/// Weights of experts with a token are read once. A norm combines arithmetic and memory time. At a
/// fixed peak rate, more multiprocessors are slower ones, whose last tile takes longer: scale the
/// rate with their number.
ExpertsTime experts_parts(const core::Accelerator& device, const core::ExpertsConstants& constants,
                          const ExpertsShape& shape);

/// Sums experts_parts(). Measured: the fused layers of TensorRT-LLM. [@aiconfigurator]
core::Duration experts_time(const core::Accelerator& device,
                            const core::ExpertsConstants& constants, const ExpertsShape& shape);

/// The product of each expert's tokens with its weight, all experts of a rank in one kernel.
struct ExpertGemm {
  std::int64_t tokens_of_expert = 0;
  std::int64_t num_experts = 0;  ///< experts of the rank, all with as many tokens
  std::int64_t columns = 0;      ///< width of an output
  std::int64_t inner = 0;        ///< width of a token
  ExpertsRecipe recipe = ExpertsRecipe::kBf16;
  double output_bytes = 2.0;  ///< moved for each number of the result
};

/// Computes the time of the product, or of one of its gradients, by the constants of the recipe, or
/// of bf16 where it was not measured. A device whose gemm_efficiency is below that of the measured
/// one has a lower rate. The tokens of each expert are the inner dimension of its weight's
/// gradient.
core::Duration expert_gemm_time(const core::Accelerator& device, const ExpertGemm& product,
                                std::optional<GemmGradient> gradient = {});

}  // namespace railwright::models
