// SPDX-License-Identifier: Apache-2.0
// Paths through a fabric and the memory of those already found.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "live_graph.hpp"
#include "railwright/core/fabric/fabric.hpp"

namespace railwright::core {

/// A path of fewest links, or nothing; equal ones by lowest link id.
class PathFinder {
 public:
  explicit PathFinder(const LiveGraph& live);
  ~PathFinder();
  PathFinder(const PathFinder&) = delete;
  PathFinder& operator=(const PathFinder&) = delete;

  [[nodiscard]] bool find(VertexId from, VertexId to, std::vector<LinkId>& path) const;
  /// Number of links from `from` to every vertex that a path to `to` may visit; -1 elsewhere.
  [[nodiscard]] std::vector<std::int32_t> distances(VertexId from, VertexId to) const;
  /// Whether a path between the two may take the link.
  [[nodiscard]] bool may_take(LinkId link, VertexId from, VertexId to) const;

 private:
  struct Graph;
  std::unique_ptr<Graph> graph_;
};

struct Fabric::Routes {
  std::mutex mutex;
  std::unique_ptr<LiveGraph> live;  // made at the first question, as the finder
  std::unique_ptr<PathFinder> finder;
  std::unordered_map<std::uint64_t, std::vector<LinkId>> between_vertices;
  std::unordered_map<std::uint64_t, std::vector<LinkId>> between_accelerators;

  const LiveGraph& live_of(const Fabric& fabric);
  const PathFinder& finder_of(const Fabric& fabric);
  static std::uint64_t key(std::int32_t from, std::int32_t to) {
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(from)) << 32U |
           static_cast<std::uint32_t>(to);
  }
};

}  // namespace railwright::core
