// SPDX-License-Identifier: Apache-2.0
// Reads and writes of storage over time, as tables.
#pragma once

#include <ostream>
#include <string>

#include "railwright/simulation/run/run.hpp"

namespace railwright::output {

/// Writes a header and a line per time bin: rates in bytes/s, operations/s, loads from 0 to 1,
/// bytes.
void write_load_csv(std::ostream& out, const simulation::StorageRun& storage);
/// Returns the columns of write_load_csv(), each as a list.
std::string load_json(const simulation::StorageRun& storage);

}  // namespace railwright::output
