// SPDX-License-Identifier: Apache-2.0
// Exchanges of tokens with experts by specialized kernels, as flows on links.
#pragma once

#include "railwright/models/collective/communicator.hpp"

namespace railwright::simulation {

struct Scenario;

/// Returns one exchange of an expert group, the mean of a dispatch and a combine. `bytes` is a
/// rank's buffer with a copy of each token for each of its experts; links carry less if a token
/// goes to a node only once. In isolation it takes the time of expert_exchange. The accelerators
/// must have the constants for it.
models::CollectiveFlow expert_exchange_flow(const Scenario& scenario,
                                            const models::Communicator& group, double bytes);

}  // namespace railwright::simulation
