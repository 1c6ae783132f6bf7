// SPDX-License-Identifier: Apache-2.0
// Links that different transfers of a step share.
#pragma once

#include "railwright/simulation/step/costs.hpp"

namespace railwright::simulation {

struct LinkSharing {
  bool of_stages = false;           ///< some link carries one kind of transfer of several stages
  bool of_sends = false;            ///< some link carries sends and also calls or collectives
  bool of_syncs_and_calls = false;  ///< some link carries gradients or parameters and also calls
};

LinkSharing link_sharing(const StepCosts& costs);

}  // namespace railwright::simulation
