// SPDX-License-Identifier: Apache-2.0
// Requests through the iterations of a replica, request by request and token by token: a second
// simulation of what RequestQueue does.
#pragma once

#include <algorithm>
#include <limits>
#include <list>
#include <span>
#include <vector>

#include "../../../workloads/src/serving/request_queue.hpp"

namespace railwright::test {

/// Runs all requests through one replica.
inline simulation::QueueTotals run_one(std::span<const models::Request> requests,
                                       const simulation::QueueLimits& limits,
                                       simulation::IterationTimes& times,
                                       std::span<simulation::Answer> answers) {
  simulation::RequestQueue queue(requests, limits, times, answers);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    queue.run_until(requests[i].arrival);
    queue.push(i);
  }
  queue.run_until(std::numeric_limits<double>::infinity());
  return queue.totals();
}

struct Running {
  std::size_t request;
  int prompt;  ///< tokens to pass before the next is given
  int output;  ///< tokens to give
  int prompt_left;
  int answered = 0;

  [[nodiscard]] bool is_done() const { return prompt_left == 0 && answered == output; }
};

/// Whether a request lost its cache: it waits in front of those that come.
inline bool put_back(const Running& one, std::span<const models::Request> requests) {
  return one.prompt != requests[one.request].prompt_tokens;
}

/// One iteration of the engine, and the requests whose prompt ends with it.
struct Iteration {
  models::TokenPass pass;
  std::vector<Running*> passed;
};

/// Each answer takes a token; prompts share the room that is left, in their order. Where they do
/// not mix, answers wait while there are prompts.
inline Iteration iterate(const simulation::QueueLimits& limits, std::list<Running>& running) {
  Iteration made;
  models::TokenPass& pass = made.pass;
  const bool answers_wait =
      !limits.mixes_prompts &&
      std::ranges::any_of(running, [](const Running& one) { return one.prompt_left > 0; });
  for (const Running& one : running) {
    if (one.prompt_left > 0 || answers_wait) continue;
    pass.decodes += 1.0;
    pass.context += one.prompt + one.answered;
  }
  if (pass.decodes > 0) pass.context /= pass.decodes;
  double keys = 0.0;
  double tokens = 0.0;
  const auto whole =
      std::max<std::int64_t>(limits.max_tokens - static_cast<std::int64_t>(pass.decodes), 1);
  std::int64_t room = whole;
  for (Running& one : running) {
    if (one.prompt_left == 0) {
      if (!answers_wait) ++one.answered;
      continue;
    }
    if (!limits.splits_prompts && one.prompt_left > room && room < whole) room = 0;
    if (room == 0) continue;
    const int piece = static_cast<int>(std::min<std::int64_t>(one.prompt_left, room));
    room -= piece;
    one.prompt_left -= piece;
    pass.prompts += 1.0;
    tokens += piece;
    keys += double(piece) * (one.prompt - one.prompt_left);
    if (one.prompt_left == 0) made.passed.push_back(&one);
  }
  if (pass.prompts > 0) {
    pass.prompt_tokens = tokens / pass.prompts;
    pass.prompt_keys = keys / tokens;
  }
  return made;
}

/// The one way out of the cache.
struct SlowWay {
  double sent = 0.0;  ///< end of the last transfer
  std::list<std::pair<double, double>> leaving;

  void let_go(double now) {
    leaving.remove_if([&](const auto& one) { return one.first <= now; });
  }
  /// Returns when a request that ended `now` has left.
  double end(double now, double tokens, double send_time) {
    if (send_time <= 0.0) return now;
    sent = std::max(sent, now) + send_time;
    leaving.emplace_back(sent, tokens);
    return sent;
  }
};

/// Tokens in the cache, counted anew each time; with `preempts` those of the coming step too.
inline double tokens_held(const std::list<Running>& running, const SlowWay& way, bool preempts) {
  double sum = 0.0;
  for (const Running& one : running) {
    const bool is_answering = one.prompt_left == 0 && one.answered < one.output;
    sum += !preempts      ? one.prompt + one.output
           : is_answering ? one.prompt + one.answered + 1
                          : one.prompt + 1;
  }
  for (const auto& one : way.leaving) sum += one.second;
  return sum;
}

/// Puts those admitted last back until the next step has room; they wait in front.
inline void make_room(double cache_tokens, const SlowWay& way, std::list<Running>& running,
                      std::list<Running>& waiting) {
  while (running.size() > 1 && tokens_held(running, way, true) > cache_tokens) {
    Running put = running.back();
    running.pop_back();
    put.prompt += put.answered;
    put.output -= put.answered;
    put.answered = 0;
    put.prompt_left = put.prompt;
    waiting.push_front(put);
  }
}

inline void simulate_slowly(std::span<const models::Request> requests,
                            const simulation::QueueLimits& limits,
                            simulation::IterationTimes& times,
                            std::span<simulation::Answer> answers) {
  std::list<Running> waiting;
  std::list<Running> running;
  SlowWay way;
  double now = 0.0;
  std::int64_t steps_alone = 0;
  double seen = 0.0;  // when the engine last looked for requests
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const models::Request& one = requests[i];
    waiting.push_back({i, one.prompt_tokens, one.output_tokens, one.prompt_tokens});
    if (limits.is_cached) waiting.back().prompt_left = 0;
    if (limits.is_cached) waiting.back().answered = 1;
  }
  while (!waiting.empty() || !running.empty()) {
    way.let_go(now);
    const bool looks = running.empty() || steps_alone == 0 || limits.is_cached ||
                       steps_alone >= limits.receive_interval;
    if (looks) steps_alone = 0;
    const bool is_late = limits.looks_ahead && !limits.is_cached && !running.empty();
    const double before = seen;
    if (looks) seen = now;
    const double until = is_late ? before : seen;  // those seen later wait for the next iteration
    while (!waiting.empty() &&
           (put_back(waiting.front(), requests) ||
            requests[waiting.front().request].arrival <= until) &&
           static_cast<std::int64_t>(running.size()) < limits.max_batch) {
      const Running& next = waiting.front();
      const double wanted = !limits.preempts  ? next.prompt + next.output
                            : next.output > 1 ? next.prompt + 2
                                              : next.prompt + 1;
      const bool is_alone = running.empty() && way.leaving.empty();
      if (!is_alone && tokens_held(running, way, limits.preempts) + wanted > limits.cache_tokens) {
        break;
      }
      running.splice(running.end(), waiting, waiting.begin());
    }
    if (running.empty()) {
      const double arrival = requests[waiting.front().request].arrival;
      now = arrival > now ? arrival : way.leaving.front().first;
      continue;
    }
    if (limits.preempts) make_room(limits.cache_tokens, way, running, waiting);
    const Iteration made = iterate(limits, running);
    steps_alone = made.pass.prompts > 0.0 ? 0 : steps_alone + 1;
    now += times(made.pass);
    for (Running* one : made.passed) {
      if (one->prompt == requests[one->request].prompt_tokens) {
        answers[one->request].first_token = now;
      }
      one->answered = 1;
    }
    running.remove_if([&](const Running& one) {
      if (!one.is_done()) return false;
      const double send = limits.send_times.empty() ? 0.0 : limits.send_times[one.request];
      answers[one.request].end = way.end(now, one.prompt + one.output, send);
      return true;
    });
  }
}

}  // namespace railwright::test
