// SPDX-License-Identifier: Apache-2.0
// A row of a sweep's table, without the inputs, which its point's number says.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>

#include "railwright/simulation/step/breakdown.hpp"

namespace railwright::planner {

enum class PointState : std::uint8_t { kFeasible, kInfeasible, kError };

/// Numbers of a row, in the order of their columns.
enum class SweepOutput : std::uint8_t {
  kNumAccelerators,
  kDp,
  kNumMicrobatches,
  kMemory,
  kMemoryCapacity,
  kStepTime,
  kSamplesPerS,
  kTokensPerS,
  kModelUtilization,
  kHardwareUtilization,
  kBubble,
  kFirstCause,
  kTrainingTime = kFirstCause + simulation::kCauseNames.size(),  ///< from here on of the run
  kEffectiveTime,
  kCheckpointBytes,
  kCheckpointTime,
  kNumCheckpoints,
  kRestoreTime,
  kMeanPower,
  kEnergy,
  kRunCost,
};
inline constexpr std::size_t kNumSweepOutputs = static_cast<std::size_t>(SweepOutput::kRunCost) + 1;

inline constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

struct SweepRow {
  std::int64_t point = 0;
  PointState state = PointState::kError;
  std::string note;  ///< why it is infeasible or an error
  std::array<double, kNumSweepOutputs> numbers;

  explicit SweepRow(std::int64_t number = 0) : point(number) { numbers.fill(kNoNumber); }
  double& operator[](SweepOutput output) { return numbers[static_cast<std::size_t>(output)]; }
  double operator[](SweepOutput output) const { return numbers[static_cast<std::size_t>(output)]; }
};

}  // namespace railwright::planner
