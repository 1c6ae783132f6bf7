// SPDX-License-Identifier: Apache-2.0
// Where the devices of a fabric stand.
#pragma once

#include <vector>

#include "railwright/core/fabric/fabric.hpp"
#include "railwright/topologies/cluster/cluster.hpp"

namespace railwright::topologies {

class Floor {
 public:
  Floor(const core::Fabric& fabric, const Cluster& cluster);

  /// Metres of cable that a link takes.
  [[nodiscard]] double cable_length(const core::Link& link) const;

 private:
  struct Place {
    double x = 0.0;
    double y = 0.0;
    int below = 0;  ///< cables towards the hosts, of a switch
  };

  [[nodiscard]] Place place_in_rack(int rack) const;
  void place_switches(const core::Fabric& fabric);
  Place& at(core::VertexId v) { return places_[static_cast<std::size_t>(v)]; }

  FloorLayout layout_;
  std::vector<Place> places_;  // by vertex
};

}  // namespace railwright::topologies
