// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/checkpoint/checkpoint.hpp"

#include <algorithm>
#include <cmath>

#include "railwright/models/software/profile.hpp"

namespace railwright::models {

namespace {

/// Returns part `index` of `count` equal ones, the remainder spread over the first.
std::int64_t part(std::int64_t total, std::int64_t count, std::int64_t index) {
  return total / count + (index < total % count ? 1 : 0);
}

}  // namespace

std::int64_t checkpoint_bytes(const Training& training, const CheckpointFormat& format) {
  return std::llround(static_cast<double>(num_trained_parameters(training)) *
                      format.bytes_per_parameter.value);
}

std::vector<CheckpointFile> checkpoint_files(int accelerators_per_node, const Training& training,
                                             const Layout& layout, const CheckpointFormat& format) {
  const std::int64_t total = checkpoint_bytes(training, format);
  std::vector<CheckpointFile> files;
  if (format.sharding.value == CheckpointSharding::kAllRanks) {
    const int count = layout.stage_size() * layout.pp;
    for (int rank = 0; rank < count; ++rank) {
      files.push_back({.node = rank / accelerators_per_node, .bytes = part(total, count, rank)});
    }
    return files;
  }
  const std::int64_t count = static_cast<std::int64_t>(layout.tp) * layout.pp;
  for (int stage = 0; stage < layout.pp; ++stage) {
    for (int tensor = 0; tensor < layout.tp; ++tensor) {
      const auto index = static_cast<std::int64_t>(files.size());
      files.push_back({.node = layout.accelerator(tensor, 0, stage) / accelerators_per_node,
                       .bytes = part(total, count, index)});
    }
  }
  return files;
}

std::vector<CheckpointFile> restored_files(int accelerators_per_node, const Training& training,
                                           const Layout& layout, const SoftwareProfile& software,
                                           bool one_replica_reads) {
  const CheckpointFormat& format = software.checkpoint;
  if (one_replica_reads) return checkpoint_files(accelerators_per_node, training, layout, format);
  const std::int64_t total = checkpoint_bytes(training, format);
  const std::int64_t count = static_cast<std::int64_t>(layout.tp) * layout.pp;
  const int num_ranks = layout.stage_size() * layout.pp;
  std::vector<CheckpointFile> files;
  if (format.sharding.value == CheckpointSharding::kModelParallel) {
    for (int rank = 0; rank < num_ranks; ++rank) {
      files.push_back(
          {.node = rank / accelerators_per_node, .bytes = part(total, count, rank % count)});
    }
    return files;
  }
  const auto weights =
      software.zero_stage.value == 3
          ? std::int64_t{0}
          : std::llround(static_cast<double>(num_trained_parameters(training)) *
                         // A checkpoint stores narrower weights in 16 bits.
                         std::max(kHalfBytes, core::bytes_of(software.precision.value)));
  for (int rank = 0; rank < num_ranks; ++rank) {
    files.push_back(
        {.node = rank / accelerators_per_node,
         .bytes = part(total - weights, num_ranks, rank) + part(weights, count, rank % count)});
  }
  return files;
}

}  // namespace railwright::models
