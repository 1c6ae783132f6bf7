// SPDX-License-Identifier: Apache-2.0
#include "scheduler.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <set>
#include <tuple>
#include <utility>

#include "railwright/core/arithmetic.hpp"
#include "railwright/models/parallelism/schedule_kind.hpp"
#include "railwright/models/reliability/checkpoint_interval.hpp"

namespace railwright::simulation {

namespace {

/// Waiting jobs that are tried behind the first one: Slurm's bf_max_job_test. [@slurm_conf]
constexpr int kMaxTried = 500;
constexpr double kNoTime = std::numeric_limits<double>::infinity();

/// The end of an attempt of a job, or of a node's repair.
struct Ending {
  double time = 0.0;
  bool is_repair = false;
  int subject = 0;  ///< job or node
  int attempt = 0;

  friend bool operator>(const Ending& a, const Ending& b) {
    return std::tuple(a.time, a.is_repair, a.subject) > std::tuple(b.time, b.is_repair, b.subject);
  }
};

/// The rest of a job, and its attempt under way.
struct Attempt {
  double remaining = 0.0;  ///< time to compute, from the last checkpoint
  double start = 0.0;
  double overhead = 0.0;   ///< before it computes
  double slowdown = 1.0;   ///< time to compute there, over that on as few leaves as can be
  double limit_end = 0.0;  ///< as the scheduler is told
  int number = 0;          ///< of the attempt; attempts that ended are known by it
  NodeShares shares;       ///< empty while it waits
};

/// The room that the first waiting job will have: nodes as they are then, with it among them.
struct Reservation {
  double time = kNoTime;
  FreeNodes nodes;
  int occupied = 0;  ///< accelerators
};

class Schedule {
 public:
  Schedule(std::span<const QueuedJob> jobs, FreeNodes nodes, const ScheduleLimits& limits,
           const FailureSource& failures)
      : jobs_(jobs),
        nodes_(std::move(nodes)),
        limits_(limits),
        failures_(failures),
        attempts_(jobs.size()),
        on_node_(static_cast<std::size_t>(nodes_.num_nodes())) {
    result_.histories.resize(jobs.size());
    for (std::size_t job = 0; job < jobs.size(); ++job) {
      result_.histories[job].job = jobs[job];
      attempts_[job].remaining = jobs[job].duration;
    }
  }

  ScheduleResult run() {
    draw_failure();
    while (num_done_ < jobs_.size() && result_.endless_job < 0) {
      pass_over_failures();
      if (result_.has_too_many_failures) break;
      now_ = std::min({next_submission(), next_ending(), failure_.time});
      while (next_ending() == now_) end();
      while (failure_.time == now_) fail();
      while (next_submission() == now_) wait(next_++);
      start_waiting();
      note_state();
    }
    return std::move(result_);
  }

 private:
  [[nodiscard]] double next_submission() const {
    return static_cast<std::size_t>(next_) < jobs_.size() ? job(next_).submit : kNoTime;
  }
  [[nodiscard]] double next_ending() const {
    return endings_.empty() ? kNoTime : endings_.top().time;
  }
  [[nodiscard]] const QueuedJob& job(int number) const {
    return jobs_[static_cast<std::size_t>(number)];
  }
  Attempt& attempt(int number) { return attempts_[static_cast<std::size_t>(number)]; }
  std::vector<int>& jobs_on(int node) { return on_node_[static_cast<std::size_t>(node)]; }
  JobHistory& history(int number) { return result_.histories[static_cast<std::size_t>(number)]; }

  void note_state() {
    if (!result_.states.empty() && result_.states.back().time == now_) result_.states.pop_back();
    result_.states.push_back({.time = now_,
                              .occupied = occupied_,
                              .waiting = static_cast<int>(waiting_.size()),
                              .wanted = wanted_,
                              .down = num_down_});
  }

  void wait(int number) {
    waiting_.insert(number);
    wanted_ += job(number).accelerators;
  }

  /// Returns the time before a job computes that starts now.
  [[nodiscard]] double overhead_of(int number) const {
    const bool is_restart =
        result_.histories[static_cast<std::size_t>(number)].num_interruptions > 0;
    return is_restart ? limits_.restart : 0.0;
  }
  [[nodiscard]] double slowdown_on(const NodeShares& shares) const {
    return limits_.spread_slowdown > 1.0 && nodes_.is_spread(shares) ? limits_.spread_slowdown
                                                                     : 1.0;
  }
  /// Returns the end of a job that starts now, as the scheduler is told.
  [[nodiscard]] double limit_end_of(int number, double slowdown) const {
    const double remaining = attempts_[static_cast<std::size_t>(number)].remaining;
    return now_ + overhead_of(number) + remaining * slowdown + job(number).limit * slowdown -
           job(number).duration * slowdown;
  }

