// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/verbs/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <thread>
#include <utility>

#include "ground_cache.hpp"
#include "question.hpp"
#include "row_writer.hpp"

namespace railwright::planner {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// How many points a thread takes at a time: few where they are dear, so that little is lost.
class Handful {
 public:
  explicit Handful(Method method) : is_estimate_(method == Method::kEstimate) {
    size_ = is_estimate_ ? 64 : 1;
  }
  [[nodiscard]] std::size_t size() const { return size_; }
  void took(double seconds) {
    const double goal = is_estimate_ ? 0.5 : 0.1;
    if (seconds < goal / 4) size_ = std::min<std::size_t>(size_ * 2, 2048);
    if (seconds > goal) size_ = std::max<std::size_t>(size_ / 2, 1);
  }

 private:
  bool is_estimate_;
  std::size_t size_ = 1;
};

/// The threads of one run.
class Workers {
 public:
  Workers(const SweepBase& base, Pending& pending, RowWriter& writer)
      : base_(base), pending_(pending), writer_(writer), grounds_(base) {}

  void run(int num_threads) {
    {
      std::vector<std::jthread> threads;
      for (int i = 1; i < num_threads; ++i) threads.emplace_back([this] { work(); });
      work();
    }
    if (error_) std::rethrow_exception(error_);
  }

  [[nodiscard]] bool stopped() const {
    return is_over_ || (base_.options.stop != nullptr && *base_.options.stop);
  }

 private:
  void work() {
    try {
      Handful handful(base_.options.method);
      while (!stopped()) {
        const std::vector<std::int64_t> points = pending_.next(handful.size());
        if (points.empty()) return;
        const Clock::time_point start = Clock::now();
        std::vector<SweepRow> rows(points.begin(), points.end());
        make(rows);
        handful.took(seconds_since(start));
        if (!writer_.put(std::move(rows))) is_over_ = true;
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!error_) error_ = std::current_exception();
      is_over_ = true;
    }
  }

  void make(std::span<SweepRow> rows) {
    if (base_.options.method == Method::kSimulate) {
      for (SweepRow& row : rows) make_row_alone(base_, row);
      return;
    }
    while (!rows.empty()) {
      const std::int64_t ground = base_.grid.ground_of(rows.front().point);
      std::size_t count = 1;
      while (count < rows.size() && base_.grid.ground_of(rows[count].point) == ground) ++count;
      grounds_.at(ground)->make_rows(rows.first(count));
      rows = rows.subspan(count);
    }
  }

  const SweepBase& base_;
  Pending& pending_;
  RowWriter& writer_;
  GroundCache grounds_;
  std::atomic<bool> is_over_ = false;
  std::mutex mutex_;
  std::exception_ptr error_;
};

[[noreturn]] void refuse(const std::string& where, std::string message) {
  throw core::ConfigError({{{where}, "", std::move(message), {}}});
}

}  // namespace

Shard read_shard(const std::string& text) {
  Shard shard;
  const char* end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, shard.index);
  const bool has_slash = first.ec == std::errc{} && first.ptr != end && *first.ptr == '/';
  if (has_slash) {
    const auto second = std::from_chars(first.ptr + 1, end, shard.count);
    const bool is_whole = second.ec == std::errc{} && second.ptr == end;
    if (is_whole && shard.count >= 1 && shard.index >= 1 && shard.index <= shard.count) {
      return shard;
    }
  }
  refuse("--shard " + text, "expected i/n with i from 1 to n");
}

struct Sweep::Parts {
  SweepInput input;
  SweepOptions options;
  Grid grid;
  const core::Catalogue& catalogue;
  SweepQuestion question;
};

Sweep::Sweep(const core::Node& tree, const core::Catalogue& catalogue,
             const std::vector<Variation>& vary, SweepOptions options) {
  SweepInput input = read_input(tree, vary);
  Grid grid(input.space.cases, input.space.vary, options.method == Method::kEstimate);
  SweepQuestion question = make_question(input.tree, catalogue, grid, options);
  parts_ = std::make_unique<Parts>(Parts{.input = std::move(input),
                                         .options = std::move(options),
                                         .grid = std::move(grid),
                                         .catalogue = catalogue,
                                         .question = std::move(question)});
}

Sweep::~Sweep() = default;

const SweepQuestion& Sweep::question() const { return parts_->question; }

SweepSummary Sweep::run(SweepTable& table) const {
  const Clock::time_point start = Clock::now();
  const SweepOptions& options = parts_->options;
  const Grid& grid = parts_->grid;
  SweepSummary summary;
  summary.name = parts_->input.name;
  summary.points = grid.num_points();
  const Shard& shard = options.shard;
  summary.wanted = (grid.num_points() - shard.index + shard.count) / shard.count;
  summary.num_threads = options.num_threads > 0
                            ? options.num_threads
                            : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));

  SweepTally tally;
  std::vector<bool> done(static_cast<std::size_t>(grid.num_points()));
  table.visit([&](const StoredPoint& row) {
    if (row.point < 0 || row.point >= grid.num_points()) {
      throw TableError(fmt::format("it has a point {}, which the sweep has not", row.point));
    }
    done[static_cast<std::size_t>(row.point)] = true;
    tally.add(row);
    if (is_of(shard, row.point)) ++summary.found;
  });
  Pending pending(grid, shard, done, table.needs_order());
  RowWriter writer(table, grid, options, done, tally, [&](std::int64_t written) {
    if (options.progress) options.progress(summary.found + written, summary.wanted);
  });
  const SweepBase base{
      .tree = parts_->input.tree, .catalogue = parts_->catalogue, .grid = grid, .options = options};
  Workers workers(base, pending, writer);
  workers.run(summary.num_threads);
  writer.finish();

  summary.made = writer.num_written();
  summary.writer_s = writer.busy_seconds();
  summary.interrupted = workers.stopped() && summary.found + summary.made < summary.wanted;
  summary.feasible = tally.feasible;
  summary.infeasible = tally.infeasible;
  summary.errors = tally.errors;
  summary.shortest_step = tally.shortest_step;
  summary.most_throughput = tally.most_throughput;
  for (auto* best : {&summary.shortest_step, &summary.most_throughput}) {
    if (*best) (*best)->settings = grid.settings((*best)->point);
  }
  summary.time_s = seconds_since(start);
  return summary;
}

}  // namespace railwright::planner
