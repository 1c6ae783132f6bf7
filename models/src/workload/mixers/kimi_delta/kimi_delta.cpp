// SPDX-License-Identifier: Apache-2.0
#include "kimi_delta.hpp"

namespace railwright::models {

namespace {

std::int64_t kda_width(const Mixer& mixer, int tp) {
  return heads_on_rank(mixer.num_heads, tp) * mixer.head_size;
}

}  // namespace

void add_kimi_delta_matrices(const Transformer& model, const Mixer& mixer, int tp,
                             std::vector<Matrix>& matrices) {
  const std::int64_t hidden = model.hidden_size;
  const std::int64_t width = kda_width(mixer, tp);
  // Queries, keys and values; a number a head: how much it learns.
  matrices.push_back({.inner = hidden,
                      .columns = 3 * width + heads_on_rank(mixer.num_heads, tp),
                      .block = MatrixBlock::kMamba,
                      .behind_norm = true});
  // The decay of each channel, by a narrow vector.
  matrices.push_back({.inner = hidden,
                      .columns = mixer.step_rank,
                      .block = MatrixBlock::kMamba,
                      .behind_norm = true});
  matrices.push_back({.inner = mixer.step_rank, .columns = width, .block = MatrixBlock::kMamba});
  add_gate(hidden, mixer, tp, MatrixBlock::kMamba, matrices);
  matrices.push_back(
      {.inner = width, .columns = hidden, .block = MatrixBlock::kMamba, .ends_block = true});
}

std::int64_t kimi_delta_vectors(const Mixer& mixer, int tp) {
  const std::int64_t width = kda_width(mixer, tp);
  return 3 * width * mixer.conv_size + width + heads_on_rank(mixer.num_heads, tp) + mixer.head_size;
}

std::vector<MixerKernel> kimi_delta_kernels(const Mixer& mixer, int tp) {
  const auto heads = static_cast<double>(heads_on_rank(mixer.num_heads, tp));
  const auto width = static_cast<double>(kda_width(mixer, tp));
  const double states = width * mixer.head_size;
  const double pairs = heads * mixer.chunk_size;
  const double of_chunks = states / mixer.chunk_size;
  // Counted as a gated delta net, with decays of each channel in fp32, summed up along a chunk.
  // [@flash_linear_attention]
  return {{.work = MixerKernel::Work::kState,
           .name = "kimi_delta",
           .work_of_token = state_work(heads, mixer.head_size, mixer.head_size, true),
           .bound_of_token =
               chunk_work(heads, mixer.head_size, mixer.head_size, mixer.chunk_size, true),
           .wide_forward = 24 * width + 3 * of_chunks + 2 * pairs,
           .fp32_forward = 4 * width + 2 * pairs,
           .wide_backward = 58 * width + 8 * of_chunks + 4 * pairs,
           .fp32_backward = 10 * width + 5 * pairs,
           .state = states,
           .convolved = 3.0 * width * (mixer.conv_size - 1),
           .chunk_size = mixer.chunk_size}};
}

MixerCache kimi_delta_cache(const Mixer& mixer, int tp) {
  const auto width = static_cast<double>(kda_width(mixer, tp));
  return {.state = width * mixer.head_size, .convolved = 3.0 * width * (mixer.conv_size - 1)};
}

MixerKept kimi_delta_kept(const Mixer& mixer, int tp) {
  const auto width = static_cast<double>(kda_width(mixer, tp));
  const auto heads = static_cast<double>(heads_on_rank(mixer.num_heads, tp));
  // Both ends of the convolution, decays, gate, and the inverse of a chunk.
  return {
      .output = width,
      .others = 8.0 * width + mixer.step_rank + mixer.gate_rank + heads * (1.0 + mixer.chunk_size),
      .last_input = width};
}

std::vector<core::Problem> kimi_delta_problems(const Mixer& mixer) {
  return MixerProblems()
      .require(mixer.step_rank > 0, "step_rank", "decays of channels need the width before them")
      .list;
}

}  // namespace railwright::models
