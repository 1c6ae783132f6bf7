// SPDX-License-Identifier: Apache-2.0
// Keys of config.json that were not read.
#pragma once

#include <string_view>

#include "../common/tree_values.hpp"
#include "railwright/models/workload/transformer.hpp"

namespace railwright::importers {

/// Notes layers that are local or not in another order than the description has them.
void check_layer_types(const models::Transformer& model, TreeValues& config, Findings& findings);

/// Names what was not read and may change parameters, time or memory. `text` is the text model's
/// part of `document`.
void add_unread(const core::Node& document, const core::Node& text, std::string_view type,
                TreeValues& config, Findings& findings);

}  // namespace railwright::importers
