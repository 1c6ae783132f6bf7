// SPDX-License-Identifier: Apache-2.0
// What a checkpoint writes, from where, and who reads it back.
#pragma once

#include <cstdint>
#include <vector>

#include "railwright/core/fabric/fabric.hpp"
#include "railwright/models/parallelism/parallelism.hpp"
#include "railwright/models/software/profile.hpp"

namespace railwright::models {

/// One file: written or read by one single-threaded process.
struct CheckpointFile {
  int node = 0;  ///< where its process runs
  std::int64_t bytes = 0;
};

/// One file for each model-parallel rank of the first replica (tp x pp) [@dell2024h20003], or for
/// each rank, of equal size; the remainder of the division is spread so that the sizes add up to
/// the byte.
std::vector<CheckpointFile> checkpoint_files(const core::Fabric& fabric, const Training& training,
                                             const Layout& layout, const CheckpointFormat& format);

/// What each process reads at a restore. Files of model-parallel ranks are read by each replica
/// that reads; of files of all ranks each rank reads what it holds: its share, and all weights of
/// its model-parallel part where they are not spread over replicas. One replica reads alone where
/// it hands on what the others need.
std::vector<CheckpointFile> restored_files(const core::Fabric& fabric, const Training& training,
                                           const Layout& layout, const SoftwareProfile& software,
                                           bool one_replica_reads);

/// Trained parameters * bytes_per_parameter, rounded to a byte.
std::int64_t checkpoint_bytes(const Training& training, const CheckpointFormat& format);

}  // namespace railwright::models
