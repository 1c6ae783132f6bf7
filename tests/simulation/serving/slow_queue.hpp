// SPDX-License-Identifier: Apache-2.0
// Requests through the iterations of a replica, request by request and token by token: a second
// simulation of what run_queue() does.
#pragma once

#include <algorithm>
#include <list>
#include <span>
#include <vector>

#include "../../../simulation/src/serving/request_queue.hpp"

namespace railwright::test {

struct Running {
  std::size_t request;
  int prompt_left;
  int answered = 0;
};

/// One iteration of the engine, and the requests whose prompt ends with it.
struct Iteration {
  models::TokenPass pass;
  std::vector<Running*> passed;
};

/// Each answer takes a token; prompts share the room that is left, in their order.
inline Iteration iterate(std::span<const models::Request> requests, std::int64_t max_tokens,
                         std::list<Running>& running) {
  Iteration made;
  models::TokenPass& pass = made.pass;
  for (const Running& one : running) {
    if (one.prompt_left > 0) continue;
    pass.decodes += 1.0;
    pass.context += requests[one.request].prompt_tokens + one.answered;
  }
  if (pass.decodes > 0) pass.context /= pass.decodes;
  double keys = 0.0;
  double tokens = 0.0;
  auto room = std::max<std::int64_t>(max_tokens - static_cast<std::int64_t>(pass.decodes), 1);
  for (Running& one : running) {
    if (one.prompt_left == 0) {
      ++one.answered;
      continue;
    }
    if (room == 0) continue;
    const int piece = static_cast<int>(std::min<std::int64_t>(one.prompt_left, room));
    room -= piece;
    one.prompt_left -= piece;
    pass.prompts += 1.0;
    tokens += piece;
    keys += double(piece) * (requests[one.request].prompt_tokens - one.prompt_left);
    if (one.prompt_left == 0) made.passed.push_back(&one);
  }
  if (pass.prompts > 0) {
    pass.prompt_tokens = tokens / pass.prompts;
    pass.prompt_keys = keys / tokens;
  }
  return made;
}

/// The cache, and the one way out of it.
struct SlowCache {
  double reserved = 0.0;
  double sent = 0.0;  ///< end of the last transfer
  std::list<std::pair<double, double>> leaving;

  void let_go(double now) {
    leaving.remove_if([&](const auto& one) {
      if (one.first > now) return false;
      reserved -= one.second;
      return true;
    });
  }
  /// Returns when a request that ended `now` has left.
  double end(double now, double tokens, double send_time) {
    if (send_time <= 0.0) {
      reserved -= tokens;
      return now;
    }
    sent = std::max(sent, now) + send_time;
    leaving.emplace_back(sent, tokens);
    return sent;
  }
};

inline void simulate_slowly(std::span<const models::Request> requests,
                            const simulation::QueueLimits& limits,
                            simulation::IterationTimes& times,
                            std::span<simulation::Answer> answers) {
  std::list<Running> running;
  SlowCache cache;
  std::size_t next = 0;
  double now = 0.0;
  const auto most = [&](std::size_t i) {
    return double(requests[i].prompt_tokens) + requests[i].output_tokens;
  };
  const auto send_time = [&](std::size_t i) {
    return limits.send_times.empty() ? 0.0 : limits.send_times[i];
  };
  while (next < requests.size() || !running.empty()) {
    cache.let_go(now);
    while (next < requests.size() && requests[next].arrival <= now &&
           static_cast<std::int64_t>(running.size()) < limits.max_batch &&
           ((running.empty() && cache.leaving.empty()) ||
            cache.reserved + most(next) <= limits.cache_tokens)) {
      cache.reserved += most(next);
      running.push_back(
          {next, limits.is_cached ? 0 : requests[next].prompt_tokens, limits.is_cached ? 1 : 0});
      ++next;
    }
    if (running.empty()) {
      now = requests[next].arrival > now ? requests[next].arrival : cache.leaving.front().first;
      continue;
    }
    const Iteration made = iterate(requests, limits.max_tokens, running);
    now += times(made.pass);
    for (Running* one : made.passed) {
      answers[one->request].first_token = now;
      one->answered = 1;
    }
    running.remove_if([&](const Running& one) {
      const bool ends = one.prompt_left == 0 && one.answered == requests[one.request].output_tokens;
      if (ends) {
        answers[one.request].end = cache.end(now, most(one.request), send_time(one.request));
      }
      return ends;
    });
  }
}

}  // namespace railwright::test
