// SPDX-License-Identifier: Apache-2.0
// The division of a model over accelerators, and the place of each rank.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "railwright/core/config/fields.hpp"
#include "railwright/core/error.hpp"
#include "railwright/models/parallelism/schedule_kind.hpp"
#include "railwright/models/workload/training.hpp"

namespace railwright::models {

struct Parallelism {
  int tp = 1;
  int cp = 1;
  int ep = 1;
  std::optional<int> etp;
  int pp = 1;
  int virtual_stages = 1;
  Schedule schedule;
  std::string rank_order = "tp-cp-ep-dp-pp";
  std::optional<int> zero_group;
  bool sequence_parallel = false;
  bool embedding_as_layer = false;
  bool loss_as_layer = false;
  std::vector<int> layers_per_chunk;

  static constexpr auto fields() {
    using core::between;
    using core::field;
    using core::optional;
    return core::field_list(
        field("tp", &Parallelism::tp, "Tensor parallelism.", between(1, 65536), optional),
        field("cp", &Parallelism::cp,
              "Context parallelism: ranks that a sequence is divided over in a ring.",
              between(1, 65536), optional),
        field("ep", &Parallelism::ep,
              "Expert parallelism: ranks that the experts of a layer are divided over.",
              between(1, 65536), optional),
        field("etp", &Parallelism::etp, "Tensor parallelism within an expert; tp where absent.",
              between(1, 65536)),
        field("pp", &Parallelism::pp, "Pipeline parallelism: stages.", between(1, 65536), optional),
        field("virtual_stages", &Parallelism::virtual_stages,
              "Model chunks a stage holds; more than 1 is interleaved 1F1B.", between(1, 65536),
              optional),
        field("schedule", &Parallelism::schedule,
              "The order in which a stage runs forward and backward passes.", optional),
        field("rank_order", &Parallelism::rank_order,
              "The dimensions of parallelism, the one whose ranks are next to one another first.",
              optional, core::formerly("order")),
        field("zero_group", &Parallelism::zero_group,
              "Data-parallel ranks that one copy of what zero_stage divides is spread over; all of "
              "them where absent, fewer is hybrid sharding.",
              between(1, 1e6)),
        field("sequence_parallel", &Parallelism::sequence_parallel,
              "Whether norms and residuals are divided over the tensor-parallel ranks.", optional),
        field("embedding_as_layer", &Parallelism::embedding_as_layer,
              "Whether the embedding takes the place of a decoder layer in the first stage.",
              optional),
        field("loss_as_layer", &Parallelism::loss_as_layer,
              "Whether head and loss take the place of a decoder layer in the last stage.",
              optional),
        field("layers_per_chunk", &Parallelism::layers_per_chunk,
              "Layers of each model chunk from the first to the last, embedding and loss counted "
              "where they take the place of one; 0 is a chunk of embedding or loss alone, or an "
              "empty one; alike where absent.",
              between(0, 1e6), optional));
  }
};

/// Distances between neighbouring ranks, by dimension.
struct Strides {
  int tp = 1;
  int cp = 1;
  int dp = 1;
  int pp = 1;

  [[nodiscard]] int rank(int tensor, int context, int data, int stage) const {
    return tp * tensor + cp * context + dp * data + pp * stage;
  }
};

/// Distances if experts divide a stage: Megatron Core counts its ranks a second time, with ep in
/// place of cp. [@megatron_core_moe]
struct ExpertStrides {
  int etp = 1;
  int ep = 1;
};

/// The dimensions that divide a model, by name: members of a Parallelism, a Layout or any other
/// type that has them.
template <class T>
inline constexpr std::array<std::pair<std::string_view, int T::*>, 4> kDimensions{
    {{"tp", &T::tp}, {"cp", &T::cp}, {"ep", &T::ep}, {"pp", &T::pp}}};

/// A parallelism completed for a number of accelerators and a batch.
struct Layout {
  int tp = 1;
  int cp = 1;
  int ep = 1;
  int etp = 1;
  int pp = 1;
  int dp = 1;
  int virtual_stages = 1;
  Schedule schedule;
  int zero_group = 1;  ///< divides dp * cp
  bool sequence_parallel = false;
  int num_microbatches = 1;       ///< micro-batches of one replica per step
  int layers_per_chunk = 1;       ///< places, which embedding and loss may also take
  std::vector<int> chunk_starts;  ///< place in the model at which each chunk starts, then the
                                  ///< end; empty if all chunks fill their places
  bool embedding_as_layer = false;
  bool loss_as_layer = false;

