// SPDX-License-Identifier: Apache-2.0
#include "mamba1.hpp"

namespace railwright::models {

namespace {

/// Channels on a rank. The model's heads are channels of width `head_size`.
std::int64_t mamba1_width(const Mixer& mixer, int tp) {
  return heads_on_rank(mixer.num_heads, tp) * mixer.head_size;
}

/// Width of what a channel's step, its writes and its reads come out of.
std::int64_t selected_width(const Mixer& mixer) {
  return static_cast<std::int64_t>(mixer.step_rank) + std::int64_t{2} * mixer.state_size;
}

}  // namespace

void add_mamba1_matrices(const Transformer& model, const Mixer& mixer, int tp,
                         std::vector<Matrix>& matrices) {
  const std::int64_t width = mamba1_width(mixer, tp);
  const std::int64_t hidden = model.hidden_size;
  const MatrixBlock block = MatrixBlock::kMamba;
  matrices.push_back({.inner = hidden, .columns = 2 * width, .block = block, .behind_norm = true});
  matrices.push_back({.inner = width, .columns = selected_width(mixer), .block = block});
  matrices.push_back({.inner = mixer.step_rank, .columns = width, .block = block});
  matrices.push_back({.inner = width, .columns = hidden, .block = block, .ends_block = true});
}

/// Counts the convolution with its bias, the decays, the bias of the steps, what passes by the
/// states, and the norms of the selected vectors.
std::int64_t mamba1_vectors(const Mixer& mixer, int tp) {
  const std::int64_t width = mamba1_width(mixer, tp);
  return width * (mixer.conv_size + 1) + width * mixer.state_size + 2 * width +
         selected_width(mixer);
}

std::vector<MixerKernel> mamba1_kernels(const Mixer& mixer, int tp) {
  const auto width = static_cast<double>(mamba1_width(mixer, tp));
  const auto selected = static_cast<double>(selected_width(mixer));
  // A scan keeps its states on the chip: inputs, steps, gate and output alone are moved; backward
  // the states are made again. [@gu2023mamba]
  return {{.work = MixerKernel::Work::kState,
           .name = "mamba1",
           .work_of_token = 7.0 * width * mixer.state_size,
           .wide_forward = 7 * width + 2 * selected,
           .wide_backward = 16 * width + 6 * selected,
           .state = width * mixer.state_size,
           .convolved = width * (mixer.conv_size - 1),
           .chunk_size = mixer.chunk_size}};
}

MixerCache mamba1_cache(const Mixer& mixer, int tp) {
  const auto width = static_cast<double>(mamba1_width(mixer, tp));
  return {.state = width * mixer.state_size, .convolved = width * (mixer.conv_size - 1)};
}

MixerKept mamba1_kept(const Mixer& mixer, int tp) {
  const auto width = static_cast<double>(mamba1_width(mixer, tp));
  return {.output = width,
          .others = 4.0 * width + static_cast<double>(selected_width(mixer)),
          .last_input = width};
}

std::vector<core::Problem> mamba1_problems(const Mixer& mixer) {
  return MixerProblems()
      .require(mixer.state_size > 0, "state_size", "a state space needs the size of its states")
      .require(mixer.step_rank > 0, "step_rank", "steps of channels need the width before them")
      .list;
}

}  // namespace railwright::models
