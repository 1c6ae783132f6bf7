// SPDX-License-Identifier: Apache-2.0
#include "replica_pool.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <utility>
#include <vector>

namespace railwright::simulation {

namespace {

constexpr double kForever = std::numeric_limits<double>::infinity();

/// Change in the number of replicas that is not made: the autoscaler's default. [@kubernetes_hpa]
constexpr double kTolerance = 0.1;

class ReplicaPool {
 public:
  ReplicaPool(std::span<const models::Request> requests, const PoolPlan& plan,
              const QueueLimits& limits, IterationTimes& times, std::span<Answer> answers)
      : requests_(requests),
        plan_(plan),
        limits_(limits),
        times_(times),
        answers_(answers),
        begin_(requests.front().arrival) {}

  PoolTotals run() {
    // More replicas than requests would idle.
    const std::int64_t at_first =
        plan_.autoscaling ? plan_.autoscaling->min_replicas
                          : std::min<std::int64_t>(plan_.num_replicas, std::ssize(requests_));
    for (std::int64_t i = 0; i < at_first; ++i) add(begin_, begin_);
    for (std::size_t i = 0; i < requests_.size(); ++i) {
      while (next_look() <= requests_[i].arrival) look();
      Serving& taker = choose(requests_[i].arrival);
      taker.member->queue.run_until(requests_[i].arrival);
      taker.member->queue.push(i);
      taker.look();
      if (are_too_many_late()) return {.in_time_at_most = plan_.late->share_in_time()};
    }
    while (plan_.autoscaling && num_requests() > 0) look();
    for (Member& member : members_) member.queue.run_until(kForever);
    if (are_too_many_late()) return {.in_time_at_most = plan_.late->share_in_time()};
    return totals();
  }

 private:
  struct Member {
    RequestQueue queue;
    double added = 0.0;
    double ready = 0.0;
    double removed = kForever;  ///< takes no request from here on
    double gone = kForever;     ///< has answered all that it took
  };
  /// A replica that takes requests. What each request looks at stands together.
  struct Serving {
    explicit Serving(Member& of) : member(&of) { look(); }
    void run_until(double now) {
      if (next_event >= now) return;
      member->queue.run_until(now);
      look();
    }
    void look() {
      next_event = member->queue.next_event();
      num_requests = member->queue.num_requests();
    }

    Member* member;
    double next_event = 0.0;
    std::int64_t num_requests = 0;
  };

  void add(double now, double ready) {
    members_.push_back({.queue = RequestQueue(requests_, limits_, times_, answers_, plan_.window),
                        .added = now,
                        .ready = ready});
    if (plan_.late != nullptr) members_.back().queue.report_ended(ended_);
    if (ready <= now) {
      serving_.emplace_back(members_.back());
    } else {
      starting_.push_back(&members_.back());
    }
  }

  [[nodiscard]] std::int64_t num_there() const {
    return std::ssize(serving_) + std::ssize(starting_) + std::ssize(draining_);
  }
  [[nodiscard]] std::int64_t num_requests() const {
    std::int64_t sum = 0;
    for (const Serving& one : serving_) sum += one.num_requests;
    return sum;
  }

  void start_ready(double now) {
    while (!starting_.empty() && starting_.front()->ready <= now) {
      serving_.emplace_back(*starting_.front());
      starting_.pop_front();
    }
  }

  /// Returns the replica that takes a request which arrives `now`; the first in turn of those that
  /// have as few.
  Serving& choose(double now) {
    start_ready(now);
    const std::size_t turn = turn_++ % serving_.size();
    if (plan_.routing == models::Routing::kInTurn) return serving_[turn];
    for (Serving& one : serving_) one.run_until(now);
    const auto middle = serving_.begin() + static_cast<std::ptrdiff_t>(turn);
    const auto behind =
        std::ranges::min_element(middle, serving_.end(), {}, &Serving::num_requests);
    const auto before =
        std::ranges::min_element(serving_.begin(), middle, {}, &Serving::num_requests);
    const bool is_before = before != middle && before->num_requests < behind->num_requests;
    return is_before ? *before : *behind;
  }

