// SPDX-License-Identifier: Apache-2.0
// How a model is divided over accelerators, and which rank sits where.
#pragma once

#include <cstdint>
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
              "Whether norms and residuals are divided over the tensor-parallel ranks.", optional)};
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
  int layers_per_chunk = 1;

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

}  // namespace railwright::models
