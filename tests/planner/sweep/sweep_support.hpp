// SPDX-License-Identifier: Apache-2.0
// Sweeps into memory.
#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "../../support/source_tree.hpp"
#include "railwright/planner/sweep/sweep.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"

namespace railwright::test {

/// Rows by point, and the order in which they came.
class MemoryTable final : public planner::SweepTable {
 public:
  explicit MemoryTable(bool in_order = false) : in_order_(in_order) {}

  [[nodiscard]] bool needs_order() const override { return in_order_; }
  void visit(const std::function<void(const planner::StoredPoint&)>& see) override { (void)see; }
  void append(std::int64_t point, std::span<const planner::SweepValue> cells) override {
    came.push_back(point);
    rows[point].assign(cells.begin(), cells.end());
  }
  void commit() override {}

  std::vector<std::int64_t> came;
  std::map<std::int64_t, std::vector<planner::SweepValue>> rows;

 private:
  bool in_order_;
};

inline core::Node example(const std::string& name, const std::vector<std::string>& settings = {}) {
  return simulation::load_scenario_tree(kSource + "/examples/" + name + ".yaml", settings);
}

/// The cells of a row by column.
inline std::map<std::string, planner::SweepValue> named(
    const planner::Sweep& sweep, const std::vector<planner::SweepValue>& cells) {
  std::map<std::string, planner::SweepValue> row;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    row[sweep.question().columns[i].name] = cells[i];
  }
  return row;
}

/// The number in a cell; NaN if it has none.
inline double number_in(const planner::SweepValue& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  const auto* real = std::get_if<double>(&value);
  return real != nullptr ? *real : std::nan("");
}

}  // namespace railwright::test
