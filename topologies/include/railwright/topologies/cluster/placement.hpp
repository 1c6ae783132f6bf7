// SPDX-License-Identifier: Apache-2.0
// The places of a job's nodes among all nodes of a fabric.
#pragma once

#include <cstdint>
#include <vector>

#include "railwright/core/config/fields.hpp"

namespace railwright::topologies {

enum class PlacementOrder : std::uint8_t {
  kPacked,     ///< side by side, in the order of ranks
  kScattered,  ///< at random places
};

constexpr auto enum_words(PlacementOrder) {
  using enum PlacementOrder;
  return core::words<PlacementOrder>({{"packed", kPacked}, {"scattered", kScattered}});
}

struct Placement {
  PlacementOrder order = PlacementOrder::kPacked;
  int of_nodes = 0;
  std::uint64_t seed = 1;
  std::uint64_t draw = 0;  ///< which draw of the seed's; no key, but a fact of `simulate`
  /// The part of a cluster that a job has, where several share it: its nodes from `first_node` on,
  /// of so many that take places together. 0: the job's alone. No keys, but facts of `jobs`.
  int part_of_nodes = 0;
  int first_node = 0;

  static constexpr auto fields();
};

/// Returns the node of the job at each place of the fabric; -1 where another's stands. Jobs that
/// are parts of one cluster never have a place in common.
std::vector<int> nodes_by_place(const Placement& placement, int num_nodes);

}  // namespace railwright::topologies
