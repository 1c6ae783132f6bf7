// SPDX-License-Identifier: Apache-2.0
// Steps of jobs that run on two pools.
#pragma once

#include <span>
#include <vector>

#include "job_steps.hpp"
#include "placed_jobs.hpp"
#include "railwright/workloads/jobs/jobs.hpp"

namespace railwright::simulation {

/// Gives both parts of each job on two pools the time of its step, and returns how it is divided.
/// With m_p micro-batches for each of the r_p replicas in pool p,
///
///     step = max over p of T_p(m_p) + G / min(B, N_p)
///
/// T_p is the time of the part by itself, at the pace that the jobs beside it leave; G the bytes of
/// the gradients of the whole model, which each pool sums among its own replicas first and then
/// sends to the other while it receives the other's; B `between_pools`, N_p what the NICs of the
/// part's nodes send. Even: m_p = global batch / replicas of both. Balanced: the m_p that make the
/// step shortest of those with sum r_p m_p = micro-batches of the global batch, and of which each
/// part has a schedule. The exchange hides behind nothing.
std::vector<DividedStep> divide_steps(const CheckedJobs& checked, std::span<const PlacedJob> placed,
                                      const SimulateOptions& options, std::vector<JobStep>& steps);

}  // namespace railwright::simulation
