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

  static constexpr auto fields() {
    return core::field_list(
        core::field("node", &FailedNic::node, "Index of the node, from 0.", core::at_least(0)),
        core::field("nic", &FailedNic::nic, "Index of its NIC, from 0.", core::at_least(0)));
  }
};

/// A cable, or bundle of cables, that is down.
struct FailedLink {
  std::string from;
  std::string to;

  static constexpr auto fields() {
    return core::field_list(
        core::field("from", &FailedLink::from, "Label of one end: \"leaf 3\", \"storage node 0\"."),
        core::field("to", &FailedLink::to, "Label of the other: \"spine 1\"."));
  }
};

/// A node whose accelerators compute slower than they should.
struct SlowNode {
  int node = 0;
  double speed = 1.0;

  static constexpr auto fields() {
    return core::field_list(
        core::field("node", &SlowNode::node, "Index of the node, from 0.", core::at_least(0)),
        core::field("speed", &SlowNode::speed, "Share of its full speed.", core::fraction));
  }
};

struct Faults {
  std::vector<FailedNic> nics;
  std::vector<std::string> switches;
  std::vector<FailedLink> links;
  std::vector<SlowNode> nodes_slow;

  [[nodiscard]] bool empty() const {
    return nics.empty() && switches.empty() && links.empty() && nodes_slow.empty();
  }

  static constexpr auto fields() {
    using core::field;
    return core::field_list(
        field("nics", &Faults::nics, "Scale-out NICs that are down.", core::optional),
        field("switches", &Faults::switches, "Labels of switches that are down: \"leaf 3\".",
              core::optional),
        field("links", &Faults::links, "Cables that are down.", core::optional),
        field("nodes_slow", &Faults::nodes_slow, "Nodes that compute slower.", core::optional));
  }
};

}  // namespace railwright::topologies
