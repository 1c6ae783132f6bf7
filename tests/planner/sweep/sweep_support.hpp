// SPDX-License-Identifier: Apache-2.0
// Sweeps into memory.
#pragma once

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

}  // namespace railwright::test
