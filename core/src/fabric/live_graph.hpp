// SPDX-License-Identifier: Apache-2.0
// The links of a fabric that are in service, by the vertex they leave.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "railwright/core/fabric/fabric.hpp"

namespace railwright::core {

/// Converts the number of a vertex, link or switch to an index.
inline std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

struct LiveGraph {
  std::span<const Vertex> vertices;
  std::span<const Link> links;
  std::vector<std::int32_t> first;  // index in `out` of each vertex's first; one more at the end
  std::vector<LinkId> out;          // in link order
  std::vector<LinkId> by_head;      // links by the vertex they arrive at

  LiveGraph(std::span<const Vertex> all_vertices, std::span<const Link> all_links,
            const std::vector<bool>& is_failed);

  [[nodiscard]] std::span<const LinkId> leaving(VertexId vertex) const {
    const auto begin = static_cast<std::size_t>(first[static_cast<std::size_t>(vertex)]);
    const auto end = static_cast<std::size_t>(first[static_cast<std::size_t>(vertex) + 1]);
    return std::span(out).subspan(begin, end - begin);
  }
  /// Returns the first link from one vertex to another; -1 if there is none.
  [[nodiscard]] LinkId direct(VertexId from, VertexId to) const;
  [[nodiscard]] const Vertex& vertex(VertexId v) const {
    return vertices[static_cast<std::size_t>(v)];
  }
  [[nodiscard]] const Link& link(LinkId l) const { return links[static_cast<std::size_t>(l)]; }
};

}  // namespace railwright::core
