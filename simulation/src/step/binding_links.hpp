// SPDX-License-Identifier: Apache-2.0
// The links that can limit the transfers of a step.
#pragma once

#include <span>
#include <vector>

#include "railwright/models/collective/collective.hpp"

namespace railwright::simulation {

/// Returns the routes of flows without the links that limit none of them, however many transfers of
/// each flow are under way: rates are the same without these links. Of links on which every flow
/// puts as much, one is enough. A flow's narrowest link stays; together they bound what any other
/// link carries, and one that carries this at once never binds. `capacity` is by link.
std::vector<std::vector<core::LinkUse>> binding_routes(
    std::span<const models::CollectiveFlow* const> flows, std::span<const double> capacity);

}  // namespace railwright::simulation
