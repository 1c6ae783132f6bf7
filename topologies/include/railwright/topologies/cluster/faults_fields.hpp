// SPDX-License-Identifier: Apache-2.0
// The keys of faults.hpp.
#pragma once

#include "railwright/core/config/fields.hpp"
#include "railwright/topologies/cluster/faults.hpp"

namespace railwright::topologies {

constexpr auto FailedNic::fields() {
  return core::field_list(
      core::field("node", &FailedNic::node, "Index of the node, from 0.", core::at_least(0)),
      core::field("nic", &FailedNic::nic, "Index of its NIC, from 0.", core::at_least(0)));
}

constexpr auto FailedLink::fields() {
  return core::field_list(
      core::field("from", &FailedLink::from, "Label of one end: \"leaf 3\", \"storage node 0\"."),
      core::field("to", &FailedLink::to, "Label of the other: \"spine 1\"."));
}

constexpr auto SlowNode::fields() {
  return core::field_list(
      core::field("node", &SlowNode::node, "Index of the node, from 0.", core::at_least(0)),
      core::field("speed", &SlowNode::speed, "Share of its full speed.", core::fraction));
}

constexpr auto Faults::fields() {
  using core::field;
  return core::field_list(
      field("nics", &Faults::nics, "Scale-out NICs that are down.", core::optional),
      field("switches", &Faults::switches, "Labels of switches that are down: \"leaf 3\".",
            core::optional),
      field("links", &Faults::links, "Cables that are down.", core::optional),
      field("nodes_slow", &Faults::nodes_slow, "Nodes that compute slower.", core::optional));
}

}  // namespace railwright::topologies
