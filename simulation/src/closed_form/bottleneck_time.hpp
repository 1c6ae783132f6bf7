// SPDX-License-Identifier: Apache-2.0
// Time of the busiest link for the traffic of all stages.
#pragma once

#include "step_terms.hpp"

namespace railwright::simulation {

/// Number of times that a step carries its gradient and parameter collectives, and the calls and
/// sends of a micro-batch.
struct Times {
  double gradients = 0.0;
  double parameters = 0.0;
  double layers = 0.0;
};

/// Sets the bytes of each kind of traffic in terms.scratch.
void set_traffic(const StepTerms& terms, const Times& times);

/// Returns the time that the busiest link needs.
core::Duration longest_link(const StepTerms& terms, const Times& times);

/// Returns the time for the collectives of one place alone, without a pipeline.
core::Duration longest_link(const StepTerms& terms, const std::array<SyncBytes, kNumSyncs>& syncs,
                            const Times& times);

}  // namespace railwright::simulation
