// SPDX-License-Identifier: Apache-2.0
// Numbers of a result as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "railwright/core/parts_list.hpp"
#include "railwright/simulation/results/result_number.hpp"

namespace railwright::output {

/// Lists the parts: the kind, the name and the count of each.
nlohmann::ordered_json part_counts_json(const core::PartsList& parts);
/// Writes each number at its path.
void put(const std::vector<simulation::Output>& outputs, nlohmann::ordered_json& json);

}  // namespace railwright::output
