// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "pending.hpp"
#include "row_writer.hpp"
#include "sweep_parts.hpp"

namespace railwright::planner {

namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

struct SweepRun::Parts {
  Parts(const Sweep::Parts& of, SweepTable& table);

  std::vector<bool> look_at(SweepTable& table);

  Clock::time_point start = Clock::now();
  const Sweep::Parts& sweep;
  SweepSummary summary;
  SweepTally tally;
  std::vector<bool> done;
  Pending pending;
  RowWriter writer;
};

SweepRun::Parts::Parts(const Sweep::Parts& of, SweepTable& table)
    : sweep(of),
      tally(of.question.goals),
      done(look_at(table)),
      pending(sweep.grid, sweep.options.shard, done, table.needs_order()),
      writer(table, sweep.base, done, tally, [this](std::int64_t written) {
        const auto& progress = sweep.options.progress;
        if (progress) progress(summary.found + written, summary.wanted);
      }) {}

std::vector<bool> SweepRun::Parts::look_at(SweepTable& table) {
  const Shard& shard = sweep.options.shard;
  const std::int64_t num_points = sweep.grid.num_points();
  summary.name = sweep.input.name;
  summary.points = num_points;
  summary.wanted = (num_points - shard.index + shard.count) / shard.count;
  summary.num_threads = sweep.num_threads();
  std::vector<bool> there(static_cast<std::size_t>(num_points));
  table.visit([&](const StoredPoint& row) {
    if (row.point < 0 || row.point >= num_points) {
      throw TableError(fmt::format("it has a point {}, which the sweep has not", row.point));
    }
    there[static_cast<std::size_t>(row.point)] = true;
    tally.add(row);
    if (is_of(shard, row.point)) ++summary.found;
  });
  return there;
}

SweepRun::SweepRun(const Sweep& sweep, SweepTable& table)
    : parts_(std::make_unique<Parts>(*sweep.parts_, table)) {}

SweepRun::~SweepRun() = default;

std::vector<std::int64_t> SweepRun::next(std::size_t most) { return parts_->pending.next(most); }

bool SweepRun::put(std::vector<SweepRow> rows) { return parts_->writer.put(std::move(rows)); }

std::int64_t SweepRun::num_written() const {
  return parts_->summary.found + parts_->writer.num_written();
}

SweepSummary SweepRun::finish() {
  RowWriter& writer = parts_->writer;
  const SweepTally& tally = parts_->tally;
  SweepSummary& summary = parts_->summary;
  writer.finish();
  summary.made = writer.num_written();
  summary.writer_s = writer.busy_seconds();
  summary.interrupted = summary.found + summary.made < summary.wanted;
  summary.feasible = tally.feasible;
  summary.infeasible = tally.infeasible;
  summary.errors = tally.errors;
  summary.goals = parts_->sweep.question.goals;
  summary.best = tally.best;
  for (std::optional<BestPoint>& best : summary.best) {
    if (best) best->settings = parts_->sweep.grid.settings(best->point);
  }
  summary.time_s = std::chrono::duration<double>(Clock::now() - parts_->start).count();
  return summary;
}

}  // namespace railwright::planner