  /// Starts a job that is no longer among those that wait.
  void start(int number, NodeShares shares) {
    wanted_ -= job(number).accelerators;
    Attempt& one = attempt(number);
    JobHistory& past = history(number);
    one.start = now_;
    one.overhead = overhead_of(number);
    one.slowdown = slowdown_on(shares);
    one.limit_end = limit_end_of(number, one.slowdown);
    if (past.start < 0.0) past.start = now_;
    past.num_leaves = nodes_.num_leaves(shares);
    nodes_.take(shares);
    for (const NodeShare& share : shares) {
      occupied_ += share.accelerators;
      jobs_on(share.node).push_back(number);
    }
    one.shares = std::move(shares);
    running_.emplace(one.limit_end, number);
    endings_.push({now_ + one.overhead + one.remaining * one.slowdown, false, number, one.number});
  }

  /// Takes a job off its nodes.
  void stop(int number) {
    Attempt& one = attempt(number);
    history(number).ran += now_ - one.start;
    nodes_.give_back(one.shares);
    for (const NodeShare& share : one.shares) {
      occupied_ -= share.accelerators;
      std::erase(jobs_on(share.node), number);
    }
    one.shares.clear();
    running_.erase({one.limit_end, number});
    ++one.number;
  }

  void end() {
    const Ending ending = endings_.top();
    endings_.pop();
    if (ending.is_repair) {
      nodes_.bring_up(ending.subject);
      --num_down_;
      return;
    }
    if (attempt(ending.subject).number != ending.attempt) return;  // interrupted before
    count_leaves(ending.subject);
    stop(ending.subject);
    history(ending.subject).end = now_;
    ++num_done_;
  }

  void count_leaves(int number) {
    const NodeShares& shares = attempt(number).shares;
    if (shares.size() < 2) return;
    ++result_.num_of_several;
    if (nodes_.is_spread(shares)) ++result_.num_spread;
  }

  void draw_failure() {
    failure_ = failures_();
    if (++num_failures_ <= kMaxFailures) return;
    result_.has_too_many_failures = true;
    failure_.time = kNoTime;
  }
  [[nodiscard]] double repair_of(const NodeFailure& failure) const {
    return failure.repair.value_or(limits_.repair);
  }
  [[nodiscard]] bool takes_node(const NodeFailure& failure) const {
    return failure.needs_repair && repair_of(failure) > 0.0;
  }
  /// Passes over failures before any other event that strike neither a job nor a node that is up.
  void pass_over_failures() {
    const double until = std::min(next_submission(), next_ending());
    const auto changes_nothing = [&](const NodeFailure& failure) {
      return nodes_.is_down(failure.node) ||
             (jobs_on(failure.node).empty() && !takes_node(failure));
    };
    while (failure_.time < until && changes_nothing(failure_)) draw_failure();
  }

  void fail() {
    const NodeFailure failure = failure_;
    draw_failure();
    if (nodes_.is_down(failure.node)) return;
    const std::vector<int> hit = jobs_on(failure.node);
    for (const int number : hit) interrupt(number);
    if (!takes_node(failure)) return;
    nodes_.take_down(failure.node);
    ++num_down_;
    endings_.push({now_ + repair_of(failure), true, failure.node, 0});
  }

  /// Sends a job back to its last checkpoint and to its place among those that wait.
  void interrupt(int number) {
    Attempt& one = attempt(number);
    const double computed = std::max(now_ - one.start - one.overhead, 0.0);
    const double saved =
        std::floor(computed / limits_.checkpoint_interval) * limits_.checkpoint_interval;
    one.remaining -= std::min(saved / one.slowdown, one.remaining);
    stop(number);
    wait(number);
    ++history(number).num_interruptions;
    const double allowed = models::kPatience * (job(number).duration + limits_.restart);
    if (history(number).ran > allowed) result_.endless_job = number;
  }

  /// Returns the accelerators that a job holds.
  [[nodiscard]] int held_by(int number) const {
    return held(job(number).accelerators, nodes_.accelerators_per_node());
  }
  /// Whether a job may start beside so many occupied accelerators.
  [[nodiscard]] bool may_start_beside(int occupied, int number) const {
    return held_by(number) <= limits_.max_occupied - occupied;
  }

