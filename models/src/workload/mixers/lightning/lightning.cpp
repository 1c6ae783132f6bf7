// SPDX-License-Identifier: Apache-2.0
#include "lightning.hpp"

namespace railwright::models {

namespace {

std::int64_t lightning_width(const Mixer& mixer, int tp) {
  return heads_on_rank(mixer.num_heads, tp) * mixer.head_size;
}

}  // namespace

void add_lightning_matrices(const Transformer& model, const Mixer& mixer, int tp,
                            std::vector<Matrix>& matrices) {
  const std::int64_t width = lightning_width(mixer, tp);
  const std::int64_t hidden = model.hidden_size;
  matrices.push_back(
      {.inner = hidden, .columns = 3 * width, .block = MatrixBlock::kMamba, .behind_norm = true});
  add_gate(hidden, mixer, tp, MatrixBlock::kMamba, matrices);
  matrices.push_back(
      {.inner = width, .columns = hidden, .block = MatrixBlock::kMamba, .ends_block = true});
}

std::int64_t lightning_vectors(const Mixer& mixer, int tp) { return lightning_width(mixer, tp); }

std::vector<MixerKernel> lightning_kernels(const Mixer& mixer, int tp) {
  const auto heads = static_cast<double>(heads_on_rank(mixer.num_heads, tp));
  const auto width = static_cast<double>(lightning_width(mixer, tp));
  const double states = width * mixer.head_size;
  const double of_chunks = states / mixer.chunk_size;
  // Queries, keys and values read by both parts of a chunk, states written and read, output, norm
  // and gate; backward with the gradients of each.
  return {{.work = MixerKernel::Work::kState,
           .name = "lightning",
           .work_of_token = state_work(heads, mixer.head_size, mixer.head_size, false),
           .bound_of_token =
               chunk_work(heads, mixer.head_size, mixer.head_size, mixer.chunk_size, false),
           .wide_forward = 12 * width,
           .fp32_forward = 2 * of_chunks,
           .wide_backward = 28 * width,
           .fp32_backward = 5 * of_chunks,
           .state = states,
           .chunk_size = mixer.chunk_size}};
}

MixerCache lightning_cache(const Mixer& mixer, int tp) {
  return {.state = static_cast<double>(lightning_width(mixer, tp)) * mixer.head_size};
}

MixerKept lightning_kept(const Mixer& mixer, int tp) {
  const auto width = static_cast<double>(lightning_width(mixer, tp));
  return {.output = width,
          .others = 3.0 * width + static_cast<double>(gate_width(mixer, tp)),
          .last_input = width};
}

}  // namespace railwright::models
