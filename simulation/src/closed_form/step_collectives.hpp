// SPDX-License-Identifier: Apache-2.0
// What the exchange of gradients and parameters adds to a step.
#pragma once

#include <array>

#include "step_terms.hpp"

namespace railwright::simulation {

struct StepCollectives {
  core::Duration reduce;
  core::Duration gather;
  std::array<core::Duration, kNumLayerCalls> delays{};  ///< of calls, by collectives beside them
  core::Duration slowed;                                ///< computation, by the same

  void add_delays(const std::array<core::Duration, kNumLayerCalls>& others,
                  core::Duration other_slowed, double share) {
    for (std::size_t call = 0; call < kNumLayerCalls; ++call) delays[call] += others[call] * share;
    slowed += other_slowed * share;
  }
};

StepCollectives step_collectives(const StepTerms& terms);

}  // namespace railwright::simulation
