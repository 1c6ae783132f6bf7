// SPDX-License-Identifier: Apache-2.0
// A mixer of its own, added as the how-to says: each head carries the mean of its values.
#pragma once

#include <cstdint>
#include <vector>

#include "../../models/src/workload/mixers/shards.hpp"

namespace railwright::models {

void add_running_mean_matrices(const Transformer& model, const Mixer& mixer, int tp,
                               std::vector<Matrix>& matrices);
std::int64_t running_mean_vectors(const Mixer& mixer, int tp);
std::vector<MixerKernel> running_mean_kernels(const Mixer& mixer, int tp);
MixerCache running_mean_cache(const Mixer& mixer, int tp);
MixerKept running_mean_kept(const Mixer& mixer, int tp);

inline constexpr MixerKind kRunningMean{.name = "running_mean",
                                        .add_matrices = add_running_mean_matrices,
                                        .vector_parameters = running_mean_vectors,
                                        .kernels = running_mean_kernels,
                                        .cache = running_mean_cache,
                                        .kept = running_mean_kept,
                                        .num_divisible = divides_heads,
                                        .is_state = true};

}  // namespace railwright::models
