// SPDX-License-Identifier: Apache-2.0
// Times of the kernels of layers, on one device.
#pragma once

#include <cstdint>

#include "railwright/core/arithmetic.hpp"
#include "railwright/core/hardware/devices.hpp"
#include "railwright/core/hardware/precision.hpp"
#include "railwright/core/units/quantity.hpp"
#include "railwright/models/compute/compute.hpp"
#include "railwright/models/software/profile.hpp"
#include "railwright/models/workload/layers.hpp"

namespace railwright::models {

inline constexpr double kMaskBytes = 1.0;

using core::ceil_div;

/// A device, as a stack uses it.
struct Kernels {
  const core::Accelerator& device;
  const SoftwareProfile& software;

  /// Precision of the products of layers.
  [[nodiscard]] core::Precision precision() const { return software.precision.value; }
  [[nodiscard]] bool is_narrow() const {
    return precision() == core::Precision::kFp8 || precision() == core::Precision::kFp4;
  }
  /// Precision of activations, and of the products that an fp8 recipe leaves unchanged.
  [[nodiscard]] core::Precision activation_precision() const {
    if (!is_narrow()) return precision();
    return device.has_bf16.value ? core::Precision::kBf16 : core::Precision::kFp16;
  }
  [[nodiscard]] bool is_eager() const { return software.elementwise.value == Elementwise::kEager; }
  [[nodiscard]] double element_bytes() const { return core::bytes_of(activation_precision()); }

  [[nodiscard]] core::Duration stream(double bytes) const {
    return core::DataSize::from_base(bytes) / device.elementwise_bandwidth();
  }
};

/// C[rows, columns] += A[rows, inner] * B[inner, columns], `copies` times in one kernel.
struct Product {
  std::int64_t rows = 0;
  std::int64_t inner = 0;
  std::int64_t columns = 0;
  std::int64_t copies = 1;
  /// Dimensions along which operands are contiguous in memory, combined by bitwise OR: the lowest
  /// bit is the alignment of all.
  std::int64_t strides = 0;
  core::Precision precision = core::Precision::kBf16;
  bool has_blocks = false;    ///< blocks of fp8, each with a scale
  double output_bytes = 2.0;  ///< moved for each element of C
  bool is_gradient = false;   ///< of a backward pass
  double rate_share = 1.0;    ///< share of the arithmetic rate of operands stored as matrices
  int max_splits = 0;         ///< work groups that may share one tile's sum; 0: the default
  double moved_bytes = 0.0;   ///< bytes of all operands if not stored as matrices; 0: they are
};

core::Duration product_time(const core::Accelerator& device, const Product& product);

/// Whether a matrix is trained; a frozen one has no gradient.
enum class Weights : std::uint8_t { kTrained, kFrozen };

/// Adds the products of a matrix with a micro-batch's tokens, one forward and two backward, and the
/// extra cost of the precision and of summing gradients over micro-batches.
void add_matrix(const Kernels& kernels, std::int64_t tokens, const Matrix& matrix,
                core::Precision precision, Weights weights, PassCost& cost);

/// Returns the bytes moved to make a narrow element from a wide one, and its transpose.
double cast_bytes(const Kernels& kernels, core::Precision precision);

/// Whether narrow weights are made for each micro-batch, not once per step, because they are
/// dropped in between.
bool casts_each_microbatch(const SoftwareProfile& software);

/// Returns the bytes moved per weight, beside its product, to add its gradient to those of earlier
/// micro-batches.
double gradient_sum_bytes(const Kernels& kernels);

/// Queries of all sequences of a micro-batch against the keys of their sequence.
struct Scores {
  std::int64_t sequences = 0;
  std::int64_t queries = 0;  ///< queries of a sequence
  std::int64_t keys = 0;
  std::int64_t heads = 0;
  std::int64_t kv_heads = 0;
  LocalAttention local;  ///< neither window nor chunk where queries see all keys
  bool causal = true;
  /// The way of other ranks' keys, where there are more keys than queries.
  ContextExchange exchange = ContextExchange::kRing;
};

/// Adds attention without its matrices.
void add_attention(const Kernels& kernels, HeadSize head, const Scores& scores, PassCost& cost);

/// Adds attention to chosen or compressed keys, or the scores by which keys are chosen, for
/// `sequences` of `queries`.
void add_sparse_attention(const Kernels& kernels, const MixerKernel& kernel, std::int64_t sequences,
                          std::int64_t queries, PassCost& cost);

/// Adds what a state that passes along the tokens takes beyond its bytes, where its operations
/// limit it.
void add_state_work(const Kernels& kernels, const MixerKernel& kernel, std::int64_t tokens,
                    PassCost& cost);

/// Bytes moved by memory-bound kernels.
struct StreamedBytes {
  double forward = 0.0;
  double backward = 0.0;

  StreamedBytes& operator+=(const StreamedBytes& other) {
    forward += other.forward;
    backward += other.backward;
    return *this;
  }
};

/// Returns the bytes of the activation function of a feed-forward block.
StreamedBytes activation_bytes(const Kernels& kernels, const Transformer& model,
                               const FeedForward& block, std::int64_t tokens);

/// Returns the bytes that other memory-bound kernels would move in the time of a state that passes
/// along the tokens.
StreamedBytes state_bytes(const Kernels& kernels, const MixerKernel& kernel, std::int64_t tokens);

/// Returns the bytes to lay out tokens by expert and bring them back, and to add the experts' last
/// bias; zero in layers without experts.
StreamedBytes permutation_bytes(const Kernels& kernels, const Transformer& model, LayerKind kind,
                                const Layout& layout, std::int64_t tokens);

/// Returns the bytes of norms, residuals with their dropout, biases and positions.
StreamedBytes block_bytes(const Kernels& kernels, const Transformer& model, LayerKind kind,
                          const Layout& layout, std::int64_t tokens);

/// Returns the elements of the residual stream on a rank, once for each block of a layer.
double stream_elements(const Transformer& model, LayerKind kind, const Layout& layout,
                       std::int64_t tokens);

/// Returns the bytes of a norm of `elements` elements.
StreamedBytes norm_bytes(const Kernels& kernels, double elements);

/// Returns the bytes of the cross-entropy of `logits` logits.
StreamedBytes loss_bytes(const Kernels& kernels, double logits);

/// Adds gaps: kernels follow each other by the device's overhead, in both parts of a backward pass
/// too.
void add_gaps(const Kernels& kernels, double forward_kernels, double backward_runs, PassCost& cost);

/// Makes gradients of weights a part of the backward pass.
void join_backward(PassCost& cost);

/// The kernels that the host launches one by one.
struct Launches {
  double kernels = 0.0;         ///< kernels of a forward pass, without the experts'
  double experts = 0.0;         ///< kernels of the experts' products and casts
  core::Duration experts_time;  ///< device time of these products
  double backward_runs = 2.0;   ///< kernels of the backward pass for each of the forward pass
};

/// A pass without waits for the host, and the host's launches for it.
struct LaunchedCost {
  PassCost cost;
  Launches launches;
};

/// Computes the block of a vision model in a place, for a micro-batch of images.
LaunchedCost block_cost(const Kernels& kernels, const Training& training, const Layout& layout,
                        int place);

/// Returns the bytes moved between gradients and new weights, for each parameter of a rank's shard.
double optimizer_bytes(const SoftwareProfile& software);

}  // namespace railwright::models
