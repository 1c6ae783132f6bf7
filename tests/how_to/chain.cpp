// SPDX-License-Identifier: Apache-2.0
#include "chain.hpp"

#include "../../topologies/src/assembly/scale_out.hpp"

namespace railwright::topologies {

void Chain::wire(ScaleOutBuilder& builder) const {
  int last = -1;
  for (int node = 0; node < builder.cluster().num_nodes; ++node) {
    const int next = builder.add_switch(config_.switch_model, Level::kLeaf);
    builder.connect_node(node, next);
    if (last >= 0) builder.connect_switches(last, next, config_.links);
    last = next;
  }
}

}  // namespace railwright::topologies
