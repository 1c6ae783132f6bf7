// SPDX-License-Identifier: Apache-2.0
// A fabric's bill as text and JSON.
#pragma once

#include <string>

#include "railwright/output/words/table.hpp"
#include "railwright/simulation/results/topology.hpp"

namespace railwright::output {

std::string to_text(const simulation::TopologyResult& result, const TextStyle& style = {});
std::string to_json(const simulation::TopologyResult& result);

}  // namespace railwright::output
