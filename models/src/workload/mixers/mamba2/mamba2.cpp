// SPDX-License-Identifier: Apache-2.0
#include "mamba2.hpp"

namespace railwright::models {

namespace {

/// Widths on a rank: tensor parallelism divides heads and groups.
struct Mamba2Widths {
  std::int64_t inner = 0;   ///< of the heads
  std::int64_t states = 0;  ///< of what writes to states, and of what reads from them
  std::int64_t heads = 0;

  /// Width of what the convolution mixes.
  [[nodiscard]] std::int64_t convolved() const { return inner + 2 * states; }
  /// Width of what comes out of the first matrix: gate, convolved, and a step for each head.
  [[nodiscard]] std::int64_t projected() const { return inner + convolved() + heads; }
};

Mamba2Widths mamba2_widths(const Mixer& mixer, int tp) {
  const std::int64_t inner = static_cast<std::int64_t>(mixer.num_heads) * mixer.head_size;
  return {.inner = inner / tp,
          .states = heads_on_rank(mixer.num_groups, tp) * mixer.state_size,
          .heads = mixer.num_heads / tp};
}

}  // namespace

void add_mamba2_matrices(const Transformer& model, const Mixer& mixer, int tp,
                         std::vector<Matrix>& matrices) {
  const Mamba2Widths widths = mamba2_widths(mixer, tp);
  const std::int64_t hidden = model.hidden_size;
  matrices.push_back({.inner = hidden,
                      .columns = widths.projected(),
                      .block = MatrixBlock::kMamba,
                      .behind_norm = true});
  matrices.push_back(
      {.inner = widths.inner, .columns = hidden, .block = MatrixBlock::kMamba, .ends_block = true});
}

/// Counts the convolution's weights and biases, three numbers a head, and the norm before the last
/// matrix.
std::int64_t mamba2_vectors(const Mixer& mixer, int tp) {
  const Mamba2Widths widths = mamba2_widths(mixer, tp);
  return widths.convolved() * (mixer.conv_size + 1) + 3 * widths.heads + widths.inner;
}

/// Counted from the kernels of mamba_ssm 2.2 for training, where nothing of the mixer but its
/// inputs and its output is kept. Forward: convolution; states of each chunk written in fp32,
/// carried on from chunk to chunk, and read in 16 bits; products of the vectors of two tokens of a
/// chunk, one for each group, in fp32; the output; gate and norm. Backward: the same again up to
/// the output, then the gradients of the norm, the output, the states, both vectors, and the
/// convolution. Operations are those that Megatron-LM counts. [@dao2024mamba2] [@megatron_core_moe]
std::vector<MixerKernel> mamba2_kernels(const Mixer& mixer, int tp) {
  const Mamba2Widths widths = mamba2_widths(mixer, tp);
  const auto convolved = static_cast<double>(widths.convolved());
  const auto inner = static_cast<double>(widths.inner);
  const auto vectors = static_cast<double>(widths.states);
  const double states = inner * mixer.state_size / mixer.chunk_size;
  const double pairs = static_cast<double>(mixer.chunk_size) * mixer.num_groups / tp;
  return {{.work = MixerKernel::Work::kState,
           .name = "mamba2",
           .work_of_token = 7.0 * inner * mixer.state_size,
           .wide_forward = 2 * convolved + 6 * inner + 4 * vectors + states * 2,
           .fp32_forward = states * 2 + pairs * 2,
           .wide_backward = 5 * convolved + 14 * inner + 12 * vectors + states * 9,
           .fp32_backward = states * 3 + pairs * 5,
           .state = inner * mixer.state_size,
           .convolved = convolved * (mixer.conv_size - 1),
           .chunk_size = mixer.chunk_size}};
}

MixerCache mamba2_cache(const Mixer& mixer, int tp) {
  const Mamba2Widths widths = mamba2_widths(mixer, tp);
  return {.state = static_cast<double>(widths.inner) * mixer.state_size,
          .convolved = static_cast<double>(widths.convolved()) * (mixer.conv_size - 1)};
}

/// Keeps the output of the first matrix, that of the states, and the last matrix's input. All
/// else is computed again. [@dao2024mamba2]
MixerKept mamba2_kept(const Mixer& mixer, int tp) {
  const Mamba2Widths widths = mamba2_widths(mixer, tp);
  const auto inner = static_cast<double>(widths.inner);
  return {.output = inner, .others = static_cast<double>(widths.projected()), .last_input = inner};
}

std::vector<core::Problem> mamba2_problems(const Mixer& mixer) {
  return MixerProblems()
      .require(mixer.state_size > 0, "state_size", "a state space needs the size of its states")
      .require(mixer.num_heads % std::max(mixer.num_groups, 1) == 0, "num_groups",
               "the groups do not divide the heads")
      .list;
}

int mamba2_groups(const Mixer& mixer) { return mixer.num_groups; }

}  // namespace railwright::models
