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

  void add_delays(const std::array<core::Duration, kNumLayerCalls>& others, double share) {
    for (std::size_t call = 0; call < kNumLayerCalls; ++call) delays[call] += others[call] * share;
  }
};

StepCollectives step_collectives(const StepTerms& terms);

}  // namespace railwright::simulation
