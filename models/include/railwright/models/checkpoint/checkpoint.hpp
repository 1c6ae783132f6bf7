// SPDX-License-Identifier: Apache-2.0
// The files of a checkpoint: their sizes, their writers, and their readers at a restore.
#pragma once

#include <cstdint>
#include <vector>

#include "railwright/models/parallelism/parallelism.hpp"

namespace railwright::models {

struct CheckpointFormat;
struct SoftwareProfile;

/// One file, written or read by one single-threaded process.
struct CheckpointFile {
  int node = 0;  ///< node of its process
  std::int64_t bytes = 0;
};

/// Returns one file for each model-parallel rank of the first replica (tp x pp) [@dell2024h20003],
/// or for each rank, of equal size. The remainder of the division is spread so that the sizes add
/// up exactly. Ranks are on nodes of so many accelerators, in order.
std::vector<CheckpointFile> checkpoint_files(int accelerators_per_node, const Training& training,
                                             const Layout& layout, const CheckpointFormat& format);

/// Returns what each process reads at a restore. Every replica that reads takes the files of its
/// model-parallel ranks. From files of all ranks, each rank reads what it holds: its share, plus
/// all weights of its model-parallel part unless replicas share them. With `one_replica_reads`, the
/// first replica reads alone and passes on what the others need.
std::vector<CheckpointFile> restored_files(int accelerators_per_node, const Training& training,
                                           const Layout& layout, const SoftwareProfile& software,
                                           bool one_replica_reads);

/// Computes trained parameters * bytes_per_parameter, rounded to a byte.
std::int64_t checkpoint_bytes(const Training& training, const CheckpointFormat& format);

}  // namespace railwright::models
