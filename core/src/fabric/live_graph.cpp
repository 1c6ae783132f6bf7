// SPDX-License-Identifier: Apache-2.0
#include "live_graph.hpp"

namespace railwright::core {

LiveGraph::LiveGraph(std::span<const Vertex> all_vertices, std::span<const Link> all_links,
                     const std::vector<bool>& is_failed)
    : vertices(all_vertices), links(all_links), first(all_vertices.size() + 1) {
  const auto tail = [&](std::size_t l) { return static_cast<std::size_t>(links[l].from); };
  for (std::size_t l = 0; l < links.size(); ++l) {
    if (!is_failed[l]) ++first[tail(l) + 1];
  }
  for (std::size_t v = 0; v < vertices.size(); ++v) first[v + 1] += first[v];
  out.resize(static_cast<std::size_t>(first.back()));
  std::vector<std::int32_t> next(first.begin(), first.end() - 1);
  for (std::size_t l = 0; l < links.size(); ++l) {
    if (!is_failed[l]) out[static_cast<std::size_t>(next[tail(l)]++)] = static_cast<LinkId>(l);
  }
}

}  // namespace railwright::core
