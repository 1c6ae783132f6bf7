// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/kernel/experts.hpp"

#include <utility>

#include "cache_hits.hpp"
#include "grouped_product.hpp"

namespace railwright::models {

namespace {

using core::DataSize;
using core::Duration;
using core::Precision;

/// Bytes per element that kernels move.
struct Traffic {
  Precision precision;
  double operand;  ///< an operand of a product, with its share of the block's scale
  double token;    ///< per element of a token: cast before the permutation, and the output
  double row;      ///< per element of a row: permuted, cast, read by the combination
  double inner;    ///< per inner element of a row: both halves read, activation written, cast
};

/// Returns the bytes, counted from the kernels of each recipe; outputs of products have 16 bits.
constexpr Traffic traffic_of(ExpertsRecipe recipe) {
  constexpr double kMx = 1.03125;  // a scale of a byte for 32 elements
  constexpr double kFp4 = 0.5625;  // a scale of a byte for 16
  switch (recipe) {
    case ExpertsRecipe::kBf16:
      return {Precision::kBf16, 2.0, 2.0, 2.0 + 2.0 + 2.0, 4.0 + 2.0};
    case ExpertsRecipe::kFp8:
      return {Precision::kFp8, 1.0, 2.0 + 3.0, 1.0 + 1.0 + 2.0, 4.0 + 1.0};
    case ExpertsRecipe::kFp8Block:
      return {Precision::kFp8, kMx, 2.0, 2.0 + 2.0 + 3.0 + 2.0, 4.0 + 2.0 + 3.0};
    case ExpertsRecipe::kNvfp4:
    case ExpertsRecipe::kNvfp4LowLatency:
      return {Precision::kFp4, kFp4, 2.0 + 2.0 + kFp4, 2.0 * kFp4 + 2.0, 4.0 + kFp4};
  }
  return {};
}

core::ComputeRate peak_of(const core::Accelerator& device, Precision precision) {
  if (precision == Precision::kBf16 && !device.has_bf16.value) precision = Precision::kFp16;
  return device.peak_rate(precision).value_or(core::ComputeRate{});
}

/// Returns the bytes of the rows between the kernels of a layer.
double flow_bytes(const ExpertLoads& loads, double hidden, double inter) {
  return loads.pairs * (4.0 * hidden + 6.0 * inter);
}

Duration stream(const core::Accelerator& device, double bytes, double share) {
  return DataSize::from_base(bytes) / (device.memory_bandwidth.value * share);
}

}  // namespace

const core::ExpertsConstants* experts_kernel(const core::Accelerator& device,
                                             ExpertsRecipe recipe) {
  const core::ExpertsByFormat& own = device.kernels->experts;
  const auto pointer = [](const auto& one) { return one ? &*one : nullptr; };
  switch (recipe) {
    case ExpertsRecipe::kFp8:
      return pointer(own.fp8);
    case ExpertsRecipe::kFp8Block:
      return pointer(own.fp8_block);
    case ExpertsRecipe::kNvfp4:
      return pointer(own.nvfp4);
    case ExpertsRecipe::kNvfp4LowLatency:
      return pointer(own.nvfp4_low_latency);
    case ExpertsRecipe::kBf16:
      break;
  }
  return &own.bf16;
}

ExpertsTime experts_parts(const core::Accelerator& device, const core::ExpertsConstants& constants,
                          const ExpertsShape& shape) {
  const Traffic traffic = traffic_of(shape.recipe);
  const core::ComputeRate peak = peak_of(device, traffic.precision);
  const GroupedRows rows(expert_loads(shape.routing()));
  const auto hidden = static_cast<double>(shape.hidden);
  const auto inter = static_cast<double>(shape.inter);
  const double flow = flow_bytes(rows.loads, hidden, inter);
  const double weights = 3.0 * rows.num_active * hidden * inter * traffic.operand;
  const double cached =
      shape.repeats_weights ? cached_share(constants.cache.base(), weights + flow) : 0.0;
  const auto product = [&](double columns, double inner) {
    return grouped_product_time(device, constants, peak, rows,
                                {.columns = columns,
                                 .inner = inner,
                                 .operand_bytes = traffic.operand,
                                 .weight_bytes = shape.stored_bytes,
                                 .cached = cached});
  };
  const double row_bytes = rows.loads.pairs * (traffic.row * hidden + traffic.inner * inter);
  const double slowdown =
      cached_time(cached_share(constants.cache.base(), flow), constants.cache_speedup);
  return {.launch = constants.launch,
          .tokens = stream(device, static_cast<double>(shape.tokens) * hidden * traffic.token,
                           constants.token_stream_share),
          .gate_up = product(2.0 * inter, hidden),
          .down = product(hidden, inter),
          .rows = stream(device, row_bytes, constants.stream_share) * slowdown};
}

Duration experts_time(const core::Accelerator& device, const core::ExpertsConstants& constants,
                      const ExpertsShape& shape) {
  return experts_parts(device, constants, shape).total();
}

Duration expert_gemm_time(const core::Accelerator& device, const ExpertGemm& product,
                          std::optional<GemmGradient> gradient) {
  const core::ExpertsConstants* constants = experts_kernel(device, product.recipe);
  if (constants == nullptr) constants = experts_kernel(device, ExpertsRecipe::kBf16);
  const Traffic traffic = traffic_of(product.recipe);
  const bool is_wide = traffic.precision == Precision::kBf16;
  const auto format = is_wide ? core::ProductFormat::kWide : core::ProductFormat::kFp8;
  // Measured constants are those of TensorRT-LLM. PyTorch's grouped products reach 0.84 of their
  // rate on an H100 on which plain products of PyTorch reach 0.93 of TensorRT-LLM's.
  constexpr double kOfTraining = 0.9;
  // A gradient of weights takes 1.055 times as long as the same product forward (medians of 53 and
  // of 50 shapes on an H100, 1.07 of 103 on an H200).
  constexpr double kOfWeightGradient = 0.95;
  const core::ComputeRate peak =
      peak_of(device, traffic.precision) * (kOfTraining * gemm_level(device, format));
  const GroupedRows rows(expert_loads({.tokens = product.tokens_of_expert * product.num_experts,
                                       .num_experts = product.num_experts}));
  GroupedProduct grouped{.columns = static_cast<double>(product.columns),
                         .inner = static_cast<double>(product.inner),
                         .operand_bytes = traffic.operand,
                         .output_bytes = product.output_bytes};
  if (gradient == GemmGradient::kWeight) {
    return grouped_gradient_time(device, *constants, peak * kOfWeightGradient, rows, grouped);
  }
  if (gradient == GemmGradient::kInput) std::swap(grouped.columns, grouped.inner);
  return grouped_product_time(device, *constants, peak, rows, grouped);
}

}  // namespace railwright::models
