// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include "railwright/output/tables/sweep_table.hpp"
#include "table_schema.hpp"
#include "tables.hpp"

namespace railwright::output {

namespace {

class NoTable final : public planner::SweepTable {
 public:
  [[nodiscard]] bool needs_order() const override { return false; }
  [[nodiscard]] bool keeps_rows() const override { return false; }
  void visit(const std::function<void(const planner::StoredPoint&)>& see) override { (void)see; }
  void append(std::int64_t point, std::span<const planner::SweepValue> cells) override {
    (void)point;
    (void)cells;
  }
  void commit() override {}
};

}  // namespace

std::unique_ptr<planner::SweepTable> open_sweep_table(const std::string& path,
                                                      const planner::SweepQuestion& question) {
  if (path == "none") return std::make_unique<NoTable>();
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) refuse_table(path, "a directory, not a file");
  if (std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path, error)) {
    refuse_table(path, "a pipe or a device, which cannot be read again to resume the sweep",
                 "name a file");
  }
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending == ".sqlite" || ending == ".sqlite3" || ending == ".db") {
    return open_sqlite_table(path, question);
  }
  if (ending == ".csv") return open_text_table(path, TextFormat::kCsv, question);
  if (ending == ".jsonl") return open_text_table(path, TextFormat::kJsonLines, question);
  refuse_table("--out " + path, "a table ends in .sqlite, .db, .csv or .jsonl",
               "or is `none`, which drops its rows");
}

}  // namespace railwright::output
