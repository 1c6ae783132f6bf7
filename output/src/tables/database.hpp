// SPDX-License-Identifier: Apache-2.0
// SQLite with exceptions instead of return codes.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "railwright/planner/sweep/sweep.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace railwright::output {

/// A failed call, with SQLite's message, or a plain one for common failures.
class DatabaseError : public planner::TableError {
 public:
  DatabaseError(int code, const std::string& words) : planner::TableError(words), code_(code) {}
  [[nodiscard]] int code() const { return code_; }

 private:
  int code_;
};

class PreparedStatement {
 public:
  PreparedStatement(sqlite3* database, const std::string& sql);

  void bind(int index, const planner::SweepValue& value);  ///< from 1; text must outlive step()
  void bind(int index, std::int64_t value);
  /// Returns whether there is a row.
  bool step();
  void reset();

  [[nodiscard]] bool is_null(int column) const;  ///< counted from 0
  [[nodiscard]] std::int64_t integer(int column) const;
  [[nodiscard]] double number(int column) const;
  [[nodiscard]] std::string text(int column) const;

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  sqlite3* database_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

class Database {
 public:
  enum class Mode : std::uint8_t { kReadOnly, kReadWrite };

  Database(const std::string& path, Mode mode);

  void run(const std::string& sql);
  [[nodiscard]] PreparedStatement prepare(const std::string& sql) { return {database_.get(), sql}; }
  /// Returns the first column of the first row; 0 if there is none.
  std::int64_t integer(const std::string& sql);
  /// Throws if the file is shorter than its pages: SQLite reads the missing part of the last page
  /// as zeros. The database must be locked or read-only, so that no journal is pending.
  void check_size(const std::string& path);
  [[nodiscard]] bool has_table(const std::string& name);

 private:
  struct Close {
    void operator()(sqlite3* database) const;
  };
  std::unique_ptr<sqlite3, Close> database_;
};

/// Returns the name quoted for SQL: "a name".
std::string sql_quoted(std::string_view name, char mark = '"');

}  // namespace railwright::output
