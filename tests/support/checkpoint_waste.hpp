// SPDX-License-Identifier: Apache-2.0
// What a checkpoint interval loses, in the formulas of the papers that its optimum is held against.
#pragma once

#include <algorithm>

#include "railwright/core/units/quantity.hpp"

namespace railwright::models {

/// Computes the share of the time that is lost, to first order [@young1974]: d / tau for
/// checkpoints, plus (tau / 2 + R) / M for lost training and restarts.
inline double expected_waste(core::Duration interval, core::Duration write, core::Duration restart,
                             core::Duration mtti) {
  return write / interval + (interval / 2.0 + restart) / mtti;
}

/// Computes effective training time over the time that a job holds its nodes
/// [@kokolis2024revisiting]: (1 - (u + dt / 2) / M) / (1 + w / dt), u = restart, dt = interval,
/// w = write.
inline double effective_training_time_ratio(core::Duration interval, core::Duration write,
                                            core::Duration restart, core::Duration mtti) {
  const double lost = (restart + interval / 2.0) / mtti;
  return std::max(0.0, 1.0 - lost) / (1.0 + write / interval);
}

}  // namespace railwright::models
