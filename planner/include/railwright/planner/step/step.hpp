// SPDX-License-Identifier: Apache-2.0
// Event simulation of one optimizer step.
#pragma once

#include <vector>

#include "railwright/planner/step/breakdown.hpp"
#include "railwright/planner/step/program.hpp"

namespace railwright::planner {

/// When each operation ran, and which one it waited for last.
struct Execution {
  std::vector<core::StepTime> start;
  std::vector<core::StepTime> end;
  std::vector<OpId> waited_for;  ///< kNobody for operations that could start at once
  OpId last = 0;                 ///< the operation that ended last
  std::vector<double> link_bytes;

  static constexpr OpId kNobody = ~OpId{0};
};

struct StepResult {
  core::Duration step_time;
  Breakdown breakdown;
  std::vector<double> link_bytes;  ///< what each link of the fabric carried in the step
};

Execution execute(const Program& program, const std::vector<double>& capacity);

/// The timeline of the group that ends the step: its own computation and tensor-parallel
/// communication as they are, and each wait charged to what the operations it waited for were doing
/// in that time - a transfer, a collective, or another stage's computation, which is the bubble.
Breakdown break_down(const Program& program, const Execution& execution);

StepResult simulate_step(const StepCosts& costs);

}  // namespace railwright::planner
