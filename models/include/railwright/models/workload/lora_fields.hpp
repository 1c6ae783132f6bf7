// SPDX-License-Identifier: Apache-2.0
// The keys of lora.hpp.
#pragma once

#include "railwright/core/config/fields.hpp"
#include "railwright/models/workload/lora.hpp"

namespace railwright::models {

constexpr auto Lora::fields() {
  using core::field;
  return core::field_list(
      field("rank", &Lora::rank, "Width between the two matrices of an adapter.",
            core::between(1, 65536)),
      field("targets", &Lora::targets, "Matrices that have an adapter.", core::optional),
      field("base", &Lora::base,
            "How the frozen matrices of layers are kept: whole, or in four bits (nf4), as QLoRA "
            "does.",
            core::optional));
}

}  // namespace railwright::models
