// SPDX-License-Identifier: Apache-2.0
// Workers that read samples ahead of training, and the time that training waits for them.
#pragma once

#include <cstdint>

namespace railwright::models {

/// Loading by `num_readers` readers, each of which brings a batch to every step. A free worker
/// takes the next batch; batches are delivered in order; at most `prefetch` are ready beside those
/// that workers hold. A step begins when the slowest reader has handed its batch over, since
/// replicas exchange gradients. A worker's time and a hand-over each have a fixed part and an
/// exponential part of the share `jitter`, which is their coefficient of variation.
struct DataLoader {
  int num_readers = 1;
  int num_workers = 1;  ///< workers of a reader
  int prefetch = 1;     ///< 0: all workers start to read for the next step when one has ended
  double batch_seconds = 0.0;      ///< mean time of a worker for a batch
  double hand_over_seconds = 0.0;  ///< mean time that a step waits for a batch that is ready
  double jitter = 0.0;             ///< 0 to 1

  bool operator==(const DataLoader&) const = default;
};

/// Computes the mean of the largest of `num_readers` times whose mean is 1: 1 + jitter * (H_n - 1),
/// H_n the n-th harmonic number.
double slowest_over_mean(const DataLoader& loader);

/// Computes the mean time from one step to the next if a step by itself takes `step_seconds`.
/// Without jitter it is max(step + hand-over, batch / workers), or their sum if prefetch is 0. With
/// jitter it is a recursion over steps with drawn times. The same seed gives the same draws
/// whatever the times, so a faster loader never makes it longer.
double step_period(const DataLoader& loader, double step_seconds, std::uint64_t seed);

/// Computes the time until every reader has its first batch, starting from empty queues; 0 without
/// prefetch.
double first_batch_seconds(const DataLoader& loader);

}  // namespace railwright::models
