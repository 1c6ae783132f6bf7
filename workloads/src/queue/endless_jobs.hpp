// SPDX-License-Identifier: Apache-2.0
// Whether failures leave the jobs of a queue time to end.
#pragma once

#include <string>

#include "railwright/workloads/queue/queue.hpp"
#include "scheduler.hpp"

namespace railwright::simulation {

/// Says which jobs are expected to take more than models::kPatience times their time even at the
/// lowest rate of failures, or that more failures are expected than a schedule follows; empty if
/// neither is so. All jobs must fit the cluster.
std::string endless_jobs(const CheckedQueue& checked);

/// Says why a schedule did not come to its end; empty if it did.
std::string unfinished_schedule(const CheckedQueue& checked, const ScheduleResult& schedule);

}  // namespace railwright::simulation
