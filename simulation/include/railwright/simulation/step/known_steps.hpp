// SPDX-License-Identifier: Apache-2.0
// Steps simulated before, by the content of their costs.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "railwright/core/shared_table.hpp"
#include "railwright/simulation/step/step.hpp"

namespace railwright::simulation {

/// Results of simulate_step for costs that are the same number by number once folded: those of
/// clusters that differ in storage, spares or length of the run. Bounded; any number of threads.
class KnownSteps {
 public:
  /// Returns what simulate_step does for the folded costs, without events if these are known.
  StepResult simulate(const StepCosts& costs);

  /// Number of steps that were answered without events.
  [[nodiscard]] std::size_t num_reused() const { return num_reused_; }

 private:
  struct Known {
    std::vector<std::uint64_t> content;
    StepResult result;  ///< bytes by class of links
  };

  /// Looks the costs up, whole: equal keys of unequal costs are no answer.
  StepResult of_classes(const StepCosts& folded);

  core::SharedTable<Known> known_;
  std::atomic<std::size_t> num_kept_ = 0;  ///< numbers of all contents
  std::atomic<std::size_t> num_reused_ = 0;
};

/// Returns every number of the costs, bit by bit, and the length of every list.
std::vector<std::uint64_t> content_of(const StepCosts& costs);

}  // namespace railwright::simulation
