// SPDX-License-Identifier: Apache-2.0
// Event simulation of one optimizer step.
#pragma once

#include <cstdint>
#include <vector>

#include "railwright/simulation/step/breakdown.hpp"
#include "railwright/simulation/step/program.hpp"

namespace railwright::simulation {

/// Start and end of each operation, and the operation that it waited for last.
struct Execution {
  std::vector<core::StepTime> start;
  std::vector<core::StepTime> end;
  std::vector<OpId> waited_for;  ///< kNobody for operations that could start at once
  OpId last = 0;                 ///< the operation that ended last
  std::vector<double> link_bytes;
  std::vector<core::StepTime> sampled_at;  ///< times when watched links were read, the first at 0
  std::vector<double> sampled_bytes;       ///< bytes they had carried, reading by reading

  static constexpr OpId kNobody = ~OpId{0};
};

enum class Symmetry : std::uint8_t {
  kFolded,    ///< one replica and one link of each class (see fold.hpp)
  kUnfolded,  ///< every replica and link, for comparison
};

struct StepResult {
  core::Duration step_time;
  Breakdown breakdown;
  std::vector<double> link_bytes;  ///< bytes that each link of the fabric carried in the step
  int num_replica_classes = 1;     ///< replicas that were simulated
};

/// Executes the program; at its events, reads the bytes that the links of `watched` have carried.
Execution execute(const Program& program, const std::vector<double>& capacity,
                  const std::vector<core::LinkId>& watched = {});

/// Breaks down the timeline of the group that ends the step. Its own computation and calls count as
/// they are. Each wait is charged to the operations that it waited for in that time: a transfer, a
/// collective, or another stage's computation, which is the bubble.
Breakdown break_down(const Program& program, const Execution& execution);

struct FoldedCosts;
/// Simulates costs that are folded; the bytes are those of all links of the fabric.
StepResult simulate_step(const FoldedCosts& folded);
StepResult simulate_step(const StepCosts& costs, Symmetry symmetry = Symmetry::kFolded);

}  // namespace railwright::simulation
