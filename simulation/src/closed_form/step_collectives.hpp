// SPDX-License-Identifier: Apache-2.0
// Time that the exchange of gradients and parameters adds to a step.
#pragma once

#include <array>

#include "step_terms.hpp"

namespace railwright::simulation {

struct StepCollectives {
  core::Duration reduce;
  core::Duration gather;
  std::array<core::Duration, kNumLayerCalls> delays{};  ///< extra time of overlapped calls
  core::Duration slowed;                                ///< extra time of overlapped computation

  void add_delays(const std::array<core::Duration, kNumLayerCalls>& others,
                  core::Duration other_slowed, double share) {
    for (std::size_t call = 0; call < kNumLayerCalls; ++call) delays[call] += others[call] * share;
    slowed += other_slowed * share;
  }
};

StepCollectives step_collectives(const StepTerms& terms);

}  // namespace railwright::simulation
