// SPDX-License-Identifier: Apache-2.0
// Tables of sweeps on disk: SQLite, CSV, JSON lines.
//
// Committed rows survive any end of the process, such as a full disk or `kill -9`; the same
// question then resumes with the remaining points.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "railwright/planner/sweep/sweep.hpp"

namespace railwright::output {

/// Opens a table of the format that the path ends in: .sqlite, .sqlite3 or .db; .csv; .jsonl; the
/// path `none` drops all rows. Creates it, or resumes one of the same question. CSV and JSON lines
/// keep the question in PATH.question.json. Throws ConfigError if the table cannot be read or
/// written, has another question, or is open in another process.
std::unique_ptr<planner::SweepTable> open_sweep_table(const std::string& path,
                                                      const planner::SweepQuestion& question);

struct MergeSummary {
  std::int64_t points = 0;  ///< points of the whole sweep
  std::int64_t rows = 0;    ///< rows of the merged table
  std::int64_t added = 0;   ///< rows that this merge added
  /// Ranges of points without a row, both ends included.
  std::vector<std::pair<std::int64_t, std::int64_t>> missing;
  [[nodiscard]] std::int64_t num_missing() const { return points - rows; }
};

/// Merges SQLite pieces of one question into one table, which may have rows already. Throws
/// ConfigError if a piece cannot be read, has another question, or has different values for a
/// point.
MergeSummary merge_sweep_tables(const std::string& out, const std::vector<std::string>& pieces);

std::string to_text(const planner::SweepSummary& summary, const std::string& out);
std::string to_json(const planner::SweepSummary& summary, const std::string& out);
std::string to_text(const MergeSummary& summary, const std::string& out);
std::string to_json(const MergeSummary& summary, const std::string& out);

}  // namespace railwright::output
