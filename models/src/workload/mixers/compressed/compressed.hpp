// SPDX-License-Identifier: Apache-2.0
// Attention to the tokens of a window and, beyond them, to keys that stand for several tokens each:
// to all of them (HCA), or to those that an indexer chooses (CSA). [@deepseek_v4]
#pragma once

#include <cstdint>
#include <vector>

#include "../shards.hpp"

namespace railwright::models {

void add_compressed_matrices(const Transformer& model, const Mixer& mixer, int tp,
                             std::vector<Matrix>& matrices);
std::int64_t compressed_vectors(const Mixer& mixer, int tp);
std::vector<MixerKernel> compressed_kernels(const Mixer& mixer, int tp);
MixerCache compressed_cache(const Mixer& mixer, int tp);
MixerKept compressed_kept(const Mixer& mixer, int tp);
std::vector<core::Problem> compressed_problems(const Mixer& mixer);

inline constexpr MixerKind kCompressedMixer{.name = "compressed",
                                            .add_matrices = add_compressed_matrices,
                                            .vector_parameters = compressed_vectors,
                                            .kernels = compressed_kernels,
                                            .cache = compressed_cache,
                                            .kept = compressed_kept,
                                            .problems = compressed_problems,
                                            .num_divisible = divides_heads,
                                            .more_kernels = kCompressionKernels};

}  // namespace railwright::models
