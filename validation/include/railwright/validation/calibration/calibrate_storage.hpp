// SPDX-License-Identifier: Apache-2.0
// `calibrate`: turns what clients of a file system measured into settings.
#pragma once

#include <string>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/core/units/quantity.hpp"

namespace railwright::validation {

struct StorageDirection {
  core::Bandwidth rate;  ///< of all clients together; zero if nothing was transferred
  double operations_per_s = 0.0;
  core::Duration latency;  ///< mean of a request, from submission to completion; zero if not told
};

struct StorageJob {
  std::string name;
  int num_streams = 1;  ///< processes of all clients times their queue depth
  int num_clients = 1;  ///< nodes; 0 if not told
  StorageDirection read;
  StorageDirection write;
};

struct StorageReport {
  std::string tool = "fio";
  std::vector<StorageJob> jobs;
  std::vector<std::string> notes;
  std::vector<std::string> narrowed;  ///< settings of narrow_rates()
};

/// Returns settings of a scenario for what was measured. The jobs of one client together give the
/// limit of its mount; a job of one stream also gives the rate of a checkpoint writer or reader. Of
/// several clients the fastest job of a direction gives what a client reached. An installation has
/// no place for storage.
std::vector<std::string> settings_of(const StorageReport& report);

/// Adds settings of the rates of a scenario's storage nodes whose range in the catalogue begins
/// below what was measured, a node: these give at least that much. Each setting has the measured
/// rate and the rest of the range.
void narrow_rates(StorageReport& report, const core::Node& scenario,
                  const core::Catalogue& catalogue);

}  // namespace railwright::validation
