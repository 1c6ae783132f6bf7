// SPDX-License-Identifier: Apache-2.0
// Requests through the iterations of one replica: continuous batching. [@yu2022orca]
#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "iteration_times.hpp"
#include "railwright/models/inference/request_load.hpp"
#include "replica.hpp"
#include "run_requests.hpp"

namespace railwright::simulation {

struct QueueLimits {
  std::int64_t max_batch = 1;
  std::int64_t max_tokens = 1;  ///< per iteration, on each accelerator that attends by itself
  std::int64_t num_shares = 1;  ///< accelerators that requests are shared out to
  double cache_tokens = 0.0;    ///< capacity of the cache
  bool is_cached = false;      ///< requests come with their prompt cached and its first token given
  bool preempts = false;       ///< admits prompts that fit; else requests whose every token will
  bool mixes_prompts = true;   ///< prompts pass beside decode steps; else alone, before them
  bool splits_prompts = true;  ///< prompts pass in pieces; else whole where an iteration holds them
  bool looks_ahead = false;    ///< an iteration is prepared as the one before it begins
  std::int64_t receive_interval = 1;  ///< iterations of steps alone between two looks for requests
  /// Seconds in which a replica for prompts sends the cache of each request, one after the other;
  /// 0: it is dropped. Empty: the replica answers by itself.
  std::span<const double> send_times{};
  /// Layers whose caches leave one after another from the start of a prompt's last iteration on; 1:
  /// all leave behind it.
  double num_sends = 1.0;
};

/// Totals of one replica: `busy` to `preemptions` over the window in which means are taken, the
/// rest over the whole run.
struct QueueTotals {
  double end = 0.0;   ///< end of the last iteration, seconds
  double busy = 0.0;  ///< seconds in iterations
  std::int64_t iterations = 0;
  double running = 0.0;          ///< requests under way, summed over iterations
  std::int64_t preemptions = 0;  ///< requests that lost their cache and passed again
  double prompt_tokens = 0.0;    ///< tokens of prompts that passed, those again counted again
  double steps = 0.0;            ///< decode steps of all requests
  double most_cached = 0.0;      ///< most tokens that the cache had to hold
};

/// Returns the limits of a replica with `batch` requests at a time; of each of its groups, if its
/// layers have several stages.
QueueLimits queue_limits(const Replica& replica, std::int64_t batch);

/// The requests of one replica. They are admitted in order of arrival, when a place in the batch is
/// free and the cache has room: for all tokens that they may have, or with `preempts` for those
/// that they bring. In the latter case the request admitted last loses its cache when answers need
/// the room, and passes again before all that wait, with the tokens it has been given
/// [@kwon2023vllm]. An iteration holds a step of each request that is being answered and, up to
/// max_tokens, pieces of the earliest prompts; or, unless `mixes_prompts`, either. New requests are
/// seen after an iteration with prompts, when nothing runs, and after `receive_interval` iterations
/// of steps. With `looks_ahead` they take part one iteration later. Every step gives the mean
/// number of tokens. A cache that is being sent keeps its room and no place in the batch.
class RequestQueue {
 public:
  /// `answers` has a place for every one of `requests`. All arguments outlive the queue.
  RequestQueue(std::span<const models::Request> requests, const QueueLimits& limits,
               IterationTimes& times, std::span<Answer> answers, const Window& window = {});

  /// Takes a request as it arrives; all that happens before must have been run.
  void push(std::size_t request);
  /// Runs all that happens before `time`, in seconds.
  void run_until(double time);
  /// Returns when the next iteration ends or may begin; infinite if idle.
  [[nodiscard]] double next_event() const;
  /// Runs that event.
  void advance() { step(std::numeric_limits<double>::infinity()); }
  /// Adds each request to `ended` as it is answered.
  void report_ended(std::vector<std::size_t>& ended) { ended_ = &ended; }
  /// Returns the requests that have come and are not answered.
  [[nodiscard]] std::int64_t num_requests() const {
    return static_cast<std::int64_t>(coming_.size()) + num_running();
  }
  /// Returns the tokens in the cache, and those that it keeps room for.
  [[nodiscard]] double kept_tokens() const { return kept_; }
  [[nodiscard]] const QueueTotals& totals() const { return totals_; }

