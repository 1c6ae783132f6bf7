// SPDX-License-Identifier: Apache-2.0
#include "latent.hpp"

namespace railwright::models {

void add_latent_vectors(const Transformer& model, const Mixer& mixer, int tp,
                        std::vector<Matrix>& matrices) {
  const std::int64_t hidden = model.hidden_size;
  const std::int64_t queries = heads_on_rank(mixer.num_heads, tp) *
                               (static_cast<std::int64_t>(mixer.head_size) + mixer.rope_size);
  if (mixer.query_rank > 0) {
    matrices.push_back({.inner = hidden, .columns = mixer.query_rank, .behind_norm = true});
    matrices.push_back({.inner = mixer.query_rank, .columns = queries, .from_latent = true});
  } else {
    matrices.push_back({.inner = hidden, .columns = queries, .behind_norm = true});
  }
  matrices.push_back({.inner = hidden,
                      .columns = static_cast<std::int64_t>(mixer.kv_rank) + mixer.rope_size,
                      .behind_norm = true});
  matrices.push_back({.inner = mixer.kv_rank,
                      .columns = heads_on_rank(mixer.num_heads, tp) *
                                 (static_cast<std::int64_t>(mixer.head_size) + mixer.value_size),
                      .from_latent = true});
}

void add_latent_matrices(const Transformer& model, const Mixer& mixer, int tp,
                         std::vector<Matrix>& matrices) {
  add_latent_vectors(model, mixer, tp, matrices);
  add_gate(model.hidden_size, mixer, tp, MatrixBlock::kAttention, matrices);
  matrices.push_back(
      {.inner = output_width(mixer, tp), .columns = model.hidden_size, .ends_block = true});
}

std::int64_t latent_vectors(const Mixer& mixer, int /*tp*/) {
  return static_cast<std::int64_t>(mixer.query_rank) + mixer.kv_rank;
}

std::vector<MixerKernel> latent_kernels(const Mixer& mixer, int tp) {
  const std::int64_t heads = heads_on_rank(mixer.num_heads, tp);
  const std::int64_t narrow = static_cast<std::int64_t>(mixer.kv_rank) + mixer.rope_size;
  return {{.heads = heads,
           .kv_heads = heads,
           .query_width = static_cast<std::int64_t>(mixer.head_size) + mixer.rope_size,
           .value_width = mixer.value_size,
           .cached_query_width = narrow,
           .cached_value_width = mixer.kv_rank,
           .window = mixer.window,
           .chunk = mixer.chunk}};
}

MixerCache latent_cache(const Mixer& mixer, int /*tp*/) {
  return {.of_token = static_cast<double>(mixer.kv_rank) + mixer.rope_size,
          .reach = mixer.window > 0 ? mixer.window : mixer.chunk};
}

MixerKept latent_kept(const Mixer& mixer, int tp) {
  const auto heads = static_cast<double>(heads_on_rank(mixer.num_heads, tp));
  const double query = static_cast<double>(mixer.head_size) + mixer.rope_size;
  const double output = heads * mixer.value_size;
  return with_gate(
      {.queries = heads * query,
       .keys = heads * query,
       .values = output,
       .output = output,
       .others = static_cast<double>(mixer.query_rank) + mixer.kv_rank + mixer.rope_size},
      mixer, tp);
}

std::vector<core::Problem> latent_problems(const Mixer& mixer) {
  return MixerProblems()
      .require(mixer.kv_rank > 0, "kv_rank", "latent attention needs the width of its vector")
      .list;
}

}  // namespace railwright::models
