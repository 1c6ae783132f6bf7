// SPDX-License-Identifier: Apache-2.0
#include "closed_loop.hpp"

#include <algorithm>
#include <compare>
#include <deque>
#include <functional>
#include <limits>
#include <queue>

#include "railwright/core/sim/random.hpp"
#include "railwright/core/stop.hpp"

namespace railwright::simulation {

namespace {

/// Events between two looks whether the run is to stop.
constexpr std::int64_t kBetweenStops = 1024;

/// Random stream of the times that users think, beside those of requests; the next is of overheads.
constexpr std::uint64_t kThinkStream = 6;

/// A request that comes to a stage.
struct Coming {
  double time = 0.0;
  std::size_t stage = 0;
  std::size_t request = 0;

  auto operator<=>(const Coming&) const = default;
};

class ClosedLoop {
 public:
  ClosedLoop(std::span<const LoopStage> stages, const UsersPlan& plan)
      : stages_(stages),
        plan_(plan),
        think_(static_cast<std::uint64_t>(plan.seed), kThinkStream),
        overhead_(static_cast<std::uint64_t>(plan.seed), kThinkStream + 1),
        turns_(stages.size()) {
    for (std::size_t stage = 0; stage < stages.size(); ++stage) {
      const LoopStage& of = stages[stage];
      for (std::int64_t i = 0; i < of.num_replicas; ++i) {
        members_.push_back({stage, RequestQueue(of.requests, of.limits, of.times, of.answers)});
        members_.back().queue.report_ended(ended_);
      }
    }
    for (std::int64_t i = 0; i < plan.users; ++i) send_next(0.0);
  }

  LoopTotals run() {
    for (std::int64_t event = 1;; ++event) {
      if (event % kBetweenStops == 0) core::check_stop();
      Member& first = *std::ranges::min_element(
          members_, {}, [](const Member& one) { return one.queue.next_event(); });
      const double next = first.queue.next_event();
      if (!coming_.empty() && coming_.top().time <= next) {
        take(coming_.top());
        coming_.pop();
      } else if (next < std::numeric_limits<double>::infinity()) {
        first.queue.advance();
        pass_on(first.stage);
      } else {
        return {.stages = totals(), .last_taken = last_taken_};
      }
    }
  }

 private:
  struct Member {
    std::size_t stage = 0;
    RequestQueue queue;
  };

  /// The user who is ready at `time` thinks and sends the next request, if there is one.
  void send_next(double time) {
    if (sent_ == stages_.front().requests.size()) return;
    last_taken_ = time;
    double pause = plan_.think_time > 0.0 ? think_.exponential(plan_.think_time) : 0.0;
    if (plan_.overhead > 0.0) pause += overhead_.exponential(plan_.overhead);
    coming_.push({.time = time + pause, .stage = 0, .request = sent_++});
  }

  void take(const Coming& one) {
    stages_[one.stage].requests[one.request].arrival = one.time;
    choose(one.stage).queue.push(one.request);
  }

  /// Returns the replica of a stage that takes a request: the first in turn of those that have as
  /// few.
  Member& choose(std::size_t stage) {
    std::vector<Member*> list;
    for (Member& member : members_) {
      if (member.stage == stage) list.push_back(&member);
    }
    std::ranges::rotate(list,
                        list.begin() + static_cast<std::ptrdiff_t>(turns_[stage]++ % list.size()));
    if (stages_[stage].routing == models::Routing::kInTurn) return *list.front();
    return **std::ranges::min_element(list, {},
                                      [](const Member* one) { return one->queue.num_requests(); });
  }

  /// Sends what ended in a stage to the next one, or its user on.
  void pass_on(std::size_t stage) {
    for (const std::size_t request : ended_) {
      const double end = stages_[stage].answers[request].end;
      const bool is_last =
          stage + 1 == stages_.size() || stages_[stage + 1].requests[request].output_tokens <= 1;
      if (is_last) {
        send_next(end + plan_.reading);
      } else {
        coming_.push({.time = end, .stage = stage + 1, .request = request});
      }
    }
    ended_.clear();
  }

  [[nodiscard]] std::vector<PoolTotals> totals() const {
    std::vector<PoolTotals> all(stages_.size());
    for (const Member& member : members_) add_queue(member.queue.totals(), all[member.stage]);
    double end = 0.0;
    for (const PoolTotals& one : all) end = std::max(end, one.end);
    for (std::size_t stage = 0; stage < all.size(); ++stage) {
      all[stage].most_replicas = stages_[stage].num_replicas;
      all[stage].replica_seconds = static_cast<double>(stages_[stage].num_replicas) * end;
    }
    return all;
  }

  std::span<const LoopStage> stages_;
  const UsersPlan& plan_;
  core::RandomStream think_;
  core::RandomStream overhead_;
  std::vector<std::size_t> turns_;
  std::deque<Member> members_;
  std::vector<std::size_t> ended_;
  std::priority_queue<Coming, std::vector<Coming>, std::greater<>> coming_;
  std::size_t sent_ = 0;
  double last_taken_ = 0.0;
};

}  // namespace

LoopTotals run_users(std::span<const LoopStage> stages, const UsersPlan& plan) {
  return ClosedLoop(stages, plan).run();
}

}  // namespace railwright::simulation
