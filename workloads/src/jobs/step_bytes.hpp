// SPDX-License-Identifier: Apache-2.0
// Bytes that the step of a job puts on links that others use too.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "railwright/core/fabric/fabric.hpp"

namespace railwright::simulation {

/// Bytes on a link between switches, named by its index among those of its fabric.
struct SwitchLinkBytes {
  std::size_t index = 0;
  double bytes = 0.0;
};

/// Bytes of a step, whichever fabric holds the job: that of its nodes alone or of all nodes. Both
/// have the same links between switches in the same order.
struct StepBytes {
  std::vector<std::array<double, 2>> nics;  ///< sent and received, by NIC and cable of the nodes
  std::vector<SwitchLinkBytes> between_switches;  ///< of links that carry any
};

/// Returns both directions of all links between switches, in the order in which they were cabled.
std::vector<core::LinkId> links_between_switches(const core::Fabric& fabric);

/// Returns the bytes from those by link of a fabric with the job's nodes alone; none from none.
StepBytes step_bytes(const core::Fabric& part, std::span<const double> link_bytes);

/// Returns the bytes by link of the fabric of all nodes, for those from `first_node` on; empty if a
/// step puts none on any.
std::vector<double> link_bytes(const core::Fabric& whole, int first_node, const StepBytes& bytes);

}  // namespace railwright::simulation
