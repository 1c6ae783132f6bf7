// SPDX-License-Identifier: Apache-2.0
// The search space of published recipes.
#pragma once

#include <string>
#include <vector>

namespace railwright::simulation {
struct Scenario;
}  // namespace railwright::simulation

namespace railwright::planner {

/// Returns settings of `search` for a scenario without one. Tensor parallelism stays within a node,
/// a stage has at most 12 model chunks [@narayanan2021megatron], and embedding and loss may take
/// the place of layers, as in Llama 3.1's recipes.
std::vector<std::string> recipe_space(const simulation::Scenario& scenario);

}  // namespace railwright::planner
