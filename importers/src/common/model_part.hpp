// SPDX-License-Identifier: Apache-2.0
// The shape of a transformer as a part of a scenario.
#pragma once

#include <string>

#include "findings.hpp"
#include "railwright/models/workload/transformer.hpp"

namespace railwright::importers {

/// Writes every key, with null where it has no value, so that no value of a base model remains.
core::Node complete_node(const models::Transformer& model);

/// Whether the model's parameters can be counted: fewer than 1e18.
bool is_countable(const models::Transformer& model);

/// "6.74 billion parameters (6,738,415,616)".
std::string in_words(std::int64_t parameters);

}  // namespace railwright::importers
