// SPDX-License-Identifier: Apache-2.0
// The keys of variant.hpp.
#pragma once

#include "railwright/core/config/fields.hpp"
#include "railwright/simulation/scenario/variant.hpp"

namespace railwright::simulation {

constexpr auto Variation::fields() {
  return core::field_list(
      core::field("key", &Variation::key, "Dotted path of the key that varies."),
      core::field("values", &Variation::values, "Its values, in the order they are shown."));
}

constexpr auto Variant::fields() {
  return core::field_list(core::field("name", &Variant::name, "The variant in a few words."),
                          core::field("set", &Variant::set, "Settings `path=value`."));
}

}  // namespace railwright::simulation
