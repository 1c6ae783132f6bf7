// SPDX-License-Identifier: Apache-2.0
// A price is multiplied by a count, never by a price.
#include "railwright/core/units/quantity.hpp"

using namespace railwright::core;  // NOLINT(google-build-using-namespace)

constexpr auto kPrice = Money::from_base(10.0);
#ifdef WRONG
constexpr Money kTotal = kPrice * Money::from_base(4.0);
#else
constexpr Money kTotal = kPrice * 4.0;
#endif
