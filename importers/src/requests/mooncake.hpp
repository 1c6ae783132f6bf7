// SPDX-License-Identifier: Apache-2.0
// Mooncake's traces: a line of JSON for each request, with the blocks of its prompt.
#pragma once

#include <string_view>
#include <vector>

#include "../common/findings.hpp"
#include "../common/trace_part.hpp"

namespace railwright::importers {

bool is_mooncake(std::string_view text);

/// Reads `timestamp` in milliseconds, `input_length` and `output_length`. Counts from `hash_ids`
/// what an endless cache would find, which is said and not taken.
std::vector<RequestOfTrace> read_mooncake(std::string_view text, Findings& findings);

}  // namespace railwright::importers
