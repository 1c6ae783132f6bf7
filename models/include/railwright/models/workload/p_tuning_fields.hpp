// SPDX-License-Identifier: Apache-2.0
// The keys of p_tuning.hpp.
#pragma once

#include "railwright/core/config/fields.hpp"
#include "railwright/models/workload/p_tuning.hpp"

namespace railwright::models {

constexpr auto PTuning::fields() {
  using core::between;
  using core::field;
  return core::field_list(
      field("virtual_tokens", &PTuning::virtual_tokens, "Virtual tokens of a sequence.",
            between(1, 1e6)),
      field("encoder", &PTuning::encoder, "What makes their embeddings.", core::optional),
      field("encoder_size", &PTuning::encoder_size, "Width between its layers.",
            between(1, 1 << 20)),
      field("num_layers", &PTuning::num_layers, "Its layers, of an MLP at least two.",
            between(1, 1000), core::optional));
}

}  // namespace railwright::models
