// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <fmt/format.h>

#include "railwright/simulation/scenario/scenario.hpp"

namespace railwright::planner {

namespace {

/// Combines every option with every alternative.
void multiply(std::vector<SizeOption>& options, const std::vector<SizeOption>& alternatives) {
  if (alternatives.empty()) return;
  std::vector<SizeOption> more;
  for (const SizeOption& option : options) {
    for (const SizeOption& alternative : alternatives) {
      SizeOption& made = more.emplace_back(option);
      if (!made.name.empty()) made.name += ", ";
      made.name += alternative.name;
      made.settings.insert(made.settings.end(), alternative.settings.begin(),
                           alternative.settings.end());
    }
  }
  options = std::move(more);
}

/// Returns an alternative for each name; `all` stands for every entry of the catalogue.
std::vector<SizeOption> named(const std::vector<std::string>& names, const std::string& kind,
                              const std::string& path, const core::Catalogue& catalogue) {
  std::vector<SizeOption> alternatives;
  for (const std::string& name : names) {
    for (const std::string& one : name == "all" ? catalogue.names(kind) : std::vector{name}) {
      alternatives.push_back({one, {fmt::format("{}={}", path, one)}});
    }
  }
  return alternatives;
}

}  // namespace

std::vector<SizeOption> size_options(const simulation::Scenario& scenario,
                                     const core::Catalogue& catalogue) {
  const simulation::AllowedParts& parts = scenario.goals->parts;
  std::vector<SizeOption> options(1);
  multiply(options, named(parts.nodes, "nodes", "cluster.node.model", catalogue));
  std::vector<SizeOption> nics;
  for (const int count : parts.nics) {
    nics.push_back(
        {fmt::format("{} NICs", count), {fmt::format("cluster.node.nics.count={}", count)}});
  }
  multiply(options, nics);
  multiply(options, named(parts.storage_nodes, "storage_nodes", "cluster.storage.node", catalogue));
  std::vector<SizeOption> variants;
  for (const simulation::Variant& variant : parts.variants)
    variants.push_back({variant.name, variant.set});
  multiply(options, variants);
  if (options.size() == 1 && options.front().name.empty())
    options.front().name = scenario.cluster.node.name;
  return options;
}

}  // namespace railwright::planner
