// SPDX-License-Identifier: Apache-2.0
// Attention to the blocks of keys that an indexer chooses. [@minimax_m3]
#pragma once

#include <cstdint>
#include <vector>

#include "../attention/attention.hpp"
#include "../shards.hpp"

namespace railwright::models {

void add_block_sparse_matrices(const Transformer& model, const Mixer& mixer, int tp,
                               std::vector<Matrix>& matrices);
std::int64_t block_sparse_vectors(const Mixer& mixer, int tp);
std::vector<MixerKernel> block_sparse_kernels(const Mixer& mixer, int tp);
MixerCache block_sparse_cache(const Mixer& mixer, int tp);
MixerKept block_sparse_kept(const Mixer& mixer, int tp);
std::vector<core::Problem> block_sparse_problems(const Mixer& mixer);

inline constexpr MixerKind kBlockSparseMixer{.name = "block_sparse",
                                             .add_matrices = add_block_sparse_matrices,
                                             .vector_parameters = block_sparse_vectors,
                                             .kernels = block_sparse_kernels,
                                             .cache = block_sparse_cache,
                                             .kept = block_sparse_kept,
                                             .problems = block_sparse_problems,
                                             .num_divisible = divides_heads,
                                             .more_kernels = kIndexKernels};

}  // namespace railwright::models
