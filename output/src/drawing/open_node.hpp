// SPDX-License-Identifier: Apache-2.0
// One node of a picture under construction.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "drawing_layout.hpp"

namespace railwright::output {

struct OpenNode {
  const core::Fabric& fabric;
  const FabricClasses& classes;
  const NodeClass& node;
  double pitch = 0.0;  ///< points between accelerators
  Drawing& drawing;
  double num_slots = 1.0;
  std::size_t first_box = 0;
  std::optional<std::size_t> mesh{};
  std::map<int, double> slots{};  ///< position of a class, in slots from the left
  std::map<int, std::size_t> boxes{};
  std::map<int, std::size_t> front_end_boxes{};  ///< keyed by host, as is num_front_end
  std::map<int, std::int64_t> num_front_end{};
  std::set<std::tuple<core::Role, core::Role, double>> written{};

  [[nodiscard]] const VertexClass& of(int c) const {
    return classes.classes[static_cast<std::size_t>(c)];
  }
  [[nodiscard]] std::int64_t num_nodes() const {
    return static_cast<std::int64_t>(node.nodes.size());
  }
  [[nodiscard]] bool is_inside(int c) const;
  [[nodiscard]] std::vector<int> with(core::Role role) const;
  /// Returns the classes of `role` in this node that `c` has a link to.
  [[nodiscard]] std::vector<int> neighbours(int c, core::Role role) const;
  [[nodiscard]] double x_of(double slot) const { return kFrameMargin + slot * pitch; }
};

// Heights of the rows' middles above the frame's lower edge.
inline constexpr double kScaleUpRow = 46.0;
inline constexpr double kAcceleratorRow = 108.0;
inline constexpr double kFrontEndRow = 168.0;
inline constexpr double kHostRow = 208.0;
inline constexpr double kPcieRow = 256.0;
inline constexpr double kNicRow = 320.0;
inline constexpr double kFrameHeight = 348.0;
inline constexpr double kBoxHeight = 28.0;
inline constexpr double kWidestBox = 120.0;
inline constexpr double kFontSize = 10.0;

/// Adds a box for each class in its slot; the scale-up switch, or a bar for a mesh, goes below
/// them.
void add_boxes(OpenNode& open);
void add_scale_up(OpenNode& open);
void add_inner_wires(OpenNode& open);
void add_inner_wire(OpenNode& open, std::size_t from, std::size_t to, Paint paint,
                    std::string label);

}  // namespace railwright::output
