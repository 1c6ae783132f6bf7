// SPDX-License-Identifier: Apache-2.0
// Softmax attention: queries to the keys before them, of all, of a window or of a chunk.
#pragma once

#include <cstdint>
#include <vector>

#include "../shards.hpp"

namespace railwright::models {

void add_attention_matrices(const Transformer& model, const Mixer& mixer, int tp,
                            std::vector<Matrix>& matrices);
std::int64_t attention_vectors(const Mixer& mixer, int tp);
std::vector<MixerKernel> attention_kernels(const Mixer& mixer, int tp);
MixerCache attention_cache(const Mixer& mixer, int tp);
MixerKept attention_kept(const Mixer& mixer, int tp);

inline constexpr MixerKind kAttentionMixer{.name = "attention",
                                           .add_matrices = add_attention_matrices,
                                           .vector_parameters = attention_vectors,
                                           .kernels = attention_kernels,
                                           .cache = attention_cache,
                                           .kept = attention_kept,
                                           .num_divisible = divides_heads,
                                           .has_ring = true};

}  // namespace railwright::models
