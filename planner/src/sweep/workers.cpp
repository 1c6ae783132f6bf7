// SPDX-License-Identifier: Apache-2.0
#include "workers.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <span>
#include <thread>
#include <utility>

namespace railwright::planner {

namespace {

using Clock = std::chrono::steady_clock;

/// Number of points a thread takes at a time: few if they are slow, so that little is lost.
class Handful {
 public:
  explicit Handful(bool is_estimate) : is_estimate_(is_estimate), size_(is_estimate ? 8 : 1) {}
  [[nodiscard]] std::size_t size() const { return size_; }
  void took(double seconds) {
    const double goal = is_estimate_ ? 0.5 : 0.1;
    if (seconds < goal / 4) size_ = std::min<std::size_t>(size_ * 2, 2048);
    if (seconds > goal) size_ = std::max<std::size_t>(size_ / 2, 1);
  }

 private:
  bool is_estimate_;
  std::size_t size_;
};

class Workers {
 public:
  Workers(const SweepBase& base, GroupCache& groups, const RowFlow& flow)
      : base_(base), groups_(groups), flow_(flow) {}

  void run(int num_threads) {
    {
      std::vector<std::jthread> threads;
      for (int i = 1; i < num_threads; ++i) threads.emplace_back([this] { work(); });
      work();
    }
    if (error_) std::rethrow_exception(error_);
  }

 private:
  [[nodiscard]] bool is_stopped() const {
    return is_over_ || (base_.options.stop != nullptr && *base_.options.stop);
  }

  void work() {
    try {
      Handful handful(uses_tables(base_.kind, base_.options));
      while (!is_stopped()) {
        const std::vector<std::int64_t> points = flow_.next(handful.size());
        if (points.empty()) return;
        const Clock::time_point start = Clock::now();
        std::vector<SweepRow> rows(points.begin(), points.end());
        make(rows);
        handful.took(std::chrono::duration<double>(Clock::now() - start).count());
        if (!flow_.put(std::move(rows))) is_over_ = true;
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!error_) error_ = std::current_exception();
      is_over_ = true;
    }
  }

  void make(std::span<SweepRow> rows) {
    if (!uses_tables(base_.kind, base_.options)) {
      for (SweepRow& row : rows) make_row_alone(base_, row);
      return;
    }
    while (!rows.empty()) {
      const std::int64_t group = base_.grid.group_of(rows.front().point);
      std::size_t count = 1;
      while (count < rows.size() && base_.grid.group_of(rows[count].point) == group) ++count;
      groups_.at(group)->make_rows(rows.first(count));
      rows = rows.subspan(count);
    }
  }

  const SweepBase& base_;
  GroupCache& groups_;
  const RowFlow& flow_;
  std::atomic<bool> is_over_ = false;
  std::mutex mutex_;
  std::exception_ptr error_;
};

}  // namespace

void make_rows(const SweepBase& base, GroupCache& groups, int num_threads, const RowFlow& flow) {
  Workers(base, groups, flow).run(num_threads);
}

}  // namespace railwright::planner
