// SPDX-License-Identifier: Apache-2.0
// What storage sees of a run, for people.
#pragma once

#include <string>

#include "railwright/planner/run/run.hpp"

namespace railwright::planner {

/// A line a fact.
std::string storage_text(const StorageRun& storage);

}  // namespace railwright::planner
