// SPDX-License-Identifier: Apache-2.0
// Power over a time is energy.
#include "railwright/core/units/quantity.hpp"

using namespace railwright::core;  // NOLINT(google-build-using-namespace)

constexpr auto kPower = Power::from_base(700.0);
#ifdef WRONG
constexpr Power kUsed = kPower * Duration::from_base(10.0);
#else
constexpr Energy kUsed = kPower * Duration::from_base(10.0);
#endif
