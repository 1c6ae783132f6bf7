// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "../suites/csv.hpp"
#include "railwright/core/config/writer.hpp"
#include "railwright/models/software/installation_fields.hpp"
#include "railwright/validation/measurements/runs.hpp"
#include "run_entry.hpp"

namespace railwright::validation {

namespace {

/// Kind of a column: a value of the run, a time with its unit in the header, or a setting.
struct Column {
  enum class Kind { kName, kSource, kStepTime, kStandardError, kSetting };

  Kind kind = Kind::kSetting;
  std::string unit;  ///< unit to append to the number; "" if the cells have their own
  Cell header;
};

Column column_of(const Cell& header) {
  using Kind = Column::Kind;
  Column column{Kind::kSetting, {}, header};
  const std::string& text = header.text;
  if (text == "name") column.kind = Kind::kName;
  if (text == "source") column.kind = Kind::kSource;
  for (const auto& [prefix, kind] : {std::pair{"step_time", Kind::kStepTime},
                                     std::pair{"standard_error", Kind::kStandardError}}) {
    const std::string with_unit = std::string(prefix) + "_";
    if (text == prefix) column.kind = kind;
    if (!text.starts_with(with_unit)) continue;
    column.kind = kind;
    column.unit = text.substr(with_unit.size());
  }
  return column;
}

core::Node node_of(const Cell& cell, std::string text) {
  core::Node node = core::scalar_node(std::move(text));
  node.where = cell.where;
  return node;
}

class CsvRuns {
 public:
  CsvRuns(std::vector<std::vector<Cell>> rows, core::Reader& reader)
      : rows_(std::move(rows)), reader_(reader) {}

  std::vector<RunEntry> entries(const std::string& path) {
    std::vector<RunEntry> entries;
    if (rows_.size() < 2) {
      reader_.report({path}, "", "expected a header and a row for each run");
      return entries;
    }
    for (const Cell& header : rows_.front()) columns_.push_back(column_of(header));
    check_header(path);
    for (std::size_t row = 1; row < rows_.size(); ++row) {
      if (rows_[row].size() != columns_.size()) {
        reader_.report(
            rows_[row].front().where, "",
            fmt::format("{} cells under a header of {}", rows_[row].size(), columns_.size()));
        continue;
      }
      entries.push_back(entry(rows_[row]));
    }
    return entries;
  }

 private:
  void check_header(const std::string& path) {
    const auto is_time = [](const Column& c) { return c.kind == Column::Kind::kStepTime; };
    if (std::ranges::none_of(columns_, is_time)) {
      reader_.report(columns_.front().header.where, "", "no column step_time, nor step_time_s",
                     "with a unit in the cells, or behind the column's name");
    }
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const bool are_equal = columns_[i].kind == Column::Kind::kSetting
                                   ? columns_[i].header.text == columns_[j].header.text
                                   : columns_[i].kind == columns_[j].kind;
        if (are_equal) {
          reader_.report(columns_[i].header.where, "",
                         fmt::format("a second column '{}'", columns_[i].header.text));
        }
      }
      if (columns_[i].header.text.empty()) {
        reader_.report({path, columns_[i].header.where.line, columns_[i].header.where.column}, "",
                       "a column without a name");
      }
    }
  }

  RunEntry entry(const std::vector<Cell>& row) {
    RunEntry entry;
    entry.name = node_of(row.front(), fmt::format("line {}", row.front().where.line));
    for (std::size_t i = 0; i < row.size(); ++i) take(columns_[i], row[i], entry);
    return entry;
  }

  void take(const Column& column, const Cell& cell, RunEntry& entry) {
    using Kind = Column::Kind;
    if (cell.text.empty()) return;
    switch (column.kind) {
      case Kind::kName:
        entry.name = node_of(cell, cell.text);
        break;
      case Kind::kSource:
        entry.source = cell.text;
        break;
      case Kind::kStepTime:
        take_time(column, cell, entry.step_time);
        break;
      case Kind::kStandardError:
        take_time(column, cell, entry.standard_error);
        break;
      case Kind::kSetting:
        entry.set.push_back(node_of(cell, column.header.text + "=" + cell.text));
        break;
    }
  }

  void take_time(const Column& column, const Cell& cell, std::optional<core::Duration>& time) {
    const std::string text = column.unit.empty() ? cell.text : cell.text + " " + column.unit;
    reader_.read(node_of(cell, text), column.header.text, time, core::positive);
  }

  std::vector<std::vector<Cell>> rows_;
  core::Reader& reader_;
  std::vector<Column> columns_;
};

}  // namespace

std::vector<MeasuredRun> read_runs_csv(std::string_view text, const std::string& path,
                                       const BaseScenario& base, const core::Catalogue& catalogue) {
  core::Reader reader(&catalogue);
  const std::vector<RunEntry> entries = CsvRuns(parse_csv(text, path), reader).entries(path);
  auto runs = measured_runs(entries, base_tree(base, nullptr, path), {path, base.include_folders},
                            path, catalogue, reader);
  reader.throw_if_any();
  return runs;
}

}  // namespace railwright::validation
