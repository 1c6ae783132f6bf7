// SPDX-License-Identifier: Apache-2.0
// Writes rows to a table in a thread of its own.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "pending.hpp"
#include "sweep_base.hpp"

namespace railwright::planner {

/// Counts rows, and remembers the best.
class SweepTally {
 public:
  explicit SweepTally(const SweepGoals& goals) : goals_(goals) {}

  void add(const StoredPoint& row);

  std::int64_t feasible = 0;
  std::int64_t infeasible = 0;
  std::int64_t errors = 0;
  BestPoints best;

 private:
  const SweepGoals& goals_;
};

/// Takes rows from any number of threads; commits about every second. If a table needs rows in
/// order, early ones wait.
class RowWriter {
 public:
  using Told = std::function<void(std::int64_t written)>;

  /// `done`: points that the table already has.
  RowWriter(SweepTable& table, const SweepBase& base, const std::vector<bool>& done,
            SweepTally& tally, Told told);
  RowWriter(const RowWriter&) = delete;
  RowWriter& operator=(const RowWriter&) = delete;
  ~RowWriter();

  /// Waits while the writer is far behind. Returns false once it has failed.
  bool put(std::vector<SweepRow> rows);
  /// Writes the rows left and ends; throws what went wrong.
  void finish();

  [[nodiscard]] std::int64_t num_written() const { return num_written_; }
  [[nodiscard]] double busy_seconds() const { return busy_seconds_; }

 private:
  using Clock = std::chrono::steady_clock;

  void work();
  void write(std::vector<SweepRow> rows);
  void write_row(const SweepRow& row);
  void commit_if_due(bool now);
  void step_to_wanted();

  static constexpr std::size_t kMaxWaiting = 32'768;  // rows

  SweepTable& table_;
  const SweepBase& base_;
  std::array<std::size_t, kNumSweepGoals> goal_places_;  ///< among a row's numbers
  const std::vector<bool>& done_;
  SweepTally& tally_;
  Told told_;

  std::mutex mutex_;
  std::condition_variable has_rows_;
  std::condition_variable has_room_;
  std::deque<std::vector<SweepRow>> queue_;
  std::size_t num_waiting_ = 0;
  bool is_ending_ = false;
  bool has_failed_ = false;
  std::exception_ptr error_;

  std::atomic<std::int64_t> num_written_ = 0;

  // Used by the writer's thread only.
  std::map<std::int64_t, SweepRow> early_;
  std::int64_t wanted_ = 0;
  std::vector<SweepValue> cells_;
  bool has_uncommitted_ = false;
  Clock::time_point last_commit_ = Clock::now();
  double busy_seconds_ = 0.0;

  std::jthread thread_;
};

}  // namespace railwright::planner
