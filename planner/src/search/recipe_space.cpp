// SPDX-License-Identifier: Apache-2.0
#include "recipe_space.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <numeric>

#include "divisors.hpp"
#include "railwright/simulation/scenario/scenario.hpp"

namespace railwright::planner {

std::vector<std::string> recipe_space(const simulation::Scenario& scenario) {
  const models::Parallelism& parallelism = scenario.parallelism;
  std::vector<std::string> settings{
      fmt::format("search.rank_order=[{}]", parallelism.rank_order),
      fmt::format("search.zero_stage=[{}]", scenario.software.zero_stage.value)};
  if (models::vision_of(scenario.workload) != nullptr) return settings;
  constexpr int kMaxChunks = 12;
  const int in_node = scenario.cluster.node.num_accelerators.value;
  settings.push_back(fmt::format("search.tp=[{}]", fmt::join(divisors(in_node), ", ")));
  if (!parallelism.schedule->interleaves || !parallelism.layers_per_chunk.empty()) return settings;
  std::vector<int> chunks(kMaxChunks);
  std::iota(chunks.begin(), chunks.end(), 1);
  settings.push_back(fmt::format("search.virtual_stages=[{}]", fmt::join(chunks, ", ")));
  if (parallelism.embedding_as_layer || parallelism.loss_as_layer) return settings;
  settings.emplace_back(
      "search.variants=[{name: layers alone, set: []}, {name: embedding and loss as layers, set: "
      "[parallelism.embedding_as_layer=true, parallelism.loss_as_layer=true]}]");
  return settings;
}

}  // namespace railwright::planner
