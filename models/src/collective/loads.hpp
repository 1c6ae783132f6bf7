// SPDX-License-Identifier: Apache-2.0
// Loads on links that several algorithms share.
#pragma once

#include "groups.hpp"
#include "link_loads.hpp"

namespace railwright::models {

/// Adds two trees over the gates of the nodes, each for half of a channel's part, up and down.
void add_trees_between_nodes(LinkLoads& loads, const Groups& groups);

/// Adds reduce-scatter and all-gather around each node, in between which a gate holds its channels.
void add_node_rings(LinkLoads& loads, const Groups& groups);

}  // namespace railwright::models
