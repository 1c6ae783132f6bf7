// SPDX-License-Identifier: Apache-2.0
// Storage load of a run, as text.
#pragma once

#include <span>
#include <string>

#include "railwright/simulation/run/run.hpp"

namespace railwright::output {

/// Returns one line per fact.
std::string storage_text(const simulation::StorageRun& storage);
/// Returns one line per target.
std::string needs_text(std::span<const simulation::StorageNeed> needs);

}  // namespace railwright::output
