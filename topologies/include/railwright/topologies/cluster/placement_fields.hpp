// SPDX-License-Identifier: Apache-2.0
// The keys of placement.hpp.
#pragma once

#include "railwright/core/config/fields.hpp"
#include "railwright/topologies/cluster/placement.hpp"

namespace railwright::topologies {

constexpr auto Placement::fields() {
  using core::field;
  return core::field_list(
      field("order", &Placement::order,
            "packed: side by side in the order of ranks; scattered: at random places.",
            core::optional),
      field("of_nodes", &Placement::of_nodes,
            "Nodes that are cabled to the fabric, the job's among them; others take ports and "
            "carry nothing. The job's alone where absent.",
            core::between(0, 65536), core::optional),
      field("seed", &Placement::seed,
            "Seed of the draws of places. A step is the mean over draws, the same ones on every "
            "fabric.",
            core::optional));
}

}  // namespace railwright::topologies
