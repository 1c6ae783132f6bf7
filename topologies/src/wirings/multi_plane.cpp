// SPDX-License-Identifier: Apache-2.0
#include "railwright/topologies/wirings/multi_plane.hpp"

#include <fmt/format.h>

#include "../assembly/scale_out.hpp"
#include "../bill/parts.hpp"

namespace railwright::topologies {

void MultiPlane::wire(ScaleOutBuilder& builder) const {
  const int ports = builder.cables_per_nic();
  const int needed = ceil_div(ports, config_.planes) * config_.planes;
  require(builder.parts(),
          fmt::format("{} planes need a multiple of {} NIC ports an accelerator; it has {}",
                      config_.planes, config_.planes, ports),
          needed, ports, "node");
  for (int p = 0; p < config_.planes; ++p) {
    builder.begin_plane(p, config_.planes);
    plane_->wire(builder);
  }
}

}  // namespace railwright::topologies
