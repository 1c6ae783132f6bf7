// SPDX-License-Identifier: Apache-2.0
// A transfer between two accelerators, of which a step has tens of thousands.
#pragma once

#include "railwright/models/collective/collective.hpp"
#include "railwright/models/software/collectives.hpp"

namespace railwright::core {
class Fabric;
}  // namespace railwright::core

namespace railwright::models {

/// Returns what Communicator(fabric, {from, to}, tuning).flow(kSendReceive, bytes) does, without
/// what only other calls need.
CollectiveFlow pair_flow(const core::Fabric& fabric, int from, int to,
                         const CollectiveTuning& tuning, double bytes);

}  // namespace railwright::models
