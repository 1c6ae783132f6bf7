// SPDX-License-Identifier: Apache-2.0
// Lightning attention: a state a head that forgets at a fixed rate. [@minimax_01]
#pragma once

#include <cstdint>
#include <vector>

#include "../shards.hpp"

namespace railwright::models {

void add_lightning_matrices(const Transformer& model, const Mixer& mixer, int tp,
                            std::vector<Matrix>& matrices);
std::int64_t lightning_vectors(const Mixer& mixer, int tp);
std::vector<MixerKernel> lightning_kernels(const Mixer& mixer, int tp);
MixerCache lightning_cache(const Mixer& mixer, int tp);
MixerKept lightning_kept(const Mixer& mixer, int tp);

inline constexpr MixerKind kLightningMixer{.name = "lightning",
                                           .add_matrices = add_lightning_matrices,
                                           .vector_parameters = lightning_vectors,
                                           .kernels = lightning_kernels,
                                           .cache = lightning_cache,
                                           .kept = lightning_kept,
                                           .num_divisible = divides_heads,
                                           .is_state = true};

}  // namespace railwright::models
