// SPDX-License-Identifier: Apache-2.0
#include "block_sparse.hpp"

namespace railwright::models {

namespace {

/// Heads of the indexer on a rank: they are divided as far as there are any.
std::int64_t index_heads_on_rank(const Mixer& mixer, int tp) {
  return core::ceil_div(mixer.index_heads, tp);
}

std::int64_t index_columns(const Mixer& mixer, int tp) {
  return mixer.index_heads > 0 ? (index_heads_on_rank(mixer, tp) + 1) * mixer.index_size : 0;
}

}  // namespace

void add_block_sparse_matrices(const Transformer& model, const Mixer& mixer, int tp,
                               std::vector<Matrix>& matrices) {
  add_attention_matrices(model, mixer, tp, matrices);
  matrices.insert(
      matrices.end() - 1,
      {.inner = model.hidden_size, .columns = index_columns(mixer, tp), .behind_norm = true});
}

std::int64_t block_sparse_vectors(const Mixer& mixer, int /*tp*/) {
  return 2 * (static_cast<std::int64_t>(mixer.head_size) + mixer.index_size);
}

std::vector<MixerKernel> block_sparse_kernels(const Mixer& mixer, int tp) {
  MixerKernel index = index_kernel(mixer, "block_indexer", 0);
  index.heads = index_heads_on_rank(mixer, tp);
  std::vector<MixerKernel> kernels = attention_kernels(mixer, tp);
  kernels.front().name = "block_attention";
  kernels.front().chosen = mixer.chosen_keys;
  kernels.insert(kernels.begin(), index);
  return kernels;
}

MixerCache block_sparse_cache(const Mixer& mixer, int tp) {
  MixerCache cache = attention_cache(mixer, tp);
  cache.of_token += mixer.index_size;
  return cache;
}

MixerKept block_sparse_kept(const Mixer& mixer, int tp) {
  MixerKept kept = attention_kept(mixer, tp);
  kept.others += static_cast<double>(index_columns(mixer, tp));
  return kept;
}

std::vector<core::Problem> block_sparse_problems(const Mixer& mixer) {
  return MixerProblems()
      .require(mixer.chosen_keys > 0, "chosen_keys", "sparse attention needs the keys of a token")
      .require(mixer.index_heads > 0 && mixer.index_size > 0, "index_heads",
               "the choice of blocks needs heads and their width")
      .list;
}

}  // namespace railwright::models
