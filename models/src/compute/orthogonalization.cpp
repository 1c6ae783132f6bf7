// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/compute/orthogonalization.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "kernels.hpp"
#include "railwright/models/parallelism/shards.hpp"
#include "railwright/models/software/profile.hpp"

namespace railwright::models {

namespace {

/// Steps of Newton and Schulz. [@megatron_muon]
constexpr double kSteps = 5.0;
/// Kernels of a matrix beside its products: momentum, Nesterov's sum, norm, quotient, two casts,
/// scale, weight; an estimate counted from Megatron's classes.
constexpr double kKernelsBeside = 8.0;
/// Bytes of a number beside its products, and beside what Adam moves: its fp32 momentum is read for
/// the norm, read again and written in 16 bits, and comes back from 16 bits to fp32.
constexpr double kBytesBeside = kFp32Bytes + (kFp32Bytes + 2.0) + (2.0 + kFp32Bytes);

core::Duration time_of_matrix(const Kernels& kernels, std::int64_t rows, std::int64_t columns) {
  const std::int64_t m = std::min(rows, columns);
  const std::int64_t n = std::max(rows, columns);
  const auto product = [&](std::int64_t inner, std::int64_t width, bool has_summand) {
    return product_time(kernels.device, {.rows = m,
                                         .inner = inner,
                                         .columns = width,
                                         .strides = (m * 2) | (n * 2),
                                         .precision = kernels.activation_precision(),
                                         .output_bytes = has_summand ? 4.0 : 2.0});
  };
  const core::Duration step = product(n, m, false) + product(m, m, true) + product(m, n, true);
  const double numbers = static_cast<double>(m) * static_cast<double>(n);
  // The second moment that Adam reads and writes falls away.
  const double beside =
      kBytesBeside - 2.0 * static_cast<double>(kernels.software.moment_bytes.value);
  const double num_kernels = 3.0 * kSteps + kKernelsBeside;
  const core::Duration device = step * kSteps + kernels.stream(beside * numbers) +
                                kernels.device.kernel_overhead.value * num_kernels;
  return std::max(device, kernels.software.host_launch.value * num_kernels);
}

}  // namespace

Orthogonalization& Orthogonalization::operator+=(const Orthogonalization& other) {
  dense += other.dense;
  expert += other.expert;
  longest = std::max(longest, other.longest);
  return *this;
}

Orthogonalization orthogonalization_of_layer(const core::Accelerator& accelerator,
                                             const SoftwareProfile& software,
                                             const Transformer& model, LayerKind kind,
                                             const Slices& slices) {
  Orthogonalization sum;
  if (software.optimizer.value != Optimizer::kMuon) return sum;
  const Kernels kernels{accelerator, software};
  for (const Matrix& matrix : layer_matrices(model, kind, slices)) {
    const core::Duration one = time_of_matrix(kernels, matrix.inner, matrix.columns);
    (matrix.of_expert ? sum.expert : sum.dense) += one * static_cast<double>(matrix.copies);
    sum.longest = std::max(sum.longest, one);
  }
  return sum;
}

Orthogonalization orthogonalization_of_stage(const core::Accelerator& accelerator,
                                             const Training& training, const Layout& layout,
                                             const SoftwareProfile& software, int stage) {
  Orthogonalization sum;
  if (software.optimizer.value != Optimizer::kMuon) return sum;
  const auto counts = trained_layers(training, layout, stage);
  for (std::size_t kind = 0; kind < counts.size(); ++kind) {
    if (counts[kind] == 0) continue;
    sum += orthogonalization_of_layer(accelerator, software, transformer_of(training),
                                      static_cast<LayerKind>(kind), layout.slices()) *
           counts[kind];
  }
  return sum;
}

core::Duration on_fullest_rank(const Orthogonalization& all, const Layout& layout, bool is_spread) {
  if (!is_spread) return all.dense + all.expert;
  const core::Duration part = all.dense / static_cast<double>(zero_group(layout, false)) +
                              all.expert / static_cast<double>(zero_group(layout, true));
  return std::max(part, all.longest);
}

}  // namespace railwright::models
