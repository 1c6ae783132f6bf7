// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <optional>
#include <string>

#include "database.hpp"
#include "schema.hpp"
#include "tables.hpp"

namespace railwright::output {

namespace {

/// A table that one process opens at a time, holding the lock from beginning to end. A rollback
/// journal lets it work on network file systems too.
class SqliteTable final : public planner::SweepTable {
 public:
  SqliteTable(const std::string& path, const planner::SweepQuestion& question)
      : database_(path, Database::Mode::kReadWrite),
        goals_{std::string(question.goals[0].column), std::string(question.goals[1].column)} {
    database_.run(
        "PRAGMA locking_mode = EXCLUSIVE;"
        "PRAGMA journal_mode = DELETE;"
        "PRAGMA synchronous = NORMAL;"
        "PRAGMA cache_size = -16384;"
        "BEGIN EXCLUSIVE");
    database_.check_size(path);
    if (database_.integer("SELECT count(*) FROM sqlite_master") == 0) {
      make_schema(database_, question);
    } else {
      const std::string other = difference(read_question(database_), question);
      if (!other.empty()) {
        refuse_table(path, other, "give another --out, or remove the file to begin anew");
      }
    }
    database_.run("COMMIT; BEGIN IMMEDIATE");
    std::string marks = "?";
    for (std::size_t i = 0; i < question.columns.size(); ++i) marks += ", ?";
    insert_.emplace(database_.prepare("INSERT INTO points VALUES (" + marks + ")"));
  }

  [[nodiscard]] bool needs_order() const override { return false; }

  void visit(const std::function<void(const planner::StoredPoint&)>& see) override {
    PreparedStatement rows = database_.prepare("SELECT point, feasible, " + goals_[0] + ", " +
                                               goals_[1] + " FROM points ORDER BY point");
    while (rows.step()) {
      planner::StoredPoint point{.point = rows.integer(0)};
      if (!rows.is_null(1)) {
        point.state = rows.integer(1) != 0 ? planner::PointState::kFeasible
                                           : planner::PointState::kInfeasible;
      }
      for (int g = 0; g < 2; ++g) point.goals[static_cast<std::size_t>(g)] = rows.number(g + 2);
      see(point);
    }
  }

  void append(std::int64_t point, std::span<const planner::SweepValue> cells) override {
    insert_->bind(1, point);
    for (std::size_t i = 0; i < cells.size(); ++i) insert_->bind(static_cast<int>(i) + 2, cells[i]);
    insert_->step();
    insert_->reset();
  }

  void commit() override { database_.run("COMMIT; BEGIN IMMEDIATE"); }

 private:
  Database database_;
  std::array<std::string, planner::kNumSweepGoals> goals_;  ///< columns of the goals
  std::optional<PreparedStatement> insert_;
};

}  // namespace

std::unique_ptr<planner::SweepTable> open_sqlite_table(const std::string& path,
                                                       const planner::SweepQuestion& question) {
  try {
    return std::make_unique<SqliteTable>(path, question);
  } catch (const planner::TableError& error) {
    refuse_table(path, error.what());
  }
}

}  // namespace railwright::output
