// SPDX-License-Identifier: Apache-2.0
// A fabric folded: parts that are wired alike are one class with a multiplicity.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "railwright/core/fabric/fabric.hpp"

namespace railwright::output {

struct VertexClass {
  core::Role role = core::Role::kSwitch;
  int level = 0;  ///< of switches: 0 next to the NICs
  bool is_failed = false;
  std::vector<core::VertexId> members;

  [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(members.size()); }
};

/// All links of one kind between two classes, or within one.
struct ClassLink {
  int a = 0;  ///< a <= b
  int b = 0;
  core::Tier tier = core::Tier::kFabric;
  core::Bandwidth cable;  ///< line rate of one cable; of a bus, what transfers reach
  bool is_failed = false;
  std::int64_t num_cables = 0;
};

/// Nodes wired alike, inside and to the outside.
struct NodeClass {
  std::vector<int> nodes;
  std::vector<int> classes;  ///< of the vertices of the first one, each once, in vertex order
};

struct FabricClasses {
  std::vector<int> class_of;  ///< by vertex
  std::vector<VertexClass> classes;
  std::vector<ClassLink> links;
  std::vector<NodeClass> nodes;
  bool has_rails = false;  ///< vertices of a node are told apart by their local index

  [[nodiscard]] int num_levels() const;
};

/// Nodes' parts are told apart by their local index, so that rails are seen, unless that makes
/// more than eight classes of switches of a level or a node has more than 16 accelerators. Leaves
/// of at most eight rails are then one class a rail, however many nodes each has. Few switches that
/// are joined to one another are told apart too, and planes where that makes no more than eight
/// classes of a level. Where a level still has more than eight classes it becomes one, and more
/// than four classes of nodes become two.
FabricClasses fold(const core::Fabric& fabric);

}  // namespace railwright::output
