// SPDX-License-Identifier: Apache-2.0
#include "attention.hpp"

namespace railwright::models {

void add_attention_matrices(const Transformer& model, const Mixer& mixer, int tp,
                            std::vector<Matrix>& matrices) {
  const std::int64_t hidden = model.hidden_size;
  const std::int64_t kv_heads = heads_on_rank(mixer.num_kv_heads, tp);
  const std::int64_t queries = heads_on_rank(mixer.num_heads, tp) * mixer.head_size;
  const std::int64_t values = mixer.shares_values ? 0 : mixer.value_size;
  const std::int64_t with_queries = mixer.gate_rank > 0 ? 0 : gate_width(mixer, tp);
  matrices.push_back({.inner = hidden,
                      .columns = queries + kv_heads * (mixer.head_size + values) + with_queries,
                      .behind_norm = true});
  if (mixer.gate_rank > 0) add_gate(hidden, mixer, tp, MatrixBlock::kAttention, matrices);
  matrices.push_back({.inner = output_width(mixer, tp), .columns = hidden, .ends_block = true});
}

std::int64_t attention_vectors(const Mixer& /*mixer*/, int /*tp*/) { return 0; }

std::vector<MixerKernel> attention_kernels(const Mixer& mixer, int tp) {
  return {{.heads = heads_on_rank(mixer.num_heads, tp),
           .kv_heads = heads_on_rank(mixer.num_kv_heads, tp),
           .query_width = mixer.head_size,
           .value_width = mixer.value_size,
           .window = mixer.window,
           .chunk = mixer.chunk}};
}

MixerCache attention_cache(const Mixer& mixer, int tp) {
  const int of_head = mixer.head_size + (mixer.shares_values ? 0 : mixer.value_size);
  return {.of_token = static_cast<double>(heads_on_rank(mixer.num_kv_heads, tp) * of_head),
          .reach = mixer.window > 0 ? mixer.window : mixer.chunk};
}

MixerKept attention_kept(const Mixer& mixer, int tp) {
  const std::int64_t kv_heads = heads_on_rank(mixer.num_kv_heads, tp);
  const std::int64_t queries = heads_on_rank(mixer.num_heads, tp) * mixer.head_size;
  const std::int64_t values = mixer.shares_values ? 0 : mixer.value_size;
  return with_gate({.queries = static_cast<double>(queries),
                    .keys = static_cast<double>(kv_heads * mixer.head_size),
                    .values = static_cast<double>(kv_heads * values),
                    .output = static_cast<double>(output_width(mixer, tp))},
                   mixer, tp);
}

}  // namespace railwright::models
