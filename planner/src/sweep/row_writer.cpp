// SPDX-License-Identifier: Apache-2.0
#include "row_writer.hpp"

#include <chrono>
#include <cmath>
#include <utility>

namespace railwright::planner {

namespace {

constexpr std::chrono::seconds kBetweenCommits{1};

bool is_better(double value, std::int64_t point, const std::optional<BestPoint>& best,
               bool wants_least) {
  if (!best) return true;
  const double sign = wants_least ? 1.0 : -1.0;
  return std::pair(sign * value, point) < std::pair(sign * best->value, best->point);
}

std::array<std::size_t, kNumSweepGoals> places_of(const simulation::ScenarioKind& kind) {
  const SweepGoals& goals = kind.facts.goals;
  return {place_of(kind, goals[0].column), place_of(kind, goals[1].column)};
}

}  // namespace

void SweepTally::add(const StoredPoint& row) {
  if (row.state == PointState::kError) ++errors;
  if (row.state == PointState::kInfeasible) ++infeasible;
  if (row.state != PointState::kFeasible) return;
  ++feasible;
  for (std::size_t i = 0; i < kNumSweepGoals; ++i) {
    if (is_better(row.goals[i], row.point, best[i], goals_[i].wants_least)) {
      best[i] = BestPoint{.point = row.point, .value = row.goals[i], .settings = {}};
    }
  }
}

RowWriter::RowWriter(SweepTable& table, const SweepBase& base, const std::vector<bool>& done,
                     SweepTally& tally, Told told)
    : table_(table),
      base_(base),
      goal_places_(places_of(base.kind)),
      done_(done),
      tally_(tally),
      told_(std::move(told)),
      thread_([this] { work(); }) {}

RowWriter::~RowWriter() {
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  has_rows_.notify_all();
}

bool RowWriter::put(std::vector<SweepRow> rows) {
  std::unique_lock lock(mutex_);
  has_room_.wait(lock, [&] { return has_failed_ || num_waiting_ < kMaxWaiting; });
  if (has_failed_) return false;
  num_waiting_ += rows.size();
  queue_.push_back(std::move(rows));
  has_rows_.notify_one();
  return true;
}

void RowWriter::finish() {
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  has_rows_.notify_all();
  if (thread_.joinable()) thread_.join();
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

void RowWriter::work() {
  try {
    step_to_wanted();
    std::unique_lock lock(mutex_);
    while (true) {
      has_rows_.wait_for(lock, kBetweenCommits, [&] { return is_ending_ || !queue_.empty(); });
      std::deque<std::vector<SweepRow>> taken = std::exchange(queue_, {});
      const bool is_last = is_ending_ && taken.empty();
      num_waiting_ = 0;
      lock.unlock();
      has_room_.notify_all();
      const Clock::time_point start = Clock::now();
      for (std::vector<SweepRow>& rows : taken) {
        write(std::move(rows));
        commit_if_due(false);
      }
      commit_if_due(is_last);
      busy_seconds_ += std::chrono::duration<double>(Clock::now() - start).count();
      if (!taken.empty() && told_) told_(num_written_);
      if (is_last) return;
      lock.lock();
    }
  } catch (...) {
    const std::lock_guard lock(mutex_);
    has_failed_ = true;
    error_ = std::current_exception();
  }
  has_room_.notify_all();
}

void RowWriter::write(std::vector<SweepRow> rows) {
  if (!table_.needs_order()) {
    for (const SweepRow& row : rows) write_row(row);
    return;
  }
  for (SweepRow& row : rows) early_.emplace(row.point, std::move(row));
  while (!early_.empty() && early_.begin()->first == wanted_) {
    write_row(early_.begin()->second);
    early_.erase(early_.begin());
    ++wanted_;
    step_to_wanted();
  }
}

void RowWriter::write_row(const SweepRow& row) {
  if (table_.keeps_rows()) {
    cells_.clear();
    base_.grid.cells(row.point, cells_);
    output_cells(row, base_.kind, base_.options.with_run, cells_);
    table_.append(row.point, cells_);
    has_uncommitted_ = true;
  }
  StoredPoint stored{.point = row.point, .state = row.state};
  for (std::size_t i = 0; i < kNumSweepGoals; ++i) stored.goals[i] = row.numbers[goal_places_[i]];
  tally_.add(stored);
  ++num_written_;
}

void RowWriter::commit_if_due(bool now) {
  if (!has_uncommitted_ || (!now && Clock::now() - last_commit_ < kBetweenCommits)) return;
  table_.commit();
  has_uncommitted_ = false;
  last_commit_ = Clock::now();
}

void RowWriter::step_to_wanted() {
  while (wanted_ < base_.grid.num_points() &&
         (!is_of(base_.options.shard, wanted_) || done_[static_cast<std::size_t>(wanted_)])) {
    ++wanted_;
  }
}

}  // namespace railwright::planner
