// SPDX-License-Identifier: Apache-2.0
#include "table_schema.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace railwright::output {

namespace {

constexpr const char* kFormat = "1";

std::string_view declared(planner::ColumnType type) {
  switch (type) {
    case planner::ColumnType::kBool:
    case planner::ColumnType::kInteger:
      return "INTEGER";
    case planner::ColumnType::kReal:
      return "REAL";
    case planner::ColumnType::kText:
      return "TEXT";
    case planner::ColumnType::kAny:
      break;
  }
  return "";
}

planner::ColumnType type_of(std::string_view declaration) {
  if (declaration == "INTEGER") return planner::ColumnType::kInteger;
  if (declaration == "REAL") return planner::ColumnType::kReal;
  if (declaration == "TEXT") return planner::ColumnType::kText;
  return planner::ColumnType::kAny;
}

}  // namespace

void make_schema(Database& database, const planner::SweepQuestion& question) {
  database.run("CREATE TABLE question (key TEXT PRIMARY KEY, value TEXT NOT NULL)");
  PreparedStatement insert = database.prepare("INSERT INTO question VALUES (?, ?)");
  const auto add = [&](const std::string& key, const std::string& value) {
    const planner::SweepValue of_key = key;
    const planner::SweepValue of_value = value;
    insert.bind(1, of_key);
    insert.bind(2, of_value);
    insert.step();
    insert.reset();
  };
  add("format", kFormat);
  add("fingerprint", question.fingerprint);
  for (const auto& [key, value] : question.facts) add(key, value);
  std::string columns = "point INTEGER PRIMARY KEY";
  for (const planner::SweepColumn& column : question.columns) {
    columns += fmt::format(", {} {}", sql_quoted(column.name), declared(column.type));
  }
  database.run("CREATE TABLE points (" + columns + ")");
}

planner::SweepQuestion read_question(Database& database) {
  if (!database.has_table("question") || !database.has_table("points")) {
    throw planner::TableError("it has other tables than those of a sweep");
  }
  planner::SweepQuestion question;
  PreparedStatement facts = database.prepare("SELECT key, value FROM question ORDER BY rowid");
  while (facts.step()) {
    const std::string key = facts.text(0);
    if (key == "fingerprint") {
      question.fingerprint = facts.text(1);
    } else if (key != "format") {
      question.facts.emplace_back(key, facts.text(1));
    } else if (facts.text(1) != kFormat) {
      throw planner::TableError("its tables are of another railwright's format");
    }
    if (key == "num_points") {
      const std::string text = facts.text(1);
      std::from_chars(text.data(), text.data() + text.size(), question.num_points);
    }
  }
  PreparedStatement columns = database.prepare("PRAGMA table_info(points)");
  while (columns.step()) {
    if (columns.text(1) == "point") continue;
    question.columns.push_back({columns.text(1), type_of(columns.text(2))});
  }
  return question;
}

std::string difference(const planner::SweepQuestion& there, const planner::SweepQuestion& asked) {
  if (there.fingerprint == asked.fingerprint) return {};
  std::string differing;
  for (const auto& [key, value] : asked.facts) {
    if (key == "base_scenario") continue;
    const auto same = std::ranges::find(there.facts, std::pair(key, value));
    if (same != there.facts.end()) continue;
    if (!differing.empty()) differing += ", ";
    differing += key;
  }
  if (differing.empty()) differing = "the scenario or its devices";
  return "it answers another question, which differs in: " + differing;
}

void refuse_table(const std::string& path, std::string message, std::string hint) {
  throw core::ConfigError({{{path}, "", std::move(message), std::move(hint)}});
}

}  // namespace railwright::output
