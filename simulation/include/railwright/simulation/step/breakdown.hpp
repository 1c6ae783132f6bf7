// SPDX-License-Identifier: Apache-2.0
// Where the time of a step goes.
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
inline constexpr std::array<std::string_view, 13> kCauseNames{
    "matrix_products", "attention",       "elementwise",      "kernel_gaps",
    "tensor_parallel", "expert_parallel", "context_parallel", "pipeline_transfer",
    "pipeline_bubble", "gradient_reduce", "parameter_gather", "optimizer",
    "overhead"};

/// Seconds of a step by cause; they add up to the step time.
struct Breakdown {
  std::array<core::Duration, kCauseNames.size()> time{};

  core::Duration& operator[](Cause cause) { return time[static_cast<std::size_t>(cause)]; }
  core::Duration operator[](Cause cause) const { return time[static_cast<std::size_t>(cause)]; }
  [[nodiscard]] core::Duration total() const;
};

/// All causes, the longest first.
std::array<Cause, kCauseNames.size()> causes_by_time(const Breakdown& breakdown);

}  // namespace railwright::simulation
