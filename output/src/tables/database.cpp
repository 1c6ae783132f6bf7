// SPDX-License-Identifier: Apache-2.0
#include "database.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <filesystem>
#include <system_error>

namespace railwright::output {

namespace {

std::string words_of(int code, const char* said) {
  switch (code & 0xFF) {
    case SQLITE_FULL:
      return "the disk is full";
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return "another process has it open";
    case SQLITE_READONLY:
      return "it or its folder may not be written";
    case SQLITE_CANTOPEN:
      return "it cannot be opened or made there";
    case SQLITE_CORRUPT:
      return "the database is damaged";
    case SQLITE_NOTADB:
      return "it is no SQLite database";
    case SQLITE_IOERR:
      return fmt::format("reading or writing failed ({})", sqlite3_errstr(code));
    default:
      return said;
  }
}

void check(sqlite3* database, int code) {
  if (code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE) return;
  throw DatabaseError(code, words_of(code, sqlite3_errmsg(database)));
}

}  // namespace

void PreparedStatement::Finalize::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}

PreparedStatement::PreparedStatement(sqlite3* database, const std::string& sql)
    : database_(database) {
  sqlite3_stmt* made = nullptr;
  check(database,
        sqlite3_prepare_v2(database, sql.data(), static_cast<int>(sql.size()), &made, nullptr));
  statement_.reset(made);
}

void PreparedStatement::bind(int index, std::int64_t value) {
  check(database_, sqlite3_bind_int64(statement_.get(), index, value));
}

void PreparedStatement::bind(int index, const planner::SweepValue& value) {
  sqlite3_stmt* statement = statement_.get();
  int code = SQLITE_OK;
  if (const auto* text = std::get_if<std::string>(&value)) {
    code = sqlite3_bind_text(statement, index, text->data(), static_cast<int>(text->size()),
                             SQLITE_STATIC);
  } else if (const auto* number = std::get_if<double>(&value)) {
    code = sqlite3_bind_double(statement, index, *number);
  } else if (const auto* whole = std::get_if<std::int64_t>(&value)) {
    code = sqlite3_bind_int64(statement, index, *whole);
  } else if (const auto* truth = std::get_if<bool>(&value)) {
    code = sqlite3_bind_int64(statement, index, *truth ? 1 : 0);
  } else {
    code = sqlite3_bind_null(statement, index);
  }
  check(database_, code);
}

bool PreparedStatement::step() {
  const int code = sqlite3_step(statement_.get());
  check(database_, code);
  return code == SQLITE_ROW;
}

void PreparedStatement::reset() { check(database_, sqlite3_reset(statement_.get())); }

bool PreparedStatement::is_null(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}
std::int64_t PreparedStatement::integer(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}
double PreparedStatement::number(int column) const {
  return sqlite3_column_double(statement_.get(), column);
}
std::string PreparedStatement::text(int column) const {
  const unsigned char* text = sqlite3_column_text(statement_.get(), column);
  if (text == nullptr) return {};
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column));
  return {reinterpret_cast<const char*>(text), size};
}

void Database::Close::operator()(sqlite3* database) const { sqlite3_close(database); }

Database::Database(const std::string& path, Mode mode) {
  sqlite3* made = nullptr;
  const int flags =
      mode == Mode::kReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  const int code = sqlite3_open_v2(path.c_str(), &made, flags | SQLITE_OPEN_URI, nullptr);
  database_.reset(made);
  check(made, code);
}

void Database::run(const std::string& sql) {
  check(database_.get(), sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, nullptr));
}

std::int64_t Database::integer(const std::string& sql) {
  PreparedStatement statement = prepare(sql);
  return statement.step() ? statement.integer(0) : 0;
}

void Database::check_size(const std::string& path) {
  const auto size =
      static_cast<std::uintmax_t>(integer("PRAGMA page_count") * integer("PRAGMA page_size"));
  std::error_code error;
  const std::uintmax_t there = std::filesystem::file_size(path, error);
  if (!error && there > 0 && there < size) {  // an empty file is a new database
    throw DatabaseError(SQLITE_CORRUPT,
                        fmt::format("{}: {} of its {} bytes are missing",
                                    words_of(SQLITE_CORRUPT, ""), size - there, size));
  }
}

bool Database::has_table(const std::string& name) {
  return integer("SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = " +
                 sql_quoted(name, '\'')) > 0;
}

std::string sql_quoted(std::string_view name, char mark) {
  std::string text(1, mark);
  for (const char c : name) text.append(c == mark ? 2 : 1, c);
  text += mark;
  return text;
}

}  // namespace railwright::output
