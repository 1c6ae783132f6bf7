// SPDX-License-Identifier: Apache-2.0
// Devices of a cluster that are broken or slow from the start.
#pragma once

#include <string>
#include <vector>

#include "railwright/core/config/fields.hpp"

namespace railwright::topologies {

/// A scale-out NIC that is down.
struct FailedNic {
  int node = 0;
  int nic = 0;

  static constexpr auto fields();
};

/// A cable, or bundle of cables, that is down.
struct FailedLink {
  std::string from;
  std::string to;

  static constexpr auto fields();
};

/// A node whose accelerators compute slower than they should.
struct SlowNode {
  int node = 0;
  double speed = 1.0;

  static constexpr auto fields();
};

struct Faults {
  std::vector<FailedNic> nics;
  std::vector<std::string> switches;
  std::vector<FailedLink> links;
  std::vector<SlowNode> nodes_slow;

  [[nodiscard]] bool empty() const {
    return nics.empty() && switches.empty() && links.empty() && nodes_slow.empty();
  }

  static constexpr auto fields();
};

}  // namespace railwright::topologies
