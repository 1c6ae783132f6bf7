// SPDX-License-Identifier: Apache-2.0
// The time of a step by cause.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "railwright/core/units/quantity.hpp"

namespace railwright::simulation {

enum class Cause : std::uint8_t {
  kMatrixProducts,
  kAttention,
  kElementwise,
  kKernelGaps,
  kOverlapSlowdown,
  kTensorParallel,
  kExpertParallel,
  kContextParallel,
  kPipelineTransfer,
  kPipelineBubble,
  kGradientReduce,
  kParameterGather,
  kOptimizer,
  kOverhead,
};

/// Names and colours of a cause, used everywhere.
struct CauseFacts {
  std::string_view name;   ///< key in results
  std::string_view words;  ///< for use within a sentence
  bool is_plural;          ///< whether `words` is plural
  std::string_view color;  ///< in charts; lighter on a dark page
  std::string_view dark_color;
};
/// Facts in the order of Cause. Computing is blue and green, moving data orange and violet, waiting
/// grey.
inline constexpr auto kCauses = std::to_array<CauseFacts>({
    {"matrix_products", "matrix products", true, "#2563ab", "#4a8fdd"},
    {"attention", "attention", false, "#5b97d9", "#7fb3ea"},
    {"elementwise", "memory-bound kernels", true, "#9cc4ec", "#b0d1f3"},
    {"kernel_gaps", "gaps between kernels", true, "#c9def3", "#dbe9f8"},
    {"overlap_slowdown", "computation slowed by collectives beside it", false, "#2f7f8f",
     "#62b3c2"},
    {"tensor_parallel", "tensor-parallel communication", false, "#c2500d", "#e8752f"},
    {"expert_parallel", "expert-parallel communication", false, "#e58a3c", "#f2a35e"},
    {"context_parallel", "context-parallel communication", false, "#f2b879", "#f7c896"},
    {"pipeline_transfer", "transfers between pipeline stages", true, "#d4a514", "#e6c04a"},
    {"pipeline_bubble", "the pipeline bubble", false, "#a3adb9", "#7f8b99"},
    {"gradient_reduce", "gradient reduction", false, "#7b3f9e", "#a974cc"},
    {"parameter_gather", "parameter gathering", false, "#b383cb", "#cda8e0"},
    {"optimizer", "the optimizer", false, "#1f8a6d", "#43b894"},
    {"overhead", "what a step takes beside its operations", false, "#6b7684", "#99a5b3"},
});
constexpr const CauseFacts& facts_of(Cause cause) {
  return kCauses[static_cast<std::size_t>(cause)];
}

/// Seconds of a step by cause; they add up to the step time.
struct Breakdown {
  std::array<core::Duration, kCauses.size()> time{};

  core::Duration& operator[](Cause cause) { return time[static_cast<std::size_t>(cause)]; }
  core::Duration operator[](Cause cause) const { return time[static_cast<std::size_t>(cause)]; }
  [[nodiscard]] core::Duration total() const;
};

/// Returns all causes, the longest first.
std::array<Cause, kCauses.size()> causes_by_time(const Breakdown& breakdown);

}  // namespace railwright::simulation
