// SPDX-License-Identifier: Apache-2.0
// Bytes divided by FLOP/s are no time.
#include "railwright/core/units/quantity.hpp"

using namespace railwright::core;  // NOLINT(google-build-using-namespace)

constexpr auto kRate = ComputeRate::from_base(2.0);
#ifdef WRONG
constexpr Duration kTime = DataSize::from_base(4.0) / kRate;
#else
constexpr Duration kTime = Work::from_base(4.0) / kRate;
static_assert(kTime.base() == 2.0);
#endif
