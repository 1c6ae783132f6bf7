// SPDX-License-Identifier: Apache-2.0
#include "closed_loop.hpp"

#include <algorithm>
#include <compare>
#include <deque>
#include <functional>
#include <limits>
#include <queue>
#include <set>
#include <utility>

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
      first_of_.push_back(members_.size());
      for (std::int64_t i = 0; i < of.num_replicas; ++i) {
        members_.push_back({stage, RequestQueue(of.requests, of.limits, of.times, of.answers)});
        members_.back().queue.report_ended(ended_);
        members_.back().place =
            next_.emplace(members_.back().queue.next_event(), members_.size() - 1).first;
      }
    }
    for (std::int64_t i = 0; i < plan.users; ++i) send_next(0.0);
  }

  LoopTotals run() {
    for (std::int64_t event = 1;; ++event) {
      if (event % kBetweenStops == 0) core::check_stop();
      const double next = next_.begin()->first;
      if (!coming_.empty() && coming_.top().time <= next) {
        take(coming_.top());
        coming_.pop();
      } else if (next < std::numeric_limits<double>::infinity()) {
        Member& first = members_[next_.begin()->second];
        first.queue.advance();
        put_in_order(first);
        pass_on(first.stage);
      } else {
        return {.stages = totals(), .last_taken = last_taken_};
      }
    }
  }

 private:
  /// Times of the members' next events with their index: the earliest comes first, of equal ones
  /// that of the member made first.
  using Order = std::set<std::pair<double, std::size_t>>;

  struct Member {
    std::size_t stage = 0;
    RequestQueue queue;
    Order::iterator place{};
  };

  /// Moves a member to where its next event has come to stand.
  void put_in_order(Member& member) {
    const double time = member.queue.next_event();
    if (time == member.place->first) return;
    auto node = next_.extract(member.place);
    node.value().first = time;
    member.place = next_.insert(std::move(node)).position;
  }

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
    Member& member = choose(one.stage);
    member.queue.push(one.request);
    put_in_order(member);
  }

  /// Returns the replica of a stage that takes a request: the first in turn of those that have as
  /// few.
  Member& choose(std::size_t stage) {
    const auto replicas = static_cast<std::size_t>(stages_[stage].num_replicas);
    const std::size_t turn = turns_[stage]++;
    const auto in_turn = [&](std::size_t behind) -> Member& {
      return members_[first_of_[stage] + (turn + behind) % replicas];
    };
    Member* chosen = &in_turn(0);
    if (stages_[stage].routing == models::Routing::kInTurn) return *chosen;
    for (std::size_t behind = 1; behind < replicas; ++behind) {
      Member& other = in_turn(behind);
      if (other.queue.num_requests() < chosen->queue.num_requests()) chosen = &other;
    }
    return *chosen;
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
  std::vector<std::size_t> first_of_;  ///< of each stage, the first of its members
  std::deque<Member> members_;
  Order next_;
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
