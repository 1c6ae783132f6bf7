// SPDX-License-Identifier: Apache-2.0
// Requests through the iterations of one replica: continuous batching. [@yu2022orca]
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "railwright/models/inference/request_load.hpp"
#include "replica.hpp"

namespace railwright::simulation {

/// Times of iterations, cached by shapes rounded to 32 steps per octave.
class IterationTimes {
 public:
  explicit IterationTimes(const Replica& replica) : replica_(replica) {}

  [[nodiscard]] const models::Inference& inference() const { return replica_.inference(); }
  /// Returns the seconds of an iteration.
  double operator()(const models::TokenPass& pass);

 private:
  using Table = std::unordered_map<std::uint64_t, double>;

  const Replica& replica_;
  Table tokens_;  ///< layers and their collectives, by tokens of all and of the busiest accelerator
  Table head_;    ///< output head, by sequences
  Table prompts_;  ///< attention of prompts
  Table decodes_;  ///< attention of decode steps
  Table drafts_;   ///< drafts for decode steps
};

/// Times at which a request was answered, in seconds.
struct Answer {
  double first_token = 0.0;
  double end = 0.0;  ///< last token, or the end of sending its cache
};

struct QueueLimits {
  std::int64_t max_batch = 1;
  std::int64_t max_tokens = 1;  ///< per iteration, on each accelerator that attends by itself
  std::int64_t num_shares = 1;  ///< accelerators that requests are shared out to
  double cache_tokens = 0.0;    ///< capacity of the cache
  bool is_cached = false;  ///< requests come with their prompt cached and its first token given
  /// Seconds in which a replica for prompts sends the cache of each request, one after the other;
  /// 0: it is dropped. Empty: the replica answers by itself.
  std::span<const double> send_times{};
};

/// Totals over the run of one replica.
struct QueueTotals {
  double end = 0.0;   ///< end of the last request, seconds
  double busy = 0.0;  ///< seconds in iterations
  std::int64_t iterations = 0;
  double running = 0.0;      ///< requests under way, summed over iterations
  double most_cached = 0.0;  ///< maximum tokens reserved
};

/// Returns the limits of a replica with `batch` requests at a time.
QueueLimits queue_limits(const Replica& replica, std::int64_t batch);

/// Answers every `stride`-th of `requests` from `first` on, in order of arrival. A request is
/// admitted when a place in the batch and room for all its tokens are free, and is never preempted.
/// An iteration holds a step of each request that is being answered and, up to max_tokens, pieces
/// of the earliest prompts. Every step gives the mean number of tokens. A cache that is being sent
/// keeps its room and no place in the batch. `answers` has a place for every request.
QueueTotals run_queue(std::span<const models::Request> requests, std::size_t first,
                      std::size_t stride, const QueueLimits& limits, IterationTimes& times,
                      std::span<Answer> answers);

}  // namespace railwright::simulation
