// SPDX-License-Identifier: Apache-2.0
// Positions of a fabric's classes in its picture.
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

/// Places core, spine and leaf switches in rows above the nodes and the front end below them; one
/// node of the largest class is opened up. The picture is at most 1,200 points (1,600 pixels) wide.
/// `shortfalls` replace the totals below the title, and the boxes of their tiers are red.
Drawing lay_out(const core::Fabric& fabric, const FabricClasses& classes, std::string title,
                const std::vector<core::Shortfall>& shortfalls = {});

/// Adds one node of the class `node` to the drawing, with its frame's lower left corner at (0, 0)
/// and `pitch` points between accelerators; returns the box of each of its classes.
std::map<int, std::size_t> open_node(const core::Fabric& fabric, const FabricClasses& classes,
                                     const NodeClass& node, double pitch, Drawing& drawing);

/// Margins in points to the left of an opened node's parts, for rates, and to their right.
inline constexpr double kFrameMargin = 74.0;
inline constexpr double kFrameEdge = 14.0;

/// Returns "32 × 376 Gb/s": network rates in bits, the others in bytes.
std::string rate_text(core::Tier tier, core::Bandwidth cable);
std::string cables_text(std::int64_t num_cables, core::Tier tier, core::Bandwidth cable);
/// Returns "leaf" for "leaf 3"; the whole label if it does not end in a number.
std::string stem(std::string_view label);

}  // namespace railwright::output
