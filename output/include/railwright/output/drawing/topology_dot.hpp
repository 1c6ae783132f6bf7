// SPDX-License-Identifier: Apache-2.0
// The picture of a fabric for Graphviz.
#pragma once

#include <string>
#include <vector>

#include "railwright/core/fabric/fabric.hpp"
#include "railwright/core/parts_list.hpp"

namespace railwright::output {

/// Parts wired alike are one box with their number; one node is opened up. Every box and wire has
/// its place (`layout=nop2`), at most 1,200 points wide: `dot -Tsvg` draws it as it is.
/// What does not fit (`shortfalls`) stands in red below the title, and its boxes are red.
std::string to_dot(const core::Fabric& fabric, const std::string& title,
                   const std::vector<core::Shortfall>& shortfalls = {});

}  // namespace railwright::output
