// SPDX-License-Identifier: Apache-2.0
// Layers of vision models: convolutions as matrix products whose rows are pixels of a micro-batch
// (implicit GEMM), and the operations between them by the bytes they move. [@chetlur2014cudnn]
#include <algorithm>

#include "kernels.hpp"

namespace railwright::models {

namespace {

/// Smallest number of input channels that has kernels; images are padded. [@nvidia_dl_performance]
constexpr std::int64_t kMinChannels = 4;

/// Rate share of a product that gathers windows: an estimate, below the best products in the
/// direction of the figures of [@nvidia_dl_performance].
constexpr double kGathered = 0.75;

constexpr std::int64_t square(std::int64_t value) { return value * value; }

/// A convolution and its two gradients as products, all with the same multiply-adds.
class Convolution {
 public:
  Convolution(const Kernels& kernels, const VisionLayer& layer, std::int64_t images)
      : kernels_(kernels),
        taps_(square(layer.kernel)),
        inputs_(std::max<std::int64_t>(layer.inputs / layer.groups, kMinChannels)),
        outputs_(layer.outputs / layer.groups),
        groups_(layer.groups),
        input_pixels_(images * square(input_size(layer))),
        output_pixels_(images * square(layer.output_size)),
        gathered_(ceil_div(taps_, square(layer.stride))) {
    const double bytes = kernels.element_bytes();
    const auto images_read = static_cast<double>(images);
    moved_bytes_ = bytes * (images_read * (input_elements(layer) + output_elements(layer)) +
                            static_cast<double>(weight_parameters(layer)));
  }

  [[nodiscard]] core::Duration forward() const {
    return time(output_pixels_, taps_ * inputs_, outputs_, 0);
  }
  /// Returns the time in which each pixel of the input gathers the gradients of the windows that
  /// contain it.
  [[nodiscard]] core::Duration input_gradient() const {
    return time(input_pixels_, gathered_ * outputs_, inputs_, 0);
  }
  /// Returns the time of few tiles with long sums: as many work groups share each as the device has
  /// room for.
  [[nodiscard]] core::Duration weight_gradient() const {
    return time(taps_ * inputs_, output_pixels_, outputs_, 256);
  }

 private:
  [[nodiscard]] core::Duration time(std::int64_t rows, std::int64_t inner, std::int64_t columns,
                                    int max_splits) const {
    return product_time(kernels_.device, {.rows = rows,
                                          .inner = inner,
                                          .columns = columns,
                                          .copies = groups_,
                                          .strides = inputs_ | outputs_,
                                          .precision = kernels_.activation_precision(),
                                          .output_bytes = kernels_.element_bytes(),
                                          .rate_share = taps_ == 1 ? 1.0 : kGathered,
                                          .max_splits = max_splits,
                                          .moved_bytes = moved_bytes_});
  }

  const Kernels& kernels_;
  std::int64_t taps_;
  std::int64_t inputs_;  ///< input channels of a group
  std::int64_t outputs_;
  std::int64_t groups_;
  std::int64_t input_pixels_;
  std::int64_t output_pixels_;
  std::int64_t gathered_;  ///< windows that contain a pixel
  double moved_bytes_ = 0.0;
};

/// Returns the reads and writes of each element of a layer's output after its product.
StreamedBytes accesses_behind(const VisionLayer& layer, bool eager) {
  StreamedBytes accesses;
  if (layer.normalized) {
    // Mean and variance, then x to y; backward two sums over x and dy, then x and dy to dx. Fused,
    // the products before it (forward) and after it (backward) add up the sums. [@cudnn_fusions]
    accesses += eager ? StreamedBytes{3, 5} : StreamedBytes{2, 3};
  } else if (layer.bias) {
    accesses += eager ? StreamedBytes{2, 1} : StreamedBytes{0, 1};
  }
  if (layer.activated) {
    const bool is_part = !eager && layer.normalized;
    accesses += is_part ? StreamedBytes{} : eager ? StreamedBytes{2, 3} : StreamedBytes{0, 3};
  }
  // The sum of both paths; backward the sum of the gradients of both.
  if (layer.adds_shortcut) accesses += eager ? StreamedBytes{3, 3} : StreamedBytes{1, 2};
  return accesses;
}

void add_layer(const Kernels& kernels, const VisionLayer& layer, std::int64_t images,
               bool reads_images, PassCost& cost) {
  const double bytes = kernels.element_bytes() * static_cast<double>(images);
  if (layer.op == VisionOp::kPool) {
    const double moved = bytes * (input_elements(layer) + output_elements(layer));
    cost.forward.elementwise += kernels.stream(moved);
    cost.backward.elementwise += kernels.stream(moved);
  } else {
    const Convolution convolution(kernels, layer, images);
    cost.forward.matrix += convolution.forward();
    if (!reads_images) cost.backward.matrix += convolution.input_gradient();
    cost.backward.matrix += convolution.weight_gradient();
  }
  const StreamedBytes behind = accesses_behind(layer, kernels.is_eager());
  cost.forward.elementwise += kernels.stream(bytes * output_elements(layer) * behind.forward);
  cost.backward.elementwise += kernels.stream(bytes * output_elements(layer) * behind.backward);
}

}  // namespace

LaunchedCost block_cost(const Kernels& kernels, const Training& training, const Layout& layout,
                        int place) {
  const std::vector<VisionLayer>& layers = block_at(*vision_of(training), place).layers;
  PassCost cost;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    add_layer(kernels, layers[i], training.micro_batch, place == 0 && i == 0, cost);
    if (layout.num_microbatches > 1) {
      cost.backward.elementwise += kernels.stream(gradient_sum_bytes(kernels) *
                                                  static_cast<double>(num_parameters(layers[i])));
    }
  }
  const bool runs_again = kernels.software.recomputed_at(place).layer;
  if (runs_again) cost.backward += cost.forward;
  const double num_kernels =
      kernels.software.kernels_per_layer.value * static_cast<double>(layers.size());
  const double backward_runs = runs_again ? 3.0 : 2.0;
  add_gaps(kernels, num_kernels, backward_runs, cost);
  join_backward(cost);
  const bool is_launched = kernels.software.cuda_graphs.value != CudaGraphs::kPartial &&
                           kernels.software.cuda_graphs.value != CudaGraphs::kFull;
  return {cost, {.kernels = is_launched ? num_kernels : 0.0, .backward_runs = backward_runs}};
}

}  // namespace railwright::models
