// SPDX-License-Identifier: Apache-2.0
// The shape of a transformer as a part of a scenario.
#pragma once

#include <string>

#include "findings.hpp"
#include "railwright/models/workload/transformer.hpp"

namespace railwright::importers {

/// Every key, with null where it has no value: nothing of a model beneath shines through.
core::Node complete_node(const models::Transformer& model);

/// Whether its parameters can be counted at all: fewer than 1e18.
bool is_countable(const models::Transformer& model);

/// "6.74 billion parameters (6,738,415,616)".
std::string in_words(std::int64_t parameters);

}  // namespace railwright::importers