  void start_waiting() {
    while (!waiting_.empty()) {
      const int first = *waiting_.begin();
      if (!may_start_beside(occupied_, first)) break;
      auto shares = nodes_.place(job(first).accelerators);
      if (!shares) break;
      waiting_.erase(waiting_.begin());
      start(first, std::move(*shares));
    }
    // A job that starts may leave another one a place that is not reserved.
    while (limits_.policy == QueuePolicy::kBackfill && backfill()) {
    }
  }

  /// Starts jobs behind the first one that end before its reservation or leave its room alone.
  /// Returns whether one started.
  bool backfill() {
    if (waiting_.size() < 2) return false;
    const std::size_t num_before = waiting_.size();
    Reservation first = reserve(*waiting_.begin());
    // Jobs that find no room now keep larger ones of their kind from trying.
    int too_large_in_node = std::numeric_limits<int>::max();
    int too_large = std::numeric_limits<int>::max();
    int tried = 0;
    for (auto next = std::next(waiting_.begin()); next != waiting_.end() && tried < kMaxTried;
         ++tried) {
      const int number = *next;
      const int accelerators = job(number).accelerators;
      int& limit = accelerators <= nodes_.accelerators_per_node() ? too_large_in_node : too_large;
      std::optional<NodeShares> shares;
      if (accelerators < limit && may_start_beside(occupied_, number)) {
        shares = nodes_.place(accelerators);
        if (!shares) limit = accelerators;
      }
      if (!shares || !may_pass(number, *shares, first)) {
        ++next;
        continue;
      }
      next = waiting_.erase(next);
      start(number, std::move(*shares));
    }
    return waiting_.size() < num_before;
  }

  /// Whether the job delays the reservation in no way; takes its room there if it lasts longer.
  bool may_pass(int number, const NodeShares& shares, Reservation& first) {
    if (limit_end_of(number, slowdown_on(shares)) <= first.time) return true;
    if (!first.nodes.has(shares) || !may_start_beside(first.occupied, number)) return false;
    first.nodes.take(shares);
    first.occupied += held_by(number);
    return true;
  }

  /// Finds when the job has room if those that run end at their limits, and takes that room.
  [[nodiscard]] Reservation reserve(int number) {
    const int accelerators = job(number).accelerators;
    const int per_node = nodes_.accelerators_per_node();
    const bool in_node = accelerators <= per_node;
    const int needed = core::ceil_div(accelerators, per_node);
    Reservation made{.nodes = nodes_, .occupied = occupied_};
    int num_empty = made.nodes.num_empty();
    bool has_room = made.nodes.place(accelerators).has_value();
    bool fits = false;
    for (const auto& [limit_end, running] : running_) {
      if (fits && limit_end > made.time) break;  // others may end at the same time
      const NodeShares& shares = attempt(running).shares;
      made.nodes.give_back(shares);
      for (const NodeShare& share : shares) {
        const int free = made.nodes.free_of(share.node);
        if (free == per_node) ++num_empty;
        has_room = has_room || (in_node ? free >= accelerators : num_empty >= needed);
        made.occupied -= share.accelerators;
      }
      fits = has_room && may_start_beside(made.occupied, number);
      if (fits) made.time = limit_end;
    }
    if (fits) {
      made.nodes.take(*made.nodes.place(accelerators));
      made.occupied += held_by(number);
    }
    return made;  // only a repair makes room: until then, whoever fits may start
  }

  std::span<const QueuedJob> jobs_;
  FreeNodes nodes_;
  const ScheduleLimits& limits_;
  const FailureSource& failures_;
  std::vector<Attempt> attempts_;             ///< by job
  std::vector<std::vector<int>> on_node_;     ///< jobs under way, by node
  std::set<int> waiting_;                     ///< by submission
  std::set<std::pair<double, int>> running_;  ///< by the end of their limit
  std::priority_queue<Ending, std::vector<Ending>, std::greater<>> endings_;
  NodeFailure failure_;
  double now_ = 0.0;
  int next_ = 0;  ///< to be submitted
  std::size_t num_done_ = 0;
  std::int64_t num_failures_ = 0;
  int occupied_ = 0;
  std::int64_t wanted_ = 0;  ///< accelerators of jobs that wait
  int num_down_ = 0;
  ScheduleResult result_;
};

}  // namespace

ScheduleResult run_schedule(std::span<const QueuedJob> jobs, FreeNodes nodes,
                            const ScheduleLimits& limits, const FailureSource& failures) {
  return Schedule(jobs, std::move(nodes), limits, failures).run();
}

}  // namespace railwright::simulation
