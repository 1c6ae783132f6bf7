// SPDX-License-Identifier: Apache-2.0
// Differences of a step from published ones.
#pragma once

#include <string>
#include <vector>

#include "railwright/simulation/scenario/provenance.hpp"

namespace railwright::simulation {

/// Returns, in words, the traits that the step has and none of the row's steps has.
std::vector<std::string> differences_from(const TrackRow& row, const StepTraits& traits);

/// Returns the same where no step of its device, stack and precision was published: against those
/// of its stack elsewhere, and against the profile's own settings where there are none.
std::vector<std::string> differences_apart(const std::vector<TrackRow>& rows,
                                           const StepTraits& traits);

/// Counts the published steps of an accelerator or a profile.
int num_steps(const std::vector<TrackRow>& rows, std::string TrackRow::* of,
              const std::string& name);

}  // namespace railwright::simulation
