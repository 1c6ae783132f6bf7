// SPDX-License-Identifier: Apache-2.0
#include "row_text.hpp"

#include <fmt/format.h>

#include <charconv>
#include <iterator>
#include <nlohmann/json.hpp>
#include <vector>

namespace railwright::output {

namespace {

/// Replaces line ends in a value by blanks: a row stays one line, so a truncated table can be
/// resumed.
std::string csv_field(std::string_view text) {
  std::string made;
  for (const char c : text) made.append(c == '"' ? 2 : 1, c == '\n' || c == '\r' ? ' ' : c);
  return text.find_first_of(",\"\n\r") == std::string_view::npos ? made : '"' + made + '"';
}

std::string json_text(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// Splits a line into fields without their quotes.
std::vector<std::string> csv_fields(std::string_view line) {
  std::vector<std::string> fields(1);
  bool is_quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"' && is_quoted && i + 1 < line.size() && line[i + 1] == '"') {
      fields.back() += line[++i];
    } else if (c == '"') {
      is_quoted = !is_quoted;
    } else if (c == ',' && !is_quoted) {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return fields;
}

template <class T>
bool read_number(const std::string& text, T& value) {
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc{} && stop == end;
}

}  // namespace

RowText::RowText(TextFormat format, const planner::SweepQuestion& question) : format_(format) {
  std::string names("point");
  for (std::size_t i = 0; i < question.columns.size(); ++i) {
    const std::string& name = question.columns[i].name;
    names += ",";
    names += csv_field(name);
    keys_.push_back(fmt::format(",{}:", json_text(name)));
    if (name == "feasible") feasible_ = i + 1;
    for (std::size_t g = 0; g < goals_.size(); ++g) {
      if (name == question.goals[g].column) goals_[g] = {.column = i + 1, .name = name};
    }
  }
  if (format == TextFormat::kCsv) header_ = names + "\n";
}

void RowText::append(std::int64_t point, std::span<const planner::SweepValue> cells,
                     std::string& out) const {
  const bool is_csv = format_ == TextFormat::kCsv;
  fmt::format_to(std::back_inserter(out), "{}{}", is_csv ? "" : "{\"point\":", point);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    out += is_csv ? "," : keys_[i];
    const planner::SweepValue& cell = cells[i];
    if (const auto* text = std::get_if<std::string>(&cell)) {
      out += is_csv ? csv_field(*text) : json_text(*text);
    } else if (const auto* number = std::get_if<double>(&cell)) {
      fmt::format_to(std::back_inserter(out), "{}", *number);
    } else if (const auto* whole = std::get_if<std::int64_t>(&cell)) {
      fmt::format_to(std::back_inserter(out), "{}", *whole);
    } else if (const auto* truth = std::get_if<bool>(&cell)) {
      out += *truth ? "true" : "false";
    } else if (!is_csv) {
      out += "null";
    }
  }
  out += is_csv ? "\n" : "}\n";
}

std::optional<planner::StoredPoint> RowText::read(std::string_view line) const {
  return format_ == TextFormat::kCsv ? read_csv(line) : read_json(line);
}

std::optional<planner::StoredPoint> RowText::read_csv(std::string_view line) const {
  const std::vector<std::string> fields = csv_fields(line);
  planner::StoredPoint row;
  if (fields.size() != keys_.size() + 1 || !read_number(fields[0], row.point)) return {};
  if (fields[feasible_].empty()) return row;
  row.state = fields[feasible_] == "true" ? planner::PointState::kFeasible
                                          : planner::PointState::kInfeasible;
  if (row.state == planner::PointState::kInfeasible) return row;
  for (std::size_t g = 0; g < goals_.size(); ++g) {
    if (!read_number(fields[goals_[g].column], row.goals[g])) return {};
  }
  return row;
}

std::optional<planner::StoredPoint> RowText::read_json(std::string_view line) const {
  const auto json = nlohmann::json::parse(line, nullptr, false);
  if (!json.is_object() || !json.contains("point") || !json.contains("feasible") ||
      !json["point"].is_number_integer()) {
    return {};
  }
  planner::StoredPoint row{.point = json["point"].get<std::int64_t>()};
  if (!json["feasible"].is_boolean()) return row;
  row.state = json["feasible"].get<bool>() ? planner::PointState::kFeasible
                                           : planner::PointState::kInfeasible;
  if (row.state == planner::PointState::kInfeasible) return row;
  for (std::size_t g = 0; g < goals_.size(); ++g) {
    const auto found = json.find(goals_[g].name);
    if (found == json.end() || !found->is_number()) return {};
    row.goals[g] = found->get<double>();
  }
  return row;
}

}  // namespace railwright::output
