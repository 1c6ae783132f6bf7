// SPDX-License-Identifier: Apache-2.0
#include "compressed.hpp"

namespace railwright::models {

namespace {

bool is_compressed(const Mixer& mixer) { return mixer.ratio > 1; }

/// Vectors that a token gives to compressed keys: with an indexer two, since the groups of tokens
/// overlap by half.
std::int64_t vectors_of_token(const Mixer& mixer) { return mixer.index_heads > 0 ? 2 : 1; }

std::int64_t groups_on_rank(const Mixer& mixer, int tp) {
  return core::ceil_div(mixer.output_groups, tp);
}

}  // namespace

void add_compressed_matrices(const Transformer& model, const Mixer& mixer, int tp,
                             std::vector<Matrix>& matrices) {
  const std::int64_t hidden = model.hidden_size;
  const std::int64_t head = mixer.head_size;
  const std::int64_t heads = heads_on_rank(mixer.num_heads, tp);
  matrices.push_back({.inner = hidden, .columns = mixer.query_rank, .behind_norm = true});
  matrices.push_back({.inner = mixer.query_rank, .columns = heads * head, .from_latent = true});
  matrices.push_back({.inner = hidden, .columns = head, .behind_norm = true});
  if (is_compressed(mixer)) {
    // The vectors, and what weighs each of their elements.
    const std::int64_t columns = 2 * vectors_of_token(mixer) * head;
    matrices.push_back({.inner = hidden, .columns = columns, .behind_norm = true});
    add_indexer(hidden, mixer.query_rank,
                2 * vectors_of_token(mixer) * mixer.index_size + mixer.index_heads, mixer,
                matrices);
  }
  // Groups of heads have a matrix each: together as many rows as one, and the columns of all.
  const std::int64_t narrow = groups_on_rank(mixer, tp) * mixer.output_rank;
  matrices.push_back({.inner = mixer.num_heads * head / mixer.output_groups, .columns = narrow});
  matrices.push_back({.inner = narrow, .columns = hidden, .ends_block = true});
}

std::int64_t compressed_vectors(const Mixer& mixer, int tp) {
  const std::int64_t head = mixer.head_size;
  std::int64_t vectors = mixer.query_rank + head + heads_on_rank(mixer.num_heads, tp);
  if (!is_compressed(mixer)) return vectors;
  // Norms, and what a token's place in its group adds to the weights.
  const std::int64_t places = mixer.ratio * vectors_of_token(mixer);
  vectors += (places + 1) * head;
  return vectors + (mixer.index_heads > 0 ? (places + 1) * mixer.index_size : 0);
}

std::vector<MixerKernel> compressed_kernels(const Mixer& mixer, int tp) {
  MixerKernel attention{.heads = heads_on_rank(mixer.num_heads, tp),
                        .kv_heads = 1,
                        .query_width = mixer.head_size,
                        .value_width = mixer.head_size,
                        .cached_query_width = mixer.head_size,
                        .cached_value_width = mixer.head_size,
                        .window = mixer.window};
  if (!is_compressed(mixer)) return {attention};
  attention.name = mixer.index_heads > 0 ? "compressed_sparse_attention" : "compressed_attention";
  attention.ratio = mixer.ratio;
  attention.chosen = mixer.chosen_keys;
  attention.is_gathered = true;
  std::vector<MixerKernel> kernels;
  if (mixer.index_heads > 0)
    kernels.push_back(index_kernel(mixer, "compressed_indexer", mixer.ratio));
  // Vectors and weights read, a key of each group written; the gradients both ways.
  const auto vectors =
      static_cast<double>(vectors_of_token(mixer) * (mixer.head_size + mixer.index_size));
  kernels.push_back({.work = MixerKernel::Work::kState,
                     .name = mixer.index_heads > 0 ? "overlapped_compression" : "compression",
                     .wide_forward = 2.0 * vectors + vectors / mixer.ratio,
                     .wide_backward = 4.0 * vectors + 2.0 * vectors / mixer.ratio});
  kernels.push_back(attention);
  return kernels;
}

MixerCache compressed_cache(const Mixer& mixer, int /*tp*/) {
  MixerCache cache{.of_token = static_cast<double>(mixer.head_size), .reach = mixer.window};
  if (!is_compressed(mixer)) return cache;
  cache.of_compressed = mixer.head_size;
  cache.ratio = mixer.ratio;
  cache.index_bytes = index_key_bytes(mixer) / mixer.ratio;
  // A group that is not full yet, in fp32: its vectors and their weights.
  cache.state = 2.0 * static_cast<double>(vectors_of_token(mixer)) * mixer.ratio *
                (mixer.head_size + mixer.index_size);
  return cache;
}

MixerKept compressed_kept(const Mixer& mixer, int tp) {
  const double head = mixer.head_size;
  const double queries = static_cast<double>(heads_on_rank(mixer.num_heads, tp)) * head;
  double others =
      mixer.query_rank + static_cast<double>(groups_on_rank(mixer, tp)) * mixer.output_rank;
  if (is_compressed(mixer)) {
    others += 2.0 * static_cast<double>(vectors_of_token(mixer)) * (head + mixer.index_size) +
              static_cast<double>(mixer.index_heads) * mixer.index_size;
  }
  return {.queries = queries, .keys = head, .output = queries, .others = others};
}

std::vector<core::Problem> compressed_problems(const Mixer& mixer) {
  return MixerProblems()
      .require(mixer.query_rank > 0, "query_rank", "compressed attention needs narrow queries")
      .require(mixer.output_groups > 0 && mixer.output_rank > 0, "output_groups",
               "compressed attention needs the groups of its output and their width")
      .require(mixer.output_groups == 0 || mixer.num_heads % std::max(mixer.output_groups, 1) == 0,
               "output_groups", "the groups do not divide the heads")
      .require(mixer.window > 0, "window", "compressed attention needs a window of single tokens")
      .require(mixer.index_heads == 0 || (mixer.index_size > 0 && mixer.chosen_keys > 0),
               "index_heads", "an indexer needs the width of its heads and the keys of a token")
      .list;
}

}  // namespace railwright::models
