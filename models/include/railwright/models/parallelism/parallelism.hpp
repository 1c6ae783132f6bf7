// SPDX-License-Identifier: Apache-2.0
// How a model is divided over accelerators, and which rank sits where.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "railwright/core/config/fields.hpp"
#include "railwright/core/error.hpp"
#include "railwright/models/workload/training.hpp"

namespace railwright::models {

struct Parallelism {
  int tp = 1;
  int pp = 1;
  int virtual_stages = 1;
  bool sequence_parallel = false;
  bool embedding_as_layer = false;
  bool loss_as_layer = false;

  static constexpr auto fields() {
    using core::between;
    using core::field;
    using core::optional;
    return std::tuple{
        field("tp", &Parallelism::tp, "Tensor parallelism.", between(1, 65536), optional),
        field("pp", &Parallelism::pp, "Pipeline parallelism: stages.", between(1, 65536), optional),
        field("virtual_stages", &Parallelism::virtual_stages,
              "Model chunks a stage holds; more than 1 is interleaved 1F1B.", between(1, 65536),
              optional),
        field("sequence_parallel", &Parallelism::sequence_parallel,
              "Whether norms and residuals are divided over the tensor-parallel ranks.", optional),
        field("embedding_as_layer", &Parallelism::embedding_as_layer,
              "Whether the embedding takes the place of a decoder layer in the first stage.",
              optional),
        field("loss_as_layer", &Parallelism::loss_as_layer,
              "Whether head and loss take the place of a decoder layer in the last stage.",
              optional)};
  }
};

/// Parallelism made whole for a number of accelerators and a batch.
struct Layout {
  int tp = 1;
  int pp = 1;
  int dp = 1;
  int virtual_stages = 1;
  bool sequence_parallel = false;
  int num_microbatches = 1;  ///< of one replica in one step
  int layers_per_chunk = 1;  ///< places: all decoder layers but for the two below
  bool embedding_as_layer = false;
  bool loss_as_layer = false;

  [[nodiscard]] int layers_per_stage() const { return layers_per_chunk * virtual_stages; }
  /// The layer in a place of a stage, places counted in forward order; none where embedding or loss
  /// stands instead.
  [[nodiscard]] std::optional<int> layer_at(int stage, int place) const {
    const int chunk = place / layers_per_chunk;
    const int place_in_model = (chunk * pp + stage) * layers_per_chunk + place % layers_per_chunk;
    const int last = pp * layers_per_stage() - 1;
    if (embedding_as_layer && place_in_model == 0) return std::nullopt;
    if (loss_as_layer && place_in_model == last) return std::nullopt;
    return place_in_model - (embedding_as_layer ? 1 : 0);
  }
  /// Global accelerator index: tensor, then data, then pipeline rank varies fastest, as Megatron
  /// places them. [@narayanan2021megatron]
  [[nodiscard]] int accelerator(int tensor, int data, int stage) const {
    return tensor + tp * (data + dp * stage);
  }
};

/// One reason why a parallelism cannot be: the offending key and what is wrong.
struct LayoutProblem {
  std::string key;  ///< "parallelism.tp", "workload.global_batch", ...
  std::string message;
};

/// Checks every divisibility; fills `layout` when there is no problem.
std::vector<LayoutProblem> make_layout(const Training& training, const Parallelism& parallelism,
                                       int num_accelerators, Layout& layout);

/// Passes that `stage` runs forward before its first backward pass, so that one more than these are
/// in flight at once: 1F1B, or interleaved 1F1B where there are virtual stages.
/// [@narayanan2021megatron]
int num_warmup_passes(const Layout& layout, int stage);

/// Micro-batches whose pass through a chunk of `stage` waits for its backward pass when most do.
int microbatches_in_flight(const Layout& layout, int stage, int chunk);

}  // namespace railwright::models
