// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/sweep/sweep_rows.hpp"

namespace railwright::planner {

namespace {

using Rows = std::map<std::int64_t, std::vector<SweepValue>>;

/// Keeps rows on their way into a table.
class RowsBeside final : public SweepTable {
 public:
  RowsBeside(SweepTable& table, Rows& rows) : table_(table), rows_(rows) {}

  [[nodiscard]] bool needs_order() const override { return table_.needs_order(); }
  void visit(const std::function<void(const StoredPoint&)>& see) override { table_.visit(see); }
  void append(std::int64_t point, std::span<const SweepValue> cells) override {
    if (table_.keeps_rows()) table_.append(point, cells);
    rows_[point].assign(cells.begin(), cells.end());
  }
  void commit() override { table_.commit(); }

 private:
  SweepTable& table_;
  Rows& rows_;
};

/// Has the rows that were kept, and takes the others.
class KeptRows final : public SweepTable {
 public:
  explicit KeptRows(Rows& rows) : rows_(rows) {}

  [[nodiscard]] bool needs_order() const override { return false; }
  void visit(const std::function<void(const StoredPoint&)>& see) override {
    for (const auto& [point, cells] : rows_) see({.point = point});
  }
  void append(std::int64_t point, std::span<const SweepValue> cells) override {
    rows_[point].assign(cells.begin(), cells.end());
  }
  void commit() override {}

 private:
  Rows& rows_;
};

}  // namespace

SweepWithRows run_with_rows(const Sweep& sweep, SweepTable& table) {
  SweepWithRows done{.summary = {}, .columns = sweep.question().columns};
  RowsBeside beside(table, done.rows);
  done.summary = sweep.run(beside);
  if (done.summary.found == 0 || done.summary.interrupted) return done;
  KeptRows kept(done.rows);
  done.summary.interrupted = sweep.run(kept).interrupted;
  return done;
}

}  // namespace railwright::planner
