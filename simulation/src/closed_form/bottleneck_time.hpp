// SPDX-License-Identifier: Apache-2.0
// How long the busiest link needs for what the stages put on it.
#pragma once

#include "step_terms.hpp"

namespace railwright::simulation {

/// How often a step carries its collectives, and the calls and sends of a micro-batch.
struct Times {
  double gradients = 0.0;
  double parameters = 0.0;
  double layers = 0.0;
};

/// Sets the bytes of each kind of traffic in terms.scratch.
void set_traffic(const StepTerms& terms, const Times& times);

/// Seconds that the busiest link needs.
core::Duration longest_link(const StepTerms& terms, const Times& times);

/// The same for one place's collectives of stages without a pipeline.
core::Duration longest_link(const StepTerms& terms, const std::array<SyncBytes, kNumSyncs>& syncs,
                            const Times& times);

}  // namespace railwright::simulation
