// SPDX-License-Identifier: Apache-2.0
#include "live_graph.hpp"

#include <algorithm>
#include <utility>

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
  by_head = out;
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    // In link order where heads are equal. A stable sort would ask for memory at each vertex.
    const auto own = std::span(by_head).subspan(static_cast<std::size_t>(first[v]),
                                                static_cast<std::size_t>(first[v + 1] - first[v]));
    const auto head = [&](LinkId l) { return std::pair(link(l).to, l); };
    if (!std::ranges::is_sorted(own, {}, head)) std::ranges::sort(own, {}, head);
  }
}

LinkId LiveGraph::direct(VertexId from, VertexId to) const {
  const auto begin = by_head.begin() + first[static_cast<std::size_t>(from)];
  const auto end = by_head.begin() + first[static_cast<std::size_t>(from) + 1];
  const auto head = [&](LinkId l) { return link(l).to; };
  const auto found = std::ranges::lower_bound(begin, end, to, {}, head);
  return found != end && head(*found) == to ? *found : -1;
}

}  // namespace railwright::core
