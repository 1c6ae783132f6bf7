// SPDX-License-Identifier: Apache-2.0
// What storage sees of a run, for people.
#pragma once

#include <string>

#include "railwright/simulation/run/run.hpp"

namespace railwright::output {

/// A line a fact.
std::string storage_text(const simulation::StorageRun& storage);

}  // namespace railwright::output
