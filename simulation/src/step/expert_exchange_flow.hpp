// SPDX-License-Identifier: Apache-2.0
// Tokens on their way to experts and back by kernels of their own, as flows on links.
#pragma once

#include "railwright/models/collective/communicator.hpp"
#include "railwright/simulation/scenario/scenario.hpp"

namespace railwright::simulation {

/// One exchange of an expert group, the mean of a dispatch and a combine. `bytes` is a rank's
/// buffer of a copy for each expert of its tokens; what the links carry is less where a token goes
/// to a node once. Alone it takes what expert_exchange says. Accelerators have the constants for
/// it.
models::CollectiveFlow expert_exchange_flow(const Scenario& scenario,
                                            const models::Communicator& group, double bytes);

}  // namespace railwright::simulation
