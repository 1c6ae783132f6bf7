// SPDX-License-Identifier: Apache-2.0
// A value that may be missing, as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "railwright/core/units/quantity.hpp"

namespace railwright::output {

/// Returns the value, in SI units if it has a dimension; null if there is none.
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