 private:
  /// Tokens in the cache: those of a prompt and the first one given, and those that each step adds.
  struct Kept {
    double prompt = 0.0;
    double of_step = 0.0;
  };
  /// A request, or the rest of it that a preemption left to do.
  struct Work {
    std::size_t request = 0;
    std::int64_t prompt = 0;  ///< tokens that pass before the next one is given
    std::int64_t output = 0;  ///< tokens that are still to be given
    std::int64_t steps = 0;   ///< decode steps behind the first token
    Kept kept;
  };
  /// A request whose prompt is being processed.
  struct Passing {
    Work work;
    std::int64_t passed = 0;  ///< tokens of its prompt that are done
    std::int64_t admitted = 0;
  };
  /// A request that is being answered.
  struct Answering {
    Work work;
    std::int64_t admitted = 0;
    std::int64_t first_token = 0;  ///< iteration that gave it
    bool is_free = true;           ///< the place is of no request
  };
  /// A place whose answer is complete behind an iteration. Those of one end in the order that they
  /// came.
  struct Ending {
    std::int64_t iteration = 0;
    std::int64_t order = 0;
    std::size_t place = 0;

    friend auto operator<=>(const Ending&, const Ending&) = default;
  };
  [[nodiscard]] std::int64_t num_running() const {
    return decodes_ + static_cast<std::int64_t>(passing_.size());
  }
  [[nodiscard]] Work work_of(std::size_t request, std::int64_t prompt, std::int64_t output) const;
  [[nodiscard]] Kept kept_of(const Work& work) const;
  [[nodiscard]] std::int64_t steps_of(std::int64_t output) const;
  bool step(double before);
  void run_steps(double before);
  void receive();
  void admit();
  void make_room();
  [[nodiscard]] std::size_t last_admitted() const;
  void put_first(const Work& work);
  void put_back(std::size_t place);
  models::TokenPass take_pieces();
  void begin();
  void complete();
  /// Whether the iteration has decode steps.
  [[nodiscard]] bool has_steps() const {
    return decodes_ > 0 && (limits_.mixes_prompts || num_pieces_ == 0);
  }
  void start_iteration(double time);
  void end_steps();
  void end_answers(std::int64_t iteration);
  void end_prompts(std::int64_t iteration);
  void start_answer(const Work& work, std::int64_t admitted, std::int64_t first_token);
  void finish(const Work& work);

  std::span<const models::Request> requests_;
  const QueueLimits& limits_;
  std::vector<std::int64_t> room_;  ///< tokens of an iteration that each share has left
  IterationTimes& times_;
  const models::Inference& inference_;
  double step_tokens_;
  double tokens_per_step_;
  std::span<Answer> answers_;
  Window window_;

  double now_ = 0.0;
  bool is_iterating_ = false;
  double iteration_begin_ = 0.0;
  double iteration_end_ = 0.0;
  std::int64_t iterations_ = 0;     ///< but those of prompts alone, unless mixes_prompts
  std::int64_t since_receive_ = 0;  ///< iterations of steps alone
  double kept_ = 0.0;               ///< tokens in the cache, and those that it keeps room for
  double of_next_step_ = 0.0;       ///< tokens that the next step of all answers adds
  double sent_ = 0.0;               ///< end of the last transfer of a cache
  std::int64_t admitted_ = 0;
  std::deque<Work> coming_;  ///< in their order: those that wait, those seen, those that are not
  std::size_t num_waiting_ = 0;                    ///< of these
  std::size_t num_seen_ = 0;                       ///< take part in the iteration after this one
  std::deque<std::pair<double, double>> leaving_;  ///< end of each transfer, and its tokens
  std::deque<Passing> passing_;
  std::size_t num_pieces_ = 0;
  std::vector<Answering> answering_;
  std::vector<std::size_t> free_places_;
  std::int64_t decodes_ = 0;
  double context_ = 0.0;         ///< tokens of requests that are being answered
  std::vector<Ending> ends_;     ///< a heap, the first to end at its front
  std::int64_t num_ends_ = 0;    ///< that ever were in it
  std::int64_t since_look_ = 0;  ///< events since a look whether the run is to stop
  QueueTotals totals_;
  std::vector<std::size_t>* ended_ = nullptr;
};

}  // namespace railwright::simulation
