// SPDX-License-Identifier: Apache-2.0
// A value that may be missing, as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "railwright/core/units/quantity.hpp"

namespace railwright::output {

/// In SI where it has a unit; null where there is none.
template <class T, class Json = nlohmann::ordered_json>
Json optional_json(const std::optional<T>& value) {
  if (!value) return nullptr;
  if constexpr (core::IsQuantity<T>::value) {
    return value->base();
  } else {
    return *value;
  }
}

}  // namespace railwright::output
