// SPDX-License-Identifier: Apache-2.0
// Times of the kernels that layers are made of, on one device.
#pragma once

#include <cstdint>

#include "railwright/core/hardware/devices.hpp"
#include "railwright/core/units/quantity.hpp"
#include "railwright/models/compute/compute.hpp"
#include "railwright/models/workload/layers.hpp"

namespace railwright::models {

inline constexpr double kBf16Bytes = 2.0;
inline constexpr double kFp32Bytes = 4.0;
inline constexpr double kMaskBytes = 1.0;

constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

struct Kernels {
  const core::Accelerator& device;

  [[nodiscard]] core::Duration stream(double bytes) const {
    return core::DataSize::from_base(bytes) /
           (device.memory_bandwidth.value * device.memory_efficiency.value);
  }
  [[nodiscard]] core::Duration attention(double work) const {
    return core::Work::from_base(work) /
           (device.bf16_rate.value * device.attention_efficiency.value);
  }
};

/// The products of a matrix with a micro-batch's tokens: one forward, two backward.
void add_matrix(const Kernels& kernels, std::int64_t tokens, const Matrix& matrix, PassCost& cost);

/// Queries of all sequences of a micro-batch against the keys of their sequence.
struct Scores {
  std::int64_t sequences = 0;
  std::int64_t queries = 0;  ///< in a sequence
  std::int64_t keys = 0;
  bool causal = true;
};

/// Attention of `heads` heads, without its matrices.
void add_attention(const Kernels& kernels, HeadSize head, std::int64_t heads, const Scores& scores,
                   const SoftwareProfile& software, PassCost& cost);

}  // namespace railwright::models
