// SPDX-License-Identifier: Apache-2.0
// A state a head that forgets by a gate and learns by the delta rule. [@yang2024gdn]
#pragma once

#include <cstdint>
#include <vector>

#include "../shards.hpp"

namespace railwright::models {

void add_gated_delta_net_matrices(const Transformer& model, const Mixer& mixer, int tp,
                                  std::vector<Matrix>& matrices);
std::int64_t gated_delta_net_vectors(const Mixer& mixer, int tp);
std::vector<MixerKernel> gated_delta_net_kernels(const Mixer& mixer, int tp);
MixerCache gated_delta_net_cache(const Mixer& mixer, int tp);
MixerKept gated_delta_net_kept(const Mixer& mixer, int tp);
std::vector<core::Problem> gated_delta_net_problems(const Mixer& mixer);
int delta_key_heads(const Mixer& mixer);

inline constexpr MixerKind kGatedDeltaNetMixer{.name = "gated_delta_net",
                                               .add_matrices = add_gated_delta_net_matrices,
                                               .vector_parameters = gated_delta_net_vectors,
                                               .kernels = gated_delta_net_kernels,
                                               .cache = gated_delta_net_cache,
                                               .kept = gated_delta_net_kept,
                                               .problems = gated_delta_net_problems,
                                               .num_divisible = delta_key_heads,
                                               .is_state = true};

}  // namespace railwright::models
