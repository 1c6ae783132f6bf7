// SPDX-License-Identifier: Apache-2.0
// `calibrate`: turns fio's measurements on a client of a file system into settings. [@fio]
#pragma once

#include <string>
#include <vector>

#include "railwright/core/units/quantity.hpp"

namespace railwright::validation {

struct FioDirection {
  core::Bandwidth rate;  ///< zero if nothing was transferred
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

/// Returns settings of a scenario for what one client measured. The jobs of a direction together
/// give the limit of the client's mount; a job of one stream also gives the rate of a checkpoint
/// writer or reader. An installation has no place for storage.
std::vector<std::string> settings_of(const FioReport& report);

}  // namespace railwright::validation
