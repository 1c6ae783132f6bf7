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
/// what a cache of each size would find, as `inference.prefix_cache`.
std::vector<RequestOfTrace> read_mooncake(std::string_view text, Findings& findings);

}  // namespace railwright::importers
