// SPDX-License-Identifier: Apache-2.0
// Seconds and bytes have no order.
#include "railwright/core/units/quantity.hpp"

using namespace railwright::core;  // NOLINT(google-build-using-namespace)

constexpr auto kTime = Duration::from_base(3.0);
#ifdef WRONG
constexpr bool kLess = kTime < DataSize::from_base(4.0);
#else
constexpr bool kLess = kTime < Duration::from_base(4.0);
#endif
