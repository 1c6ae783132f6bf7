// SPDX-License-Identifier: Apache-2.0
// The picture of a fabric for Graphviz.
#pragma once

#include <string>
#include <vector>

#include "railwright/core/fabric/fabric.hpp"
#include "railwright/core/parts_list.hpp"

namespace railwright::output {

/// Draws identically wired parts as one box with their count, and one node opened up. Positions are
/// fixed (`layout=nop2`), at most 1,200 points wide; `dot -Tsvg` keeps them. Parts that do not fit
/// (`shortfalls`) are listed in red below the title, and their boxes are red.
std::string to_dot(const core::Fabric& fabric, const std::string& title,
                   const std::vector<core::Shortfall>& shortfalls = {});

}  // namespace railwright::output
