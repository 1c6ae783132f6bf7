// SPDX-License-Identifier: Apache-2.0
// The JSON Schema of a scenario file, made from what the code reads.
#pragma once

#include <string>

#include "railwright/core/config/catalogue.hpp"

namespace railwright::output {

/// JSON Schema, draft 2020-12, of the kinds of scenario, told apart by the keys `benchmark` and
/// `inference`: types,
/// ranges, choices, units, and the catalogue's names as examples. A file with `include` may leave
/// out what the included files hold.
std::string scenario_schema(const core::Catalogue& catalogue);

}  // namespace railwright::output