  bool are_too_many_late() {
    if (ended_.empty()) return false;
    plan_.late->count(ended_);
    ended_.clear();
    return plan_.late->are_too_many();
  }

  /// Returns when the number of replicas is set next; never without autoscaling.
  [[nodiscard]] double next_look() const {
    if (!plan_.autoscaling) return kForever;
    return begin_ + static_cast<double>(num_looks_ + 1) * plan_.autoscaling->interval.base();
  }
  void look() {
    scale(next_look());
    ++num_looks_;
  }

  /// Sets the number of replicas to what the requests ask for.
  void scale(double now) {
    const models::Autoscaling& rule = *plan_.autoscaling;
    start_ready(now);
    for (Serving& one : serving_) one.run_until(now);
    let_go(now);
    const std::int64_t there = std::ssize(serving_) + std::ssize(starting_);
    const double exact = static_cast<double>(num_requests()) / rule.target_requests;
    const bool is_near = std::abs(exact / static_cast<double>(there) - 1.0) <= kTolerance;
    const std::int64_t wanted =
        is_near ? there
                : std::clamp<std::int64_t>(std::llround(std::ceil(exact)), rule.min_replicas,
                                           std::max(rule.max_replicas, rule.min_replicas));
    wanted_.emplace_back(now, wanted);
    while (wanted_.front().first < now - rule.scale_down_after.base()) wanted_.pop_front();
    for (std::int64_t i = there; i < wanted && num_there() < rule.max_replicas; ++i) {
      add(now, now + plan_.start_time);
    }
    std::int64_t most = 0;
    for (const auto& [time, number] : wanted_) most = std::max(most, number);
    for (std::int64_t i = there; i > most; --i) remove(now);
  }

  /// Stops a replica that starts, else the newest that takes requests.
  void remove(double now) {
    const bool is_serving = starting_.empty();
    Member& member = is_serving ? *serving_.back().member : *starting_.back();
    if (is_serving) {
      serving_.pop_back();
    } else {
      starting_.pop_back();
    }
    member.removed = now;
    draining_.push_back(&member);
    let_go(now);
  }

  /// Forgets replicas that have answered all they took.
  void let_go(double now) {
    std::erase_if(draining_, [&](Member* member) {
      member->queue.run_until(now);
      if (member->queue.num_requests() > 0) return false;
      member->gone = std::max(member->queue.totals().end, member->removed);
      return true;
    });
  }

  /// Returns when a replica has left.
  [[nodiscard]] double gone(const Member& member) const {
    const bool is_draining = member.removed < kForever && member.gone == kForever;
    return is_draining ? std::max(member.queue.totals().end, member.removed) : member.gone;
  }

  /// Adds the time of the replicas in the window, and the most at a time.
  void count_replicas(const Window& window, PoolTotals& all) const {
    std::vector<std::pair<double, int>> changes;
    for (const Member& member : members_) {
      const double from = std::max(member.added, window.begin);
      const double to = std::min(gone(member), window.end);
      if (to < from) continue;
      all.replica_seconds += to - from;
      changes.emplace_back(from, 1);
      if (to < window.end) changes.emplace_back(to, -1);
    }
    std::ranges::sort(changes);  // those that leave before those that come at the same time
    std::int64_t there = 0;
    for (const auto& [time, change] : changes) {
      there += change;
      all.most_replicas = std::max(all.most_replicas, there);
    }
  }

  [[nodiscard]] PoolTotals totals() const {
    PoolTotals all;
    for (const Member& member : members_) {
      add_queue(member.queue.totals(), all);
    }
    Window window{std::max(plan_.window.begin, begin_), plan_.window.end};
    if (!std::isfinite(window.end)) window.end = all.end;
    if (plan_.autoscaling) {
      count_replicas(window, all);
    } else {
      all.most_replicas = plan_.num_replicas;
      all.replica_seconds = static_cast<double>(plan_.num_replicas) * (window.end - window.begin);
    }
    return all;
  }

