// SPDX-License-Identifier: Apache-2.0
// Bytes are no bytes per second.
#include "railwright/core/units/quantity.hpp"

using namespace railwright::core;  // NOLINT(google-build-using-namespace)

constexpr auto kSize = DataSize::from_base(3.0);
#ifdef WRONG
constexpr Bandwidth kRate = kSize;
#else
constexpr Bandwidth kRate = kSize / Duration::from_base(1.0);
#endif