  Strides strides;           ///< between accelerators of the cluster
  Strides strides_in_stage;  ///< between ranks of a stage, in the same order; pp is 0
  ExpertStrides expert_strides;

  /// Ranks that run the same passes: data-parallel ranks, and ranks that share a sequence.
  [[nodiscard]] int num_replicas() const { return dp * cp; }
  /// Ranks that a sequence is divided over.
  [[nodiscard]] int ranks_of_sequence() const { return cp; }
  /// Stages that hold the same layers.
  [[nodiscard]] int num_directions() const { return schedule->num_directions; }
  /// Ranks with the same parameters.
  [[nodiscard]] int num_parameter_replicas() const { return num_replicas() * num_directions(); }
  /// Accelerators of a pipeline stage.
  [[nodiscard]] int stage_size() const { return tp * num_replicas(); }
  /// Replicas of one expert.
  [[nodiscard]] int num_expert_replicas() const {
    return stage_size() / (etp * ep) * num_directions();
  }
  [[nodiscard]] Slices slices() const { return {.tp = tp, .ep = ep, .etp = etp}; }

  [[nodiscard]] int chunks_per_stage() const { return virtual_stages * num_directions(); }
  [[nodiscard]] int microbatches_per_chunk() const { return num_microbatches / num_directions(); }
  [[nodiscard]] int layers_per_stage() const { return layers_per_chunk * chunks_per_stage(); }
  /// Returns the model's chunk that a stage's chunk is. Under DualPipe, a stage's second chunk is
  /// that of its mirror image.
  [[nodiscard]] int model_chunk(int stage, int chunk) const {
    if (num_directions() == 2) return chunk == 0 ? stage : pp - 1 - stage;
    return chunk * pp + stage;
  }
  [[nodiscard]] bool is_first_chunk(int stage, int chunk) const {
    return model_chunk(stage, chunk) == 0;
  }
  [[nodiscard]] bool is_last_chunk(int stage, int chunk) const {
    return model_chunk(stage, chunk) == pp * virtual_stages - 1;
  }
  /// Returns the layer in a place of a stage, places counted in forward order. Returns nullopt if
  /// embedding or loss takes the place, or if a chunk has fewer layers than others.
  [[nodiscard]] std::optional<int> layer_at(int stage, int place) const;
  /// Returns the global accelerator index; replicas count the ranks of a sequence first.
  [[nodiscard]] int accelerator(int tensor, int replica, int stage) const {
    return strides.rank(tensor, replica % cp, replica / cp, stage);
  }
  /// Returns the rank's index within its stage.
  [[nodiscard]] int rank_in_stage(int tensor, int replica) const {
    return strides_in_stage.rank(tensor, replica % cp, replica / cp, 0);
  }
};

/// Returns the accelerators of a stage that hold different experts of one copy of a layer, given
/// the rank within the stage of any of them.
std::vector<int> expert_group(const Layout& layout, int rank_in_stage, int stage);
/// Returns the accelerators that hold the same experts.
std::vector<int> expert_replicas(const Layout& layout, int rank_in_stage, int stage);

/// Limit of the passes of one replica through model chunks in a step: they take a minute to
/// simulate.
inline constexpr std::int64_t kMaxPasses = 1'000'000;

/// Counts layers, plus embedding and loss if they take the place of one.
int num_places(const Model& model, const Parallelism& parallelism);

/// Checks every divisibility; fills `layout` if there is no problem. Keys are those of a scenario:
/// "parallelism.tp", "workload.global_batch".
std::vector<core::Problem> make_layout(const Training& training, const Parallelism& parallelism,
                                       int num_accelerators, Layout& layout);

}  // namespace railwright::models
