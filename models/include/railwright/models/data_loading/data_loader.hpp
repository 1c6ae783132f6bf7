// SPDX-License-Identifier: Apache-2.0
// Workers that read samples ahead of training, and what training waits for them.
#pragma once

#include <cstdint>

namespace railwright::models {

/// How each of `num_readers` readers gets the batch that it brings to a step. A free worker takes
/// the next batch; batches are delivered in order; no more than `prefetch` lie ready beside those
/// that workers have. A step begins when the slowest reader has handed its batch over, since
/// replicas exchange gradients. A worker's time and a hand-over are each a fixed part and an
/// exponential part of the share `jitter`, which is then their coefficient of variation.
struct DataLoader {
  int num_readers = 1;
  int num_workers = 1;             ///< of a reader
  int prefetch = 1;                ///< 0: all workers read for the next step when one has ended
  double batch_seconds = 0.0;      ///< mean time of a worker for a batch
  double hand_over_seconds = 0.0;  ///< mean time that a step waits for a batch that is ready
  double jitter = 0.0;             ///< 0 to 1

  bool operator==(const DataLoader&) const = default;
};

/// Mean of the largest of `num_readers` times whose mean is 1: 1 + jitter * (H_n - 1), H_n the n-th
/// harmonic number.
double slowest_over_mean(const DataLoader& loader);

/// Mean time from one step to the next where a step by itself takes `step_seconds`. Without jitter
/// max(step + hand-over, batch / workers). With jitter, by a recursion over steps with drawn times;
/// the same seed gives the same draws whatever the times, so that no faster loader makes it longer.
double step_period(const DataLoader& loader, double step_seconds, std::uint64_t seed);

/// Until the first batch of every reader is there, the queues being empty.
double first_batch_seconds(const DataLoader& loader);

}  // namespace railwright::models
