// SPDX-License-Identifier: Apache-2.0
// Which transfers of a step have links in common.
#pragma once

#include "railwright/simulation/step/costs.hpp"

namespace railwright::simulation {

struct Meetings {
  bool of_stages = false;           ///< transfers of one kind of several stages
  bool of_sends = false;            ///< sends with calls or collectives
  bool of_syncs_and_calls = false;  ///< of gradients or parameters with calls within passes
};

Meetings meetings(const StepCosts& costs);

}  // namespace railwright::simulation
