// SPDX-License-Identifier: Apache-2.0
// A row of a sweep's table, without the inputs, which follow from the point's number.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>

namespace railwright::simulation {
struct ScenarioKind;
}  // namespace railwright::simulation

namespace railwright::planner {

enum class PointState : std::uint8_t { kFeasible, kInfeasible, kError };

/// Capacity of a row, which saves an allocation for each of millions.
inline constexpr std::size_t kMaxSweepNumbers = 56;
/// Counts the numbers of a row: those of a result that have a column, with those of a run last.
std::size_t num_sweep_numbers(const simulation::ScenarioKind& kind, bool with_run = true);

inline constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

struct SweepRow {
  std::int64_t point = 0;
  PointState state = PointState::kError;
  std::string note;  ///< why it is infeasible or an error
  std::array<double, kMaxSweepNumbers> numbers;

  explicit SweepRow(std::int64_t number = 0) : point(number) { numbers.fill(kNoNumber); }
};

}  // namespace railwright::planner
