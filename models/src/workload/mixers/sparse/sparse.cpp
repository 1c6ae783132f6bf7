// SPDX-License-Identifier: Apache-2.0
#include "sparse.hpp"

namespace railwright::models {

void add_sparse_matrices(const Transformer& model, const Mixer& mixer, int tp,
                         std::vector<Matrix>& matrices) {
  const std::int64_t hidden = model.hidden_size;
  add_latent_vectors(model, mixer, tp, matrices);
  add_indexer(hidden, mixer.query_rank > 0 ? mixer.query_rank : hidden,
              static_cast<std::int64_t>(mixer.index_size) + mixer.index_heads, mixer, matrices);
  add_gate(hidden, mixer, tp, MatrixBlock::kAttention, matrices);
  matrices.push_back({.inner = output_width(mixer, tp), .columns = hidden, .ends_block = true});
}

std::int64_t sparse_vectors(const Mixer& mixer, int tp) {
  const std::int64_t norm = mixer.index_heads > 0 ? std::int64_t{2} * mixer.index_size : 0;
  return latent_vectors(mixer, tp) + norm;
}

std::vector<MixerKernel> sparse_kernels(const Mixer& mixer, int tp) {
  const std::int64_t narrow = static_cast<std::int64_t>(mixer.kv_rank) + mixer.rope_size;
  std::vector<MixerKernel> kernels;
  if (mixer.index_heads > 0) kernels.push_back(index_kernel(mixer, "indexer", 0));
  kernels.push_back({.name = "sparse_attention",
                     .heads = heads_on_rank(mixer.num_heads, tp),
                     .kv_heads = 1,
                     .query_width = narrow,
                     .value_width = mixer.kv_rank,
                     .cached_query_width = narrow,
                     .cached_value_width = mixer.kv_rank,
                     .chosen = mixer.chosen_keys,
                     .is_gathered = true});
  return kernels;
}

MixerCache sparse_cache(const Mixer& mixer, int /*tp*/) {
  return {.of_token = static_cast<double>(mixer.kv_rank) + mixer.rope_size,
          .index_bytes = index_key_bytes(mixer)};
}

MixerKept sparse_kept(const Mixer& mixer, int tp) {
  const auto heads = static_cast<double>(heads_on_rank(mixer.num_heads, tp));
  const double narrow = static_cast<double>(mixer.kv_rank) + mixer.rope_size;
  const double index = mixer.index_heads > 0
                           ? (mixer.index_heads + 1.0) * mixer.index_size + mixer.index_heads
                           : 0.0;
  // Queries are kept before and behind their product with the keys' matrix, the output likewise.
  return with_gate({.queries = heads * (mixer.head_size + mixer.rope_size + narrow),
                    .keys = narrow,
                    .values = 0.0,
                    .output = heads * mixer.value_size,
                    .others = mixer.query_rank + heads * mixer.kv_rank + index},
                   mixer, tp);
}

std::vector<core::Problem> sparse_problems(const Mixer& mixer) {
  return MixerProblems()
      .require(mixer.kv_rank > 0, "kv_rank", "latent attention needs the width of its vector")
      .require(mixer.chosen_keys > 0, "chosen_keys", "sparse attention needs the keys of a token")
      .require(mixer.index_heads == 0 || mixer.index_size > 0, "index_size",
               "an indexer needs the width of its heads")
      .list;
}

}  // namespace railwright::models
