// SPDX-License-Identifier: Apache-2.0
// What storage reads and writes over time, as tables.
#pragma once

#include <ostream>
#include <string>

#include "railwright/simulation/run/run.hpp"

namespace railwright::output {

/// A header and a line for each bin: rates in bytes/s, operations/s, loads from 0 to 1, bytes.
void write_load_csv(std::ostream& out, const simulation::StorageRun& storage);
/// The same columns, each a list.
std::string load_json(const simulation::StorageRun& storage);

}  // namespace railwright::output
