// SPDX-License-Identifier: Apache-2.0
// Where the classes of a fabric stand in its picture.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "../words/number_text.hpp"
#include "drawing.hpp"
#include "railwright/core/parts_list.hpp"
#include "railwright/output/drawing/fabric_classes.hpp"

namespace railwright::output {

/// Core, spine and leaf switches in rows above the nodes, of which one of the largest class is
/// opened up; the front end below. At most 1,200 points wide, which is 1,600 pixels.
/// What does not fit (`shortfalls`) is said in place of the totals below the title, and the boxes
/// of its tier are red.
Drawing lay_out(const core::Fabric& fabric, const FabricClasses& classes, std::string title,
                const std::vector<core::Shortfall>& shortfalls = {});

/// Puts one node of `node` into the drawing, its frame's lower left corner at (0, 0), `pitch`
/// from accelerator to accelerator; returns the box of each of its classes.
std::map<int, std::size_t> open_node(const core::Fabric& fabric, const FabricClasses& classes,
                                     const NodeClass& node, double pitch, Drawing& drawing);

/// Room to the left of an opened node's parts, for rates, and to their right.
inline constexpr double kFrameMargin = 74.0;
inline constexpr double kFrameEdge = 14.0;

/// "32 × 376 Gb/s": network rates in bits, the others in bytes.
std::string rate_text(core::Tier tier, core::Bandwidth cable);
std::string cables_text(std::int64_t num_cables, core::Tier tier, core::Bandwidth cable);
/// "leaf" of "leaf 3"; all of it where it ends in no number.
std::string stem(std::string_view label);

}  // namespace railwright::output
