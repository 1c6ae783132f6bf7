// SPDX-License-Identifier: Apache-2.0
// FLOP and bytes do not add.
#include "railwright/core/units/quantity.hpp"

using namespace railwright::core;  // NOLINT(google-build-using-namespace)

constexpr auto kWork = Work::from_base(1.0);
#ifdef WRONG
constexpr auto kSum = kWork + DataSize::from_base(2.0);
#else
constexpr auto kSum = kWork + Work::from_base(2.0);
#endif
