// SPDX-License-Identifier: Apache-2.0
// Nodes that are copies of one another, so that what is known of the inside of one holds of all.
#pragma once

#include <optional>
#include <vector>

#include "railwright/core/fabric/fabric.hpp"

namespace railwright::core {

/// Finds the nodes whose devices and links inside are those of the first node, in the same order
/// and in service. Routes inside such nodes differ by a distance of link ids alone.
class NodeCopies {
 public:
  explicit NodeCopies(const Fabric& fabric);

  /// Returns how much higher the ids of links inside `node` are than those inside `of`; nothing
  /// unless both are copies of the first node.
  [[nodiscard]] std::optional<LinkId> distance(int of, int node) const;
  /// Whether all nodes are copies.
  [[nodiscard]] bool are_all() const;

 private:
  std::vector<LinkId> first_link_;  // by node; -1 if it is no copy
};

}  // namespace railwright::core
