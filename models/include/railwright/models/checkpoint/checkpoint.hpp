// SPDX-License-Identifier: Apache-2.0
// What a checkpoint writes, and from where.
#pragma once

#include <cstdint>
#include <vector>

#include "railwright/core/fabric/fabric.hpp"
#include "railwright/models/parallelism/parallelism.hpp"
#include "railwright/models/software/profile.hpp"

namespace railwright::models {

/// One file: written by one single-threaded process.
struct CheckpointFile {
  int node = 0;  ///< where its writer runs
  std::int64_t bytes = 0;
};

/// One file for each model-parallel rank of the first replica (tp x pp), of equal size; the
/// remainder of the division is spread so that the sizes add up to the byte. [@dell2024h20003]
std::vector<CheckpointFile> checkpoint_files(const core::Fabric& fabric, const Training& training,
                                             const Layout& layout, const CheckpointFormat& format);

/// Trained parameters * bytes_per_parameter, rounded to a byte.
std::int64_t checkpoint_bytes(const Training& training, const CheckpointFormat& format);

}  // namespace railwright::models
