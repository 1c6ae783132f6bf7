// SPDX-License-Identifier: Apache-2.0
// A simulated run of requests over replicas.
#pragma once

#include <cstdint>

#include "serving_instance.hpp"

namespace railwright::simulation {

/// `inference.load` over `num_replicas`, each of which takes the next request in turn and answers
/// up to `batch` at a time.
ServingRun serve_load(const Replica& replica, std::int64_t batch, std::int64_t num_replicas);

/// Whether enough of its requests met the wanted latencies.
bool meets_latencies(const models::Inference& inference, const ServingRun& run);

}  // namespace railwright::simulation
