// SPDX-License-Identifier: Apache-2.0
// The places of a fabric's devices on the floor.
#pragma once

#include <vector>

#include "railwright/core/fabric/fabric.hpp"
#include "railwright/topologies/cluster/cluster.hpp"

namespace railwright::topologies {

class Floor {
 public:
  Floor(const core::Fabric& fabric, const Cluster& cluster);

  /// Returns the length of cable that a link takes, in metres.
  [[nodiscard]] double cable_length(const core::Link& link) const;

 private:
  struct Place {
    double x = 0.0;
    double y = 0.0;
    int below = 0;  ///< cables of a switch towards the hosts
  };

  [[nodiscard]] Place place_in_rack(int rack) const;
  void place_switches(const core::Fabric& fabric);
  Place& at(core::VertexId v) { return places_[static_cast<std::size_t>(v)]; }

  int racks_per_row_;
  std::vector<Place> places_;  // by vertex
};

}  // namespace railwright::topologies
