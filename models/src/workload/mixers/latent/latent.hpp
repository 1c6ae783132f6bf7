// SPDX-License-Identifier: Apache-2.0
// Multi-head latent attention: keys and values come out of one narrow vector. [@deepseek2024v2]
#pragma once

#include <cstdint>
#include <vector>

#include "../shards.hpp"

namespace railwright::models {

/// Adds the matrices up to queries, keys and values.
void add_latent_vectors(const Transformer& model, const Mixer& mixer, int tp,
                        std::vector<Matrix>& matrices);
void add_latent_matrices(const Transformer& model, const Mixer& mixer, int tp,
                         std::vector<Matrix>& matrices);
std::int64_t latent_vectors(const Mixer& mixer, int tp);
std::vector<MixerKernel> latent_kernels(const Mixer& mixer, int tp);
MixerCache latent_cache(const Mixer& mixer, int tp);
MixerKept latent_kept(const Mixer& mixer, int tp);
std::vector<core::Problem> latent_problems(const Mixer& mixer);

inline constexpr MixerKind kLatentMixer{.name = "latent",
                                        .add_matrices = add_latent_matrices,
                                        .vector_parameters = latent_vectors,
                                        .kernels = latent_kernels,
                                        .cache = latent_cache,
                                        .kept = latent_kept,
                                        .problems = latent_problems,
                                        .num_divisible = divides_heads,
                                        .more_kernels = kLatentKernels,
                                        .has_ring = true};

}  // namespace railwright::models
