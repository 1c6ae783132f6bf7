// SPDX-License-Identifier: Apache-2.0
// The parameters that a rank holds.
#pragma once

#include <array>
#include <vector>

#include "railwright/models/parallelism/parallelism.hpp"
#include "railwright/models/workload/layers.hpp"

namespace railwright::models {

/// Parameters of one place on one rank. Those of experts have fewer replicas than the others.
struct ShardParameters {
  double dense = 0.0;
  double expert = 0.0;

  [[nodiscard]] double total() const { return dense + expert; }
  ShardParameters& operator+=(const ShardParameters& other) {
    dense += other.dense;
    expert += other.expert;
    return *this;
  }
  friend ShardParameters operator*(const ShardParameters& parameters, double count) {
    return {.dense = parameters.dense * count, .expert = parameters.expert * count};
  }
};

/// Returns the parameters of one layer on one rank.
ShardParameters parameters_of_layer(const Transformer& model, LayerKind kind, const Slices& slices);
/// Returns the layer's trained parameters: all, or the adapters beside them (see lora.hpp).
ShardParameters trained_of_layer(const Training& training, LayerKind kind, const Slices& slices);
/// Embedding with its positions and norm.
double parameters_before_layers(const Transformer& model, const Layout& layout);
/// Returns final norm and LM head; a head tied to an embedding of the same rank does not count
/// again.
ShardParameters parameters_behind_layers(const Transformer& model, const Layout& layout);
/// Whether the model ends in a chunk of this stage.
bool has_last_chunk(const Layout& layout, int stage);
/// Returns the parameters of a stage's transformer layers, including those of multi-token
/// prediction; zero for a vision model, which has no narrow products.
ShardParameters parameters_in_layers(const Model& model, const Layout& layout, int stage);

/// Returns the parameters of a layer's matrices on one rank, without its norms and biases.
ShardParameters matrices_of_layer(const Transformer& model, LayerKind kind, const Slices& slices);
/// Counts the layers of each kind in a stage that are trained whole, with those of multi-token
/// prediction; nothing of a vision model.
std::array<int, kNumLayerKinds> trained_layers(const Training& training, const Layout& layout,
                                               int stage);

/// Returns the parameters that one rank of `stage` holds, place by place in forward order. The
/// embedding is in the first place of the first stage, final norm and LM head in the last place of
/// the last stage, beside a decoder layer or instead of it (a tied head is a second copy there when
/// pp > 1). A place of a vision model is a block.
std::vector<ShardParameters> parameters_by_layer(const Model& model, const Layout& layout,
                                                 int stage);

/// Returns the trained parameters by place: all, or the additions beside them (see lora.hpp and
/// p_tuning.hpp).
std::vector<ShardParameters> trained_by_layer(const Training& training, const Layout& layout,
                                              int stage);

ShardParameters sum(const std::vector<ShardParameters>& places);

/// Returns the replicas over which `zero_stage` divides state: for dense parameters, or for
/// experts, whose replicas may be fewer than a group.
int zero_group(const Layout& layout, bool of_experts);
/// Returns the part that one of these replicas holds of parameters spread over them.
double on_one_shard(const ShardParameters& parameters, const Layout& layout);
/// Returns the same part, or all parameters unless they are spread.
double on_one_rank(const ShardParameters& parameters, const Layout& layout, bool is_spread);

}  // namespace railwright::models
