// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>

#include "database.hpp"
#include "railwright/output/tables/sweep_table.hpp"
#include "table_schema.hpp"

namespace railwright::output {

namespace {

planner::SweepQuestion question_of(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) refuse_table(path, "no such file");
  try {
    Database piece(path, Database::Mode::kReadOnly);
    piece.check_size(path);
    return read_question(piece);
  } catch (const planner::TableError& failure) {
    refuse_table(path, failure.what());
  }
}

class Merge {
 public:
  Merge(const std::string& out, const planner::SweepQuestion& question)
      : out_(out), database_(out, Database::Mode::kReadWrite) {
    database_.run("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE");
    database_.check_size(out);
    if (database_.integer("SELECT count(*) FROM sqlite_master") == 0) {
      make_schema(database_, question);
    } else if (const std::string other = difference(read_question(database_), question);
               !other.empty()) {
      refuse_table(out, other, "give another name to the merged table");
    }
    database_.run("COMMIT");
    for (const planner::SweepColumn& column : question.columns) {
      const std::string name = sql_quoted(column.name);
      mine_ += (mine_.empty() ? "" : ", ") + ("mine." + name);
      other_ += (other_.empty() ? "" : ", ") + ("other." + name);
    }
  }

  /// Adds a piece; returns the number of new rows.
  std::int64_t add(const std::string& path) {
    database_.run("ATTACH " + sql_quoted(uri_of(path) + "?mode=ro", '\'') + " AS piece");
    PreparedStatement clash = database_.prepare(
        fmt::format("SELECT point FROM main.points AS mine JOIN piece.points AS other USING (point)"
                    " WHERE ({}) IS NOT ({}) ORDER BY point LIMIT 1",
                    mine_, other_));
    if (clash.step()) {
      refuse_table(path, fmt::format("point {} has other values than in {} or a piece before it",
                                     clash.integer(0), out_));
    }
    clash.reset();
    const std::int64_t before = num_rows();
    database_.run(
        "BEGIN IMMEDIATE;"
        "INSERT OR IGNORE INTO main.points SELECT * FROM piece.points ORDER BY point;"
        "COMMIT");
    clash.reset();
    database_.run("DETACH piece");
    return num_rows() - before;
  }

  std::int64_t num_rows() { return database_.integer("SELECT count(*) FROM main.points"); }

  std::vector<std::pair<std::int64_t, std::int64_t>> missing(std::int64_t num_points) {
    std::vector<std::pair<std::int64_t, std::int64_t>> gaps;
    std::int64_t next = 0;
    PreparedStatement rows = database_.prepare("SELECT point FROM main.points ORDER BY point");
    while (rows.step()) {
      const std::int64_t point = rows.integer(0);
      if (point > next) gaps.emplace_back(next, point - 1);
      next = point + 1;
    }
    if (next < num_points) gaps.emplace_back(next, num_points - 1);
    return gaps;
  }

 private:
  /// Returns a path as a URI. An absolute one follows an empty authority, since a path that starts
  /// with two slashes would else be read as one.
  static std::string uri_of(const std::string& path) {
    std::string text = path.starts_with('/') ? "file://" : "file:";
    for (const char c : path) {
      text += c == '?' || c == '#' || c == '%'
                  ? fmt::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(c)))
                  : std::string(1, c);
    }
    return text;
  }

  std::string out_;
  Database database_;
  std::string mine_;
  std::string other_;
};

}  // namespace

MergeSummary merge_sweep_tables(const std::string& out, const std::vector<std::string>& pieces) {
  if (pieces.empty()) refuse_table(out, "no table to merge into it");
  std::vector<planner::SweepQuestion> questions;
  std::vector<core::Diagnostic> problems;
  for (const std::string& piece : pieces) {
    try {
      questions.push_back(question_of(piece));
      const std::string other = difference(questions.back(), questions.front());
      if (!other.empty()) {
        problems.push_back({{piece}, "", other + ", from " + pieces.front(), {}});
      }
    } catch (const core::ConfigError& error) {
      problems.insert(problems.end(), error.diagnostics().begin(), error.diagnostics().end());
    }
  }
  if (!problems.empty()) throw core::ConfigError(std::move(problems));
  std::string at = out;
  try {
    Merge merge(out, questions.front());
    MergeSummary summary{.points = questions.front().num_points};
    for (const std::string& piece : pieces) {
      at = piece;
      std::error_code error;
      if (std::filesystem::equivalent(piece, out, error)) continue;
      summary.added += merge.add(piece);
    }
    at = out;
    summary.rows = merge.num_rows();
    summary.missing = merge.missing(summary.points);
    return summary;
  } catch (const planner::TableError& error) {
    refuse_table(at, error.what());
  }
}

}  // namespace railwright::output
