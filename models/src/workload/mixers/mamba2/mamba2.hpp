// SPDX-License-Identifier: Apache-2.0
// A selective state space with one decay a head. [@dao2024mamba2]
#pragma once

#include <cstdint>
#include <vector>

#include "../shards.hpp"

namespace railwright::models {

void add_mamba2_matrices(const Transformer& model, const Mixer& mixer, int tp,
                         std::vector<Matrix>& matrices);
std::int64_t mamba2_vectors(const Mixer& mixer, int tp);
std::vector<MixerKernel> mamba2_kernels(const Mixer& mixer, int tp);
MixerCache mamba2_cache(const Mixer& mixer, int tp);
MixerKept mamba2_kept(const Mixer& mixer, int tp);
std::vector<core::Problem> mamba2_problems(const Mixer& mixer);
int mamba2_groups(const Mixer& mixer);

inline constexpr MixerKind kMamba2Mixer{.name = "mamba2",
                                        .add_matrices = add_mamba2_matrices,
                                        .vector_parameters = mamba2_vectors,
                                        .kernels = mamba2_kernels,
                                        .cache = mamba2_cache,
                                        .kept = mamba2_kept,
                                        .problems = mamba2_problems,
                                        .num_divisible = mamba2_groups,
                                        .is_state = true};

}  // namespace railwright::models
