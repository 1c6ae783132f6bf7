// SPDX-License-Identifier: Apache-2.0
// Kimi Delta Attention: a gated delta rule that forgets each channel by a measure of its own.
// [@kimi_linear]
#pragma once

#include <cstdint>
#include <vector>

#include "../shards.hpp"

namespace railwright::models {

void add_kimi_delta_matrices(const Transformer& model, const Mixer& mixer, int tp,
                             std::vector<Matrix>& matrices);
std::int64_t kimi_delta_vectors(const Mixer& mixer, int tp);
std::vector<MixerKernel> kimi_delta_kernels(const Mixer& mixer, int tp);
MixerCache kimi_delta_cache(const Mixer& mixer, int tp);
MixerKept kimi_delta_kept(const Mixer& mixer, int tp);
std::vector<core::Problem> kimi_delta_problems(const Mixer& mixer);

inline constexpr MixerKind kKimiDeltaMixer{.name = "kimi_delta",
                                           .add_matrices = add_kimi_delta_matrices,
                                           .vector_parameters = kimi_delta_vectors,
                                           .kernels = kimi_delta_kernels,
                                           .cache = kimi_delta_cache,
                                           .kept = kimi_delta_kept,
                                           .problems = kimi_delta_problems,
                                           .num_divisible = divides_heads,
                                           .is_state = true};

}  // namespace railwright::models
