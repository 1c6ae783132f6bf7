// SPDX-License-Identifier: Apache-2.0
// Load of the storage over time as a table.
#pragma once

#include <iosfwd>

#include "railwright/planner/run/run.hpp"

namespace railwright::planner {

/// A line a bin: its start in seconds, mean and peak rates in bytes/s.
void write_load_csv(std::ostream& out, const StorageRun& storage);

}  // namespace railwright::planner
