// SPDX-License-Identifier: Apache-2.0
// The table of schedules. The first is the default.
#include "dualpipe.hpp"
#include "gpipe.hpp"
#include "one_f_one_b.hpp"
#include "railwright/models/parallelism/schedule_kind.hpp"
#include "zb_h1.hpp"

namespace railwright::models {

namespace {

constexpr ScheduleKind kSchedules[] = {
    kOneFOneB,
    kGpipe,
    kZbH1,
    kDualPipe,
};

}  // namespace

std::span<const ScheduleKind> ScheduleKind::table() { return kSchedules; }

}  // namespace railwright::models
