// SPDX-License-Identifier: Apache-2.0
#include "running_mean.hpp"

namespace railwright::models {

void add_running_mean_matrices(const Transformer& model, const Mixer& mixer, int tp,
                               std::vector<Matrix>& matrices) {
  const std::int64_t width = output_width(mixer, tp);
  matrices.push_back({.inner = model.hidden_size,
                      .columns = width,
                      .block = MatrixBlock::kMamba,
                      .behind_norm = true});
  matrices.push_back({.inner = width,
                      .columns = model.hidden_size,
                      .block = MatrixBlock::kMamba,
                      .ends_block = true});
}

std::int64_t running_mean_vectors(const Mixer& mixer, int tp) { return output_width(mixer, tp); }

std::vector<MixerKernel> running_mean_kernels(const Mixer& mixer, int tp) {
  const auto width = static_cast<double>(output_width(mixer, tp));
  return {{.work = MixerKernel::Work::kState,
           .name = "running_mean",
           .work_of_token = 2.0 * width,
           .wide_forward = 2.0 * width,
           .wide_backward = 2.0 * width,
           .state = width}};
}

MixerCache running_mean_cache(const Mixer& mixer, int tp) {
  return {.state = static_cast<double>(output_width(mixer, tp))};
}

MixerKept running_mean_kept(const Mixer& mixer, int tp) {
  const auto width = static_cast<double>(output_width(mixer, tp));
  return {.output = width, .last_input = width};
}

}  // namespace railwright::models
