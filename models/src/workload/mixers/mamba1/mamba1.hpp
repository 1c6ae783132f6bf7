// SPDX-License-Identifier: Apache-2.0
// A selective state space with a decay for each number of a state. [@gu2023mamba]
#pragma once

#include <cstdint>
#include <vector>

#include "../shards.hpp"

namespace railwright::models {

void add_mamba1_matrices(const Transformer& model, const Mixer& mixer, int tp,
                         std::vector<Matrix>& matrices);
std::int64_t mamba1_vectors(const Mixer& mixer, int tp);
std::vector<MixerKernel> mamba1_kernels(const Mixer& mixer, int tp);
MixerCache mamba1_cache(const Mixer& mixer, int tp);
MixerKept mamba1_kept(const Mixer& mixer, int tp);
std::vector<core::Problem> mamba1_problems(const Mixer& mixer);

inline constexpr MixerKind kMamba1Mixer{.name = "mamba1",
                                        .add_matrices = add_mamba1_matrices,
                                        .vector_parameters = mamba1_vectors,
                                        .kernels = mamba1_kernels,
                                        .cache = mamba1_cache,
                                        .kept = mamba1_kept,
                                        .problems = mamba1_problems,
                                        .num_divisible = divides_heads,
                                        .is_state = true};

}  // namespace railwright::models
