// SPDX-License-Identifier: Apache-2.0
// A picture as boxes and wires with positions in points, y upwards.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace railwright::output {

struct Point {
  double x = 0.0;
  double y = 0.0;
};

/// Colour class of a box or wire.
enum class Paint : std::uint8_t {
  kCore,
  kSpine,
  kLeaf,
  kNic,
  kPcie,
  kHost,
  kAccelerator,
  kScaleUp,
  kFrontEnd,
  kNode,
  kFailed,
  kShort,  ///< does not fit
};

struct Box {
  std::string name;   ///< unique
  std::string label;  ///< lines separated by '\n'
  output::Paint paint = Paint::kNode;
  output::Point center{};
  double width = 0.0;
  double height = 0.0;

  [[nodiscard]] double left() const { return center.x - width / 2.0; }
  [[nodiscard]] double right() const { return center.x + width / 2.0; }
  [[nodiscard]] double top() const { return center.y + height / 2.0; }
  [[nodiscard]] double bottom() const { return center.y - height / 2.0; }
};

/// A straight line between two boxes.
struct Wire {
  std::size_t from = 0;
  std::size_t to = 0;
  output::Paint paint = Paint::kNode;
  output::Point begin{};
  output::Point end{};
  std::string label{};
  output::Point label_at{};
  bool is_label_beside = false;  ///< nothing runs under the label
  double thickness = 1.2;
};

/// A frame around the boxes first .. last - 1.
struct Frame {
  std::string name;
  std::string label;
  std::size_t first = 0;
  std::size_t last = 0;
  Box box{};
};

struct Drawing {
  std::string title;
  std::string subtitle;
  bool is_short = false;  ///< the subtitle states the parts that do not fit
  double width = 0.0;
  double height = 0.0;
  std::vector<Box> boxes;
  std::vector<Wire> wires;
  std::vector<Frame> frames;
  std::map<int, std::size_t> box_of;  ///< keyed by class of the fabric
};

/// Estimates the width of text in a sans-serif face.
double text_width(const std::string& text, double font_size);

}  // namespace railwright::output
