// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "drawing_layout.hpp"
#include "palette.hpp"
#include "railwright/output/drawing/topology.hpp"

namespace railwright::output {

namespace {

constexpr double kPointsPerInch = 72.0;

std::string dot_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '\n') {
      out += "\\n";
      continue;
    }
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string place(Point p) { return fmt::format("{:.1f},{:.1f}", p.x, p.y); }

std::string box_line(const Box& box) {
  const Colors colors = colors_of(box.paint);
  const bool is_legend = box.name.starts_with("legend");
  return fmt::format(
      "{} [pos=\"{}\", width={:.3f}, height={:.3f}, label={}, fillcolor=\"{}\", "
      "color=\"{}\"{}{}];\n",
      box.name, place(box.center), box.width / kPointsPerInch, box.height / kPointsPerInch,
      dot_string(box.label), colors.fill, colors.line, is_legend ? ", fontsize=9" : "",
      box.paint == Paint::kFailed ? ", style=\"filled,dashed\", fontcolor=\"#d00000\"" : "");
}

/// Returns a label that hides the wire under it.
std::string on_white(std::string_view text) {
  return fmt::format(
      "<<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLPADDING=\"1\" CELLSPACING=\"0\" "
      "BGCOLOR=\"white\"><TR><TD>{}</TD></TR></TABLE>>",
      text);
}

/// Writes a straight line as the cubic curve that Graphviz requires.
std::string wire_line(const Drawing& drawing, const Wire& wire) {
  const auto along = [&](double share) {
    return Point{wire.begin.x + share * (wire.end.x - wire.begin.x),
                 wire.begin.y + share * (wire.end.y - wire.begin.y)};
  };
  const Colors colors = colors_of(wire.paint);
  std::string line = fmt::format(
      "{} -- {} [pos=\"{} {} {} {}\", color=\"{}\", penwidth={:.1f}", drawing.boxes[wire.from].name,
      drawing.boxes[wire.to].name, place(wire.begin), place(along(1.0 / 3.0)),
      place(along(2.0 / 3.0)), place(wire.end), colors.line, wire.thickness);
  if (wire.paint == Paint::kFailed) line += ", style=dashed";
  if (!wire.label.empty()) {
    line +=
        fmt::format(", lp=\"{}\", fontcolor=\"{}\", label={}", place(wire.label_at), colors.line,
                    wire.is_label_beside ? dot_string(wire.label) : on_white(wire.label));
  }
  return line + "];\n";
}

/// Returns a smaller size for a long title, so that it does not widen the drawing.
double title_size(const Drawing& drawing) {
  constexpr double kLargest = 16.0;
  constexpr double kSmallest = 8.0;
  const double room = drawing.width / text_width(drawing.title, 1.0);
  return std::max(kSmallest, std::min(kLargest, room));
}

std::string header(const Drawing& drawing) {
  return fmt::format(
      "graph fabric {{\n"
      "  graph [layout=nop2, bb=\"0,0,{:.1f},{:.1f}\", outputorder=edgesfirst, "
      "fontname=\"Helvetica\", bgcolor=white];\n"
      "  node [shape=box, style=filled, fixedsize=true, fontname=\"Helvetica\", fontsize=10];\n"
      "  edge [fontname=\"Helvetica\", fontsize=9];\n"
      "  title [pos=\"{:.1f},{:.1f}\", shape=plaintext, style=\"\", fixedsize=false, "
      "fontsize={:.3g}, "
      "label={}];\n"
      "  totals [pos=\"{:.1f},{:.1f}\", shape=plaintext, style=\"\", fixedsize=false, "
      "fontsize=11{}, "
      "label={}];\n",
      drawing.width, drawing.height, drawing.width / 2.0, drawing.height - 18.0,
      title_size(drawing), dot_string(drawing.title), drawing.width / 2.0, drawing.height - 40.0,
      drawing.is_short ? ", fontcolor=\"#c00000\"" : "", dot_string(drawing.subtitle));
}

}  // namespace

std::string to_dot(const core::Fabric& fabric, const std::string& title,
                   const std::vector<core::Shortfall>& shortfalls) {
  const Drawing drawing = lay_out(fabric, fold(fabric), title, shortfalls);
  std::string text = header(drawing);
  std::size_t next = 0;
  for (const Frame& frame : drawing.frames) {
    for (; next < frame.first; ++next) text += "  " + box_line(drawing.boxes[next]);
    const Box& box = frame.box;
    text += fmt::format(
        "  subgraph cluster_{} {{\n    graph [bb=\"{:.1f},{:.1f},{:.1f},{:.1f}\", label={}, "
        "lp=\"{:.1f},{:.1f}\", fontsize=11, style=filled, fillcolor=\"#f7f7f7\", "
        "color=\"#555555\"];\n",
        frame.name, box.left(), box.bottom(), box.right(), box.top(), dot_string(frame.label),
        box.center.x, box.bottom() + 13.0);
    for (; next < frame.last; ++next) text += "    " + box_line(drawing.boxes[next]);
    text += "  }\n";
  }
  for (; next < drawing.boxes.size(); ++next) text += "  " + box_line(drawing.boxes[next]);
  for (const Wire& wire : drawing.wires) text += "  " + wire_line(drawing, wire);
  return text + "}\n";
}

}  // namespace railwright::output
