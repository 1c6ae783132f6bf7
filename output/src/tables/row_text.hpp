// SPDX-License-Identifier: Apache-2.0
// Rows of a sweep as lines of text.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "railwright/planner/sweep/sweep.hpp"
#include "tables.hpp"

namespace railwright::output {

class RowText {
 public:
  RowText(TextFormat format, const planner::SweepQuestion& question);

  /// Returns the first line with its line end; empty if the format has none.
  [[nodiscard]] const std::string& header() const { return header_; }
  void append(std::int64_t point, std::span<const planner::SweepValue> cells,
              std::string& out) const;
  /// Returns nothing if the line does not belong to this table.
  [[nodiscard]] std::optional<planner::StoredPoint> read(std::string_view line) const;

 private:
  [[nodiscard]] std::optional<planner::StoredPoint> read_csv(std::string_view line) const;
  [[nodiscard]] std::optional<planner::StoredPoint> read_json(std::string_view line) const;

  struct Goal {
    std::size_t column = 0;  ///< index in a line
    std::string name;
  };

  TextFormat format_;
  std::string header_;
  std::vector<std::string> keys_;  ///< keys of JSON with their punctuation: ,"key":
  std::size_t feasible_ = 0;       ///< index in a line
  std::array<Goal, planner::kNumSweepGoals> goals_;
};

}  // namespace railwright::output
