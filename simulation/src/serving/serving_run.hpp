// SPDX-License-Identifier: Apache-2.0
// A simulated run of requests over replicas.
#pragma once

#include <cstdint>
#include <vector>

#include "request_queue.hpp"
#include "serving_instance.hpp"

namespace railwright::simulation {

/// Returns the rate that the scenario wants, as requests or as tokens; 0 if it wants none.
double wanted_requests_per_s(const models::Inference& inference);

/// The requests of `inference.load`, drawn once, for any number of replicas that answer up to
/// `batch` at a time.
class ServedLoad {
 public:
  ServedLoad(const Replica& replica, std::int64_t batch);

  /// Simulates the requests; each replica takes the next one in turn.
  ServingRun run(std::int64_t num_replicas);

 private:
  const models::Inference& inference_;
  std::vector<models::Request> requests_;
  std::vector<Answer> answers_;
  QueueLimits limits_;
  IterationTimes times_;
};

/// Whether enough requests of `run` met the wanted latencies.
bool meets_latencies(const models::Inference& inference, const ServingRun& run);

}  // namespace railwright::simulation
