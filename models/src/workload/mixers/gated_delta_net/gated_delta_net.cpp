// SPDX-License-Identifier: Apache-2.0
#include "gated_delta_net.hpp"

namespace railwright::models {

namespace {

/// Widths on a rank.
struct DeltaWidths {
  std::int64_t heads = 0;
  std::int64_t keys = 0;
  std::int64_t values = 0;

  [[nodiscard]] std::int64_t convolved() const { return 2 * keys + values; }
};

DeltaWidths delta_widths(const Mixer& mixer, int tp) {
  return {.heads = heads_on_rank(mixer.num_heads, tp),
          .keys = heads_on_rank(mixer.num_kv_heads, tp) * mixer.head_size,
          .values = output_width(mixer, tp)};
}

}  // namespace

void add_gated_delta_net_matrices(const Transformer& model, const Mixer& mixer, int tp,
                                  std::vector<Matrix>& matrices) {
  const DeltaWidths widths = delta_widths(mixer, tp);
  const std::int64_t hidden = model.hidden_size;
  // Queries, keys, values and gate; two numbers a head: how much it forgets, and learns.
  matrices.push_back({.inner = hidden,
                      .columns = widths.convolved() + widths.values + 2 * widths.heads,
                      .block = MatrixBlock::kMamba,
                      .behind_norm = true});
  matrices.push_back({.inner = widths.values,
                      .columns = hidden,
                      .block = MatrixBlock::kMamba,
                      .ends_block = true});
}

std::int64_t gated_delta_net_vectors(const Mixer& mixer, int tp) {
  const DeltaWidths widths = delta_widths(mixer, tp);
  return widths.convolved() * mixer.conv_size + 2 * widths.heads + mixer.value_size;
}

std::vector<MixerKernel> gated_delta_net_kernels(const Mixer& mixer, int tp) {
  const DeltaWidths widths = delta_widths(mixer, tp);
  const auto heads = static_cast<double>(widths.heads);
  const auto convolved = static_cast<double>(widths.convolved());
  const auto values = static_cast<double>(widths.values);
  const double keys = heads * mixer.head_size;
  const auto own_keys = static_cast<double>(widths.keys);
  const double states = values * mixer.head_size;
  const double pairs = heads * mixer.chunk_size;
  const double of_chunks = states / mixer.chunk_size;
  // Counted from the kernels of flash-linear-attention: convolution; norms of queries and keys;
  // products of a chunk's tokens and their inverse; two vectors of each head made by it, written
  // and read; states written and read twice; output, its norm and gate. Backward the same again,
  // then the gradients. [@flash_linear_attention]
  return {{.work = MixerKernel::Work::kState,
           .name = "gated_delta_net",
           .work_of_token = state_work(heads, mixer.head_size, mixer.value_size, true),
           .bound_of_token =
               chunk_work(heads, mixer.head_size, mixer.value_size, mixer.chunk_size, true),
           .wide_forward =
               2 * convolved + 3 * keys + 5 * own_keys + 9 * values + 3 * of_chunks + 2 * pairs,
           .fp32_forward = 2 * pairs,
           .wide_backward =
               5 * convolved + 8 * keys + 12 * own_keys + 22 * values + 8 * of_chunks + 4 * pairs,
           .fp32_backward = 5 * pairs,
           .state = states,
           .convolved = convolved * (mixer.conv_size - 1),
           .chunk_size = mixer.chunk_size}};
}

MixerCache gated_delta_net_cache(const Mixer& mixer, int tp) {
  const DeltaWidths widths = delta_widths(mixer, tp);
  return {.state = static_cast<double>(widths.values) * mixer.head_size,
          .convolved = static_cast<double>(widths.convolved()) * (mixer.conv_size - 1)};
}

MixerKept gated_delta_net_kept(const Mixer& mixer, int tp) {
  const DeltaWidths widths = delta_widths(mixer, tp);
  const auto values = static_cast<double>(widths.values);
  // Both ends of the convolution, the gate, and the inverse of a chunk.
  return {.output = values,
          .others = 2.0 * static_cast<double>(widths.convolved()) + values +
                    static_cast<double>(widths.heads) * (2.0 + mixer.chunk_size),
          .last_input = values};
}

std::vector<core::Problem> gated_delta_net_problems(const Mixer& mixer) {
  return MixerProblems()
      .require(mixer.num_heads % std::max(mixer.num_kv_heads, 1) == 0, "num_kv_heads",
               "the heads of keys do not divide those of values")
      .list;
}

int delta_key_heads(const Mixer& mixer) { return mixer.num_kv_heads; }

}  // namespace railwright::models
