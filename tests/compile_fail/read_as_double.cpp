// SPDX-License-Identifier: Apache-2.0
// A quantity does not turn into a number by itself.
#include "railwright/core/units/quantity.hpp"

using namespace railwright::core;  // NOLINT(google-build-using-namespace)

constexpr auto kTime = Duration::from_base(3.0);
#ifdef WRONG
constexpr double kSeconds = kTime;
#else
constexpr double kSeconds = kTime.base();
#endif
