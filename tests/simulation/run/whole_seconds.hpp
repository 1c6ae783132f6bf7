// SPDX-License-Identifier: Apache-2.0
// Clock times of the tests of a run's parts.
#pragma once

#include <cstdint>

#include "railwright/core/sim/time.hpp"

namespace railwright::simulation::replication {

inline core::RunTime at(std::int64_t seconds) { return {seconds * core::RunTime::kPerSecond}; }

}  // namespace railwright::simulation::replication
