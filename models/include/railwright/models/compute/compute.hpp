// SPDX-License-Identifier: Apache-2.0
// Time of the passes of a layer on one accelerator: matrix products and attention by the kernels of
// models/kernel, all else by bytes over bandwidth. [@williams2009roofline]
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "railwright/core/hardware/devices.hpp"
#include "railwright/core/units/quantity.hpp"
#include "railwright/models/parallelism/parallelism.hpp"
#include "railwright/models/workload/layers.hpp"
#include "railwright/models/workload/training.hpp"

namespace railwright::models {

struct SoftwareProfile;

/// Time on one accelerator, by kind of kernel, and between kernels.
struct ComputeCost {
  core::Duration matrix;       ///< matrix products
  core::Duration attention;    ///< scores, softmax and values
  core::Duration elementwise;  ///< memory-bound kernels: norms, activations, residuals, loss
  core::Duration gaps;  ///< idle time between kernels, including waits for the host's launches and
                        ///< for offloaded activations
  core::Duration host_wait;  ///< part of the gaps that collectives of the pass can fill

  [[nodiscard]] core::Duration total() const { return matrix + attention + elementwise + gaps; }
  ComputeCost& operator+=(const ComputeCost& other);
  friend ComputeCost operator*(ComputeCost cost, double factor) {
    return {cost.matrix * factor, cost.attention * factor, cost.elementwise * factor,
            cost.gaps * factor, cost.host_wait * factor};
  }
};

/// Computes the time of C[rows, columns] += A[rows, inner] * B[inner, columns].
///
/// max(work / (peak * gemm_efficiency * what tiles leave), bytes / memory bandwidth). Output tiles
/// are dealt to the multiprocessors in waves; the tile, and the number of work groups that share
/// its sum, are the fastest of a few candidates. [@nvidia_dl_performance] If `copies` is more than
/// 1, that many products of this shape run as one kernel (a grouped product, for experts). The
/// device must have `precision`.
core::Duration matrix_product_time(const core::Accelerator& accelerator, std::int64_t rows,
                                   std::int64_t inner, std::int64_t columns,
                                   std::int64_t copies = 1,
                                   core::Precision precision = core::Precision::kBf16);

/// The cost of a pass to one tensor-parallel rank for one micro-batch, without communication.
struct PassCost {
  ComputeCost forward;
  ComputeCost backward;  ///< including recomputation
  ComputeCost weight;    ///< gradients of weights, if they are a separate pass

  PassCost& operator+=(const PassCost& other);
  friend PassCost operator*(const PassCost& cost, double factor) {
    return {cost.forward * factor, cost.backward * factor, cost.weight * factor};
  }
};

/// Cost model of one scenario's layers. `efficiency` is the installation's factor on all compute.
class ComputeModel {
 public:
  ComputeModel(const core::Accelerator& accelerator, const Training& training, const Layout& layout,
               const SoftwareProfile& software, double efficiency);

  [[nodiscard]] const PassCost& layer(LayerKind kind) const {
    return layers_[static_cast<std::size_t>(kind)];
  }
  /// Cost of a layer that full recompute leaves out (see SoftwareProfile::recompute_layers).
  [[nodiscard]] const PassCost& kept_layer(LayerKind kind) const {
    return kept_layers_[static_cast<std::size_t>(kind)];
  }
  /// Costs of a vision model's blocks, by place.
  [[nodiscard]] const std::vector<PassCost>& blocks() const { return blocks_; }
  [[nodiscard]] const PassCost& embedding() const { return embedding_; }
  /// Final norm, LM head and cross-entropy.
  [[nodiscard]] const PassCost& head() const { return head_; }
  /// Time from gradients to new weights, for `num_parameters` parameters of this rank's shard.
  [[nodiscard]] core::Duration optimizer_time(double num_parameters) const;
  /// Time per step to cast `num_parameters` weights of this rank's layers to a narrow format. Zero
  /// if the precision is wide, or if each micro-batch casts them.
  [[nodiscard]] core::Duration weight_cast_time(double num_parameters) const;

 private:
  double efficiency_;
  double optimizer_bytes_;
  double cast_bytes_ = 0.0;
  core::Bandwidth elementwise_bandwidth_;
  std::array<PassCost, kNumLayerKinds> layers_;  ///< zero for kinds that the model lacks
  std::array<PassCost, kNumLayerKinds> kept_layers_;
  std::vector<PassCost> blocks_;
  PassCost embedding_;
  PassCost head_;
};

}  // namespace railwright::models
