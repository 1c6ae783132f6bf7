// SPDX-License-Identifier: Apache-2.0
// `calibrate`: measured collectives in, the NIC efficiency of an installation out.
#pragma once

#include <vector>

#include "railwright/simulation/collective_benchmark/collective_benchmark.hpp"
#include "railwright/validation/calibration/calibrate_site.hpp"

namespace railwright::validation {

struct MeasuredCall {
  core::DataSize size;
  core::Duration time;
};

/// Fits nic_efficiency to calls of the benchmark's operation by least squares of
/// ln(predicted / measured). Only calls in which the NICs have more than half of the time count:
/// smaller ones tell the latency, for which an installation has no number; by how much they are off
/// is a note. The band is that of a site nobody measured (installation `neutral`), since no step
/// was. Refused where no call counts.
SiteFit calibrate_collectives(const simulation::CheckedBenchmark& checked,
                              const std::vector<MeasuredCall>& calls,
                              const core::Catalogue& catalogue);

}  // namespace railwright::validation
