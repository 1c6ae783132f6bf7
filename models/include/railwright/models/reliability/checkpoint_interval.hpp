// SPDX-License-Identifier: Apache-2.0
// The time to train between checkpoints, in closed form.
#pragma once

#include "railwright/core/units/quantity.hpp"

namespace railwright::models {

/// Computes the training time between checkpoints that loses least, to first order [@young1974]:
/// sqrt(2 * write * mtti). `write` is the time that training waits for one checkpoint, `mtti` the
/// mean time to interruption.
core::Duration young_interval(core::Duration write, core::Duration mtti);

/// Computes this time to higher order [@daly2006], d = write and M = mtti:
/// sqrt(2 d M) * (1 + sqrt(d / (2 M)) / 3 + d / (18 M)) - d if d < 2 M, else M.
core::Duration daly_interval(core::Duration write, core::Duration mtti);

/// A job's time over its time without failures beyond which it is taken never to end: a choice.
inline constexpr double kPatience = 100.0;

/// Computes the mean time on its nodes of a job that computes for `work` and keeps what it has
/// computed every `interval`, at no cost [@daly2006]: exp(R / M) M (exp(tau / M) - 1) for each
/// interval tau and for the rest, where R is `restart` and M `mtti`.
core::Duration expected_time(core::Duration work, core::Duration interval, core::Duration restart,
                             core::Duration mtti);

}  // namespace railwright::models
