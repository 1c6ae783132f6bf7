// SPDX-License-Identifier: Apache-2.0
// A row of a sweep's table, without the inputs, which its point's number says.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>

namespace railwright::planner {

enum class PointState : std::uint8_t { kFeasible, kInfeasible, kError };

/// Room in a row: no allocation for each of millions.
inline constexpr std::size_t kMaxSweepNumbers = 48;
/// What the points of a sweep are.
enum class SweepKind : std::uint8_t { kTraining, kService };
/// Numbers of a row: those of a result that have a column, those of a run last.
std::size_t num_sweep_numbers(SweepKind kind, bool with_run = true);

inline constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

struct SweepRow {
  std::int64_t point = 0;
  PointState state = PointState::kError;
  std::string note;  ///< why it is infeasible or an error
  std::array<double, kMaxSweepNumbers> numbers;

  explicit SweepRow(std::int64_t number = 0) : point(number) { numbers.fill(kNoNumber); }
};

}  // namespace railwright::planner
