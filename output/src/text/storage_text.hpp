// SPDX-License-Identifier: Apache-2.0
// Storage load of a run, as text.
#pragma once

#include <string>

#include "railwright/simulation/run/run.hpp"

namespace railwright::output {

/// Returns one line per fact.
std::string storage_text(const simulation::StorageRun& storage);

}  // namespace railwright::output
