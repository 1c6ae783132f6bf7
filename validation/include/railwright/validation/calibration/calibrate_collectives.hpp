// SPDX-License-Identifier: Apache-2.0
// `calibrate`: fits the NIC efficiency of an installation to measured collectives.
#pragma once

#include <vector>

#include "railwright/validation/calibration/calibrate_site.hpp"
#include "railwright/workloads/collective_benchmark/collective_benchmark.hpp"

namespace railwright::validation {

struct MeasuredCall {
  core::DataSize size;
  core::Duration time;
};

/// Fits nic_efficiency by least squares of ln(predicted / measured) to calls of the benchmark's
/// operation. Uses only calls in which the NICs take more than half of the time. Smaller ones show
/// the latency, for which an installation has no number; a note says how far they are off. No step
/// was measured, so the interval is that of a site nobody measured (installation `neutral`).
/// Refuses if no call can be used.
SiteFit calibrate_collectives(const simulation::CheckedBenchmark& checked,
                              const std::vector<MeasuredCall>& calls,
                              const core::Catalogue& catalogue);

}  // namespace railwright::validation
