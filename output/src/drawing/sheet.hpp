// SPDX-License-Identifier: Apache-2.0
// A picture under construction.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "drawing.hpp"
#include "railwright/output/drawing/fabric_classes.hpp"

namespace railwright::output {

struct Sheet {
  const core::Fabric& fabric;
  const FabricClasses& classes;
  Drawing drawing{};
  std::map<int, std::size_t> box_of{};  ///< keyed by class
  double right = 0.0;
  double top = 0.0;

  [[nodiscard]] const VertexClass& of(int c) const {
    return classes.classes[static_cast<std::size_t>(c)];
  }
  [[nodiscard]] const core::Vertex& first_of(int c) const {
    return fabric.vertices()[static_cast<std::size_t>(of(c).members.front())];
  }
  [[nodiscard]] int num_classes() const { return static_cast<int>(classes.classes.size()); }
  [[nodiscard]] std::vector<int> switches(int level) const;
  /// Returns "8 \u00d7 leaf"; for switches of several planes, only the last word, which they share.
  [[nodiscard]] std::string name_of(int c) const;
};

inline constexpr double kRowPitch = 134.0;  // points from one row of switches to the next
inline constexpr double kJoinWidth = 92.0;  // room for the label of a level wire

std::string last_word(const std::string& text);

/// Steps of the drawing, in order: nodes side by side, a row of switches above them, the front end
/// below (or storage at the leaves), the wires between them, the legend.
void place_nodes(Sheet& sheet);
void place_switches(Sheet& sheet, int level);
void place_front_end(Sheet& sheet);
void add_wires(Sheet& sheet);
void add_legend(Sheet& sheet);

}  // namespace railwright::output
