// SPDX-License-Identifier: Apache-2.0
// Latent attention to the keys that an indexer chooses. [@deepseek_v32]
#pragma once

#include <cstdint>
#include <vector>

#include "../latent/latent.hpp"
#include "../shards.hpp"

namespace railwright::models {

void add_sparse_matrices(const Transformer& model, const Mixer& mixer, int tp,
                         std::vector<Matrix>& matrices);
std::int64_t sparse_vectors(const Mixer& mixer, int tp);
std::vector<MixerKernel> sparse_kernels(const Mixer& mixer, int tp);
MixerCache sparse_cache(const Mixer& mixer, int tp);
MixerKept sparse_kept(const Mixer& mixer, int tp);
std::vector<core::Problem> sparse_problems(const Mixer& mixer);

inline constexpr MixerKind kSparseMixer{.name = "sparse",
                                        .add_matrices = add_sparse_matrices,
                                        .vector_parameters = sparse_vectors,
                                        .kernels = sparse_kernels,
                                        .cache = sparse_cache,
                                        .kept = sparse_kept,
                                        .problems = sparse_problems,
                                        .num_divisible = divides_heads,
                                        .more_kernels = kLatentKernels + kIndexKernels};

}  // namespace railwright::models
