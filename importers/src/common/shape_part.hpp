// SPDX-License-Identifier: Apache-2.0
// Adds the shape of a transformer that a configuration tells key by key.
#pragma once

#include <string>
#include <string_view>

#include "findings.hpp"
#include "railwright/models/workload/transformer.hpp"

namespace railwright::importers {

struct TransformerShape {
  models::Transformer model;
  bool has_vocabulary = true;
  std::string assumption;  ///< in front of the count of parameters; "" where all is told
};

/// Adds workload.model: whole with a vocabulary, else key by key. Reports a problem where the shape
/// contradicts itself.
void add_shape(const TransformerShape& shape, std::string_view program, Findings& findings);

}  // namespace railwright::importers
