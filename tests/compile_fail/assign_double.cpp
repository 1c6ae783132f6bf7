// SPDX-License-Identifier: Apache-2.0
// A number has no unit until it is given one.
#include "railwright/core/units/quantity.hpp"

using namespace railwright::core;  // NOLINT(google-build-using-namespace)

#ifdef WRONG
constexpr Duration kTime = 3.0;
#else
constexpr Duration kTime = Duration::from_base(3.0);
#endif
