// SPDX-License-Identifier: Apache-2.0
// Tables of sweeps on disk: SQLite, CSV, JSON lines.
//
// Whatever ends the process, a full disk or `kill -9`, what was committed is there and the same
// question goes on with the rest.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "railwright/planner/sweep/sweep.hpp"

namespace railwright::output {

/// By the ending of the path: .sqlite, .sqlite3 or .db; .csv; .jsonl; the word `none` for a table
/// that drops its rows. Makes it, or goes on with one of the same question. CSV and JSON lines keep
/// the question beside them, in PATH.question.json. Throws ConfigError where it cannot be read or
/// written, has another question, or is in another process's hands.
std::unique_ptr<planner::SweepTable> open_sweep_table(const std::string& path,
                                                      const planner::SweepQuestion& question);

struct MergeSummary {
  std::int64_t points = 0;  ///< of the whole sweep
  std::int64_t rows = 0;    ///< of the merged table
  std::int64_t added = 0;   ///< of those, now
  /// Ranges of points that no piece has, both ends among them.
  std::vector<std::pair<std::int64_t, std::int64_t>> missing;
  [[nodiscard]] std::int64_t num_missing() const { return points - rows; }
};

/// Puts SQLite pieces of one question into one table, which may have rows already. Throws
/// ConfigError where a piece cannot be read, has another question, or has other values at a point.
MergeSummary merge_sweep_tables(const std::string& out, const std::vector<std::string>& pieces);

std::string to_text(const planner::SweepSummary& summary, const std::string& out);
std::string to_json(const planner::SweepSummary& summary, const std::string& out);
std::string to_text(const MergeSummary& summary, const std::string& out);
std::string to_json(const MergeSummary& summary, const std::string& out);

}  // namespace railwright::output
