// SPDX-License-Identifier: Apache-2.0
// `calibrate`: what fio measured of a client of a file system, as settings of a scenario. [@fio]
#pragma once

#include <string>
#include <vector>

#include "railwright/core/units/quantity.hpp"

namespace railwright::validation {

struct FioDirection {
  core::Bandwidth rate;  ///< none where nothing was transferred
  double operations_per_s = 0.0;
  core::Duration latency;  ///< mean of a request, from submission to completion
};

struct FioJob {
  std::string name;
  int num_streams = 1;  ///< processes times their queue depth
  FioDirection read;
  FioDirection write;
};

struct FioReport {
  std::vector<FioJob> jobs;
};

/// Settings that say in a scenario what was measured on one client: all jobs of a direction
/// together as the ceiling of the client's mount; a job of one stream also as the rate of a
/// checkpoint writer or reader. An installation has no place for storage.
std::vector<std::string> settings_of(const FioReport& report);

}  // namespace railwright::validation
