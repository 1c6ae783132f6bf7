// SPDX-License-Identifier: Apache-2.0
#include "nccl_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <pugixml.hpp>
#include <set>
#include <string>

#include "../common/findings.hpp"
#include "../common/looks_like.hpp"
#include "railwright/core/config/date_time.hpp"
#include "railwright/core/config/text_file.hpp"

namespace railwright::importers {

namespace {

constexpr int kMaxGraphDevices = 256;

/// Patterns by their numbers in NCCL's src/include/graph.h.
std::string pattern_of(int number) {
  switch (number) {
    case 1:
      return "balanced tree";
    case 2:
      return "split tree";
    case 3:
      return "tree";
    case 4:
      return "ring";
    case 5:
      return "NVLS";
    case 6:
      return "CollNet direct";
    default:
      return fmt::format("pattern {}", number);
  }
}

/// Notes what a graph was made for, to compare with.
void note_graph(const pugi::xml_node& graph, Findings& findings) {
  findings.not_expressed(shown(fmt::format(
      "{}: {} channels, {} GB/s each within a node ({}), {} GB/s between nodes ({})",
      pattern_of(graph.attribute("pattern").as_int()), graph.attribute("nchannels").value(),
      graph.attribute("speedintra").value(), graph.attribute("typeintra").value(),
      graph.attribute("speedinter").value(), graph.attribute("typeinter").value())));
}

}  // namespace

bool is_nccl_graph(std::string_view head) { return contains(head, "<graphs"); }

Imported import_nccl_graph(std::string_view text, const std::string& file,
                           const core::Node& /*known*/) {
  Findings findings(file);
  pugi::xml_document document;
  const pugi::xml_parse_result parsed = document.load_buffer(text.data(), text.size());
  if (!parsed) {
    findings.problem(core::place_in(text, static_cast<std::size_t>(parsed.offset), file), "",
                     std::string("no XML: ") + parsed.description());
    findings.throw_if_any();
  }
  std::set<std::string> accelerators;
  std::set<std::string> nics;
  for (const pugi::xml_node& graph : document.child("graphs").children("graph")) {
    for (const pugi::xml_node& channel : graph.children("channel")) {
      for (const pugi::xml_node& gpu : channel.children("gpu")) {
        accelerators.insert(gpu.attribute("dev").value());
      }
      for (const pugi::xml_node& net : channel.children("net")) {
        nics.insert(net.attribute("dev").value());
      }
    }
    note_graph(graph, findings);
  }
  // Several systems of one scale-up domain have numbers beyond those of a node.
  const bool is_plain = std::ranges::all_of(accelerators, [](const std::string& device) {
    const auto number = core::digits_of(device);
    return number && *number < kMaxGraphDevices;
  });
  if (accelerators.empty() || !is_plain) {
    findings.problem_in_file("no <gpu dev> of one node in a <channel> of it");
    findings.throw_if_any();
  }
  findings.know("cluster.node.num_accelerators", static_cast<int>(accelerators.size()),
                "<gpu> elements of the channels");
  if (nics.empty()) {
    findings.unknown("cluster.node.nics.count", "channels of one node use no NIC");
  } else {
    findings.know("cluster.node.nics.count", static_cast<int>(nics.size()),
                  "NICs that the channels use");
  }
  findings.unknown("cluster.node.scale_up", "a graph tells the links used, not those there are");
  findings.unknown("cluster.node.accelerator", "a graph does not name it");
  findings.unknown("cluster.nodes", "the graph is of one node");
  findings.unknown("cluster.fabric", "NCCL does not see switches beyond the node");
  return findings.take();
}

}  // namespace railwright::importers
