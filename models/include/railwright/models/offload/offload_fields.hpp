// SPDX-License-Identifier: Apache-2.0
// The keys of offload.hpp.
#pragma once

#include "railwright/core/config/fields.hpp"
#include "railwright/models/offload/offload.hpp"
#include "railwright/models/offload/tier_fields.hpp"

namespace railwright::models {

constexpr auto Offload::fields() {
  using core::field;
  return core::field_list(
      field("optimizer", &Offload::optimizer,
            "Tier of optimizer state and gradients, by catalogue name; the processors of a node "
            "then step its optimizer."),
      field("parameters", &Offload::parameters,
            "Tier of the 16-bit parameters, by catalogue name; each layer comes from there before "
            "each pass."),
      field("activations", &Offload::activations,
            "Tier of what layers keep for their backward passes, by catalogue name. Goes there "
            "while a layer's forward pass runs, and comes back while its backward pass does."),
      field("activation_share", &Offload::activation_share,
            "Share of these activations that goes to their tier; where whole layers go, their "
            "share of all layers.",
            core::fraction, core::optional));
}

}  // namespace railwright::models
