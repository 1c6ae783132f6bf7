// SPDX-License-Identifier: Apache-2.0
// Divisions of a service with every batch, as full batches.
#pragma once

#include <cstdint>
#include <vector>

#include "railwright/workloads/serving/full_batches.hpp"
#include "serving_divisions.hpp"

namespace railwright::planner {

/// A division with one batch.
struct ServingPoint {
  ServingDivision division;
  simulation::FullBatch numbers;
  bool meets_latencies = true;
};

/// Computes the wanted batches of each division that fit; if none are wanted 1, 2, 3, 4, 6, 8, 12
/// and so on, the largest, and the largest within the latencies. Where prompts are apart, only
/// batches whose first token comes in time are listed. In the order of the divisions, for any
/// number of threads.
std::vector<ServingPoint> serving_points(const simulation::CheckedInference& checked,
                                         const topologies::BuiltCluster& built,
                                         const std::vector<ServingDivision>& divisions,
                                         int num_threads);

}  // namespace railwright::planner
