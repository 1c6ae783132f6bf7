// SPDX-License-Identifier: Apache-2.0
// A folded fabric: identically wired parts form one class with a multiplicity.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "railwright/core/fabric/fabric.hpp"

namespace railwright::output {

struct VertexClass {
  core::Role role = core::Role::kSwitch;
  int level = 0;  ///< level of a switch; 0 is next to the NICs
  bool is_failed = false;
  std::vector<core::VertexId> members;

  [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(members.size()); }
};

/// All links of one kind between two classes, or within one.
struct ClassLink {
  int a = 0;  ///< a <= b
  int b = 0;
  core::Tier tier = core::Tier::kFabric;
  core::Bandwidth cable;  ///< line rate of one cable; for a bus, the rate that transfers reach
  bool is_failed = false;
  std::int64_t num_cables = 0;
};

/// Nodes with identical wiring, inside and to the outside.
struct NodeClass {
  std::vector<int> nodes;
  std::vector<int> classes;  ///< distinct classes of the first node's vertices, in vertex order
};

struct FabricClasses {
  std::vector<int> class_of;  ///< indexed by vertex
  std::vector<VertexClass> classes;
  std::vector<ClassLink> links;
  std::vector<NodeClass> nodes;
  bool has_rails = false;  ///< vertices of a node are distinguished by their local index

  [[nodiscard]] int num_levels() const;
};

/// Groups identically wired parts into classes. The local index distinguishes a node's parts, which
/// shows rails, if the node has at most 16 accelerators and no level gets more than eight switch
/// classes. Beyond eight classes, leaves of at most eight rails form one class per rail. Up to
/// eight switches that are joined to one another stay distinct, and so do planes if their level
/// then has at most eight classes. A level with more than eight classes is merged into one; more
/// than four node classes are merged into two.
FabricClasses fold(const core::Fabric& fabric);

}  // namespace railwright::output
