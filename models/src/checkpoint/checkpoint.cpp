// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/checkpoint/checkpoint.hpp"

#include <cmath>

namespace railwright::models {

std::int64_t checkpoint_bytes(const Training& training, const CheckpointFormat& format) {
  return std::llround(static_cast<double>(num_trained_parameters(training)) *
                      format.bytes_per_parameter.value);
}

std::vector<CheckpointFile> checkpoint_files(const core::Fabric& fabric, const Training& training,
                                             const Layout& layout, const CheckpointFormat& format) {
  const std::int64_t total = checkpoint_bytes(training, format);
  const std::int64_t count = static_cast<std::int64_t>(layout.tp) * layout.pp;
  std::vector<CheckpointFile> files;
  files.reserve(static_cast<std::size_t>(count));
  for (int stage = 0; stage < layout.pp; ++stage) {
    for (int tensor = 0; tensor < layout.tp; ++tensor) {
      const auto index = static_cast<std::int64_t>(files.size());
      files.push_back({.node = fabric.endpoint(layout.accelerator(tensor, 0, stage)).node,
                       .bytes = total / count + (index < total % count ? 1 : 0)});
    }
  }
  return files;
}

}  // namespace railwright::models
