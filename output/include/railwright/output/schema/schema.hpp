// SPDX-License-Identifier: Apache-2.0
// The JSON Schemas of a scenario file, generated from the keys that the code reads, and of results.
#pragma once

#include <string>
#include <string_view>

#include "railwright/core/config/catalogue.hpp"

namespace railwright::output {

/// Returns the JSON Schema (draft 2020-12) of every kind of scenario; the keys `benchmark`,
/// `inference` and `jobs` select the kind. It has types, ranges, choices, units, and the
/// catalogue's names as examples. In a file with `include` every key is optional.
std::string scenario_schema(const core::Catalogue& catalogue);

/// Returns the JSON Schema of every result of the commands, under `$defs` by its kind:
/// "simulation", "inference", "search" and so on. scripts/write_result_types.py writes it.
std::string_view results_schema();

}  // namespace railwright::output