  std::span<const models::Request> requests_;
  const PoolPlan& plan_;
  const QueueLimits& limits_;
  IterationTimes& times_;
  std::span<Answer> answers_;
  double begin_;
  std::deque<Member> members_;  ///< all that ever were, in the order they were added
  std::vector<Serving> serving_;
  std::deque<Member*> starting_;
  std::vector<Member*> draining_;
  std::int64_t num_looks_ = 0;
  std::size_t turn_ = 0;
  std::vector<std::size_t> ended_;  ///< answered since the late ones were last counted
  std::deque<std::pair<double, std::int64_t>>
      wanted_;  ///< of the time that scaling down looks back
};

/// Runs replicas that take requests in turn one after the other: none changes what another does.
class InTurn {
 public:
  InTurn(std::span<const models::Request> requests, const PoolPlan& plan, const QueueLimits& limits,
         IterationTimes& times, std::span<Answer> answers)
      : requests_(requests),
        plan_(plan),
        limits_(limits),
        times_(times),
        answers_(answers),
        send_times_(limits.send_times),
        step_(static_cast<std::size_t>(plan.num_replicas)) {}

  PoolTotals run() {
    PoolTotals all{.most_replicas = plan_.num_replicas};
    for (std::size_t first = 0; first < std::min(step_, requests_.size()); ++first) {
      if (!run_one(first, all)) return {.in_time_at_most = plan_.late->share_in_time()};
    }
    const double begin = std::max(plan_.window.begin, requests_.front().arrival);
    const double end = std::isfinite(plan_.window.end) ? plan_.window.end : all.end;
    all.replica_seconds = static_cast<double>(plan_.num_replicas) * (end - begin);
    return all;
  }

 private:
  /// Runs the replica that takes `first`; returns false where too many are late. What it needs is
  /// copied to one place: every `step_`-th request of many is slow to read.
  bool run_one(std::size_t first, PoolTotals& all) {
    own_.clear();
    own_send_times_.clear();
    for (std::size_t i = first; i < requests_.size(); i += step_) own_.push_back(requests_[i]);
    for (std::size_t i = first; i < send_times_.size(); i += step_) {
      own_send_times_.push_back(send_times_[i]);
    }
    limits_.send_times = own_send_times_;
    own_answers_.assign(own_.size(), {});
    RequestQueue queue(own_, limits_, times_, own_answers_, plan_.window);
    if (plan_.late != nullptr) queue.report_ended(ended_);
    for (std::size_t i = 0; i < own_.size(); ++i) {
      queue.run_until(own_[i].arrival);
      queue.push(i);
      if (are_too_many_late(first)) return false;
    }
    queue.run_until(kForever);
    if (are_too_many_late(first)) return false;
    for (std::size_t i = 0; i < own_.size(); ++i) answers_[first + i * step_] = own_answers_[i];
    add_queue(queue.totals(), all);
    return true;
  }

  bool are_too_many_late(std::size_t first) {
    if (ended_.empty()) return false;
    for (std::size_t& request : ended_) {
      const std::size_t place = first + request * step_;
      answers_[place] = own_answers_[request];
      request = place;
    }
    plan_.late->count(ended_);
    ended_.clear();
    return plan_.late->are_too_many();
  }

  std::span<const models::Request> requests_;
  const PoolPlan& plan_;
  QueueLimits limits_;  ///< of one replica: with its times to send
  IterationTimes& times_;
  std::span<Answer> answers_;
  std::span<const double> send_times_;
  std::size_t step_;
  std::vector<models::Request> own_;
  std::vector<double> own_send_times_;
  std::vector<Answer> own_answers_;
  std::vector<std::size_t> ended_;
};

}  // namespace

void add_queue(const QueueTotals& of, PoolTotals& all) {
  all.end = std::max(all.end, of.end);
  all.busy += of.busy;
  all.iterations += static_cast<double>(of.iterations);
  all.running += of.running;
  all.most_cached = std::max(all.most_cached, of.most_cached);
  all.preemptions += of.preemptions;
}

PoolTotals run_pool(std::span<const models::Request> requests, const PoolPlan& plan,
                    const QueueLimits& limits, IterationTimes& times, std::span<Answer> answers) {
  if (requests.empty()) return {};
  if (plan.routing == models::Routing::kInTurn && !plan.autoscaling) {
    return InTurn(requests, plan, limits, times, answers).run();
  }
  return ReplicaPool(requests, plan, limits, times, answers).run();
}

}  // namespace railwright::simulation
