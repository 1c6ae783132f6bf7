// SPDX-License-Identifier: Apache-2.0
// Spare nodes that failures of a run call for.
#pragma once

#include "railwright/simulation/run/run.hpp"

namespace railwright::simulation {

struct Scenario;

/// Counts the spares such that with a chance of 95 % no more nodes are under repair at a time. That
/// number is Poisson with the rate of failures of nodes and their parts in the run, times the
/// repair time, as its mean [@barlow1965]. 0 without failures.
int spares_for(const Scenario& scenario, const JobRun& run);

}  // namespace railwright::simulation
