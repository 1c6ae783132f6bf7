// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/search/automatic_division.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "railwright/core/config/reader.hpp"
#include "railwright/core/config/writer.hpp"
#include "railwright/planner/search/search.hpp"
#include "railwright/simulation/estimator/knobs.hpp"
#include "railwright/simulation/scenario/checked_cluster.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/with_settings.hpp"
#include "recipe_space.hpp"

namespace railwright::planner {

namespace {

/// Keys of `parallelism` that go with a division, besides the knobs that make it.
constexpr auto kOfDivision = std::to_array<std::string_view>(
    {"zero_group", "layers_per_chunk", "embedding_as_layer", "loss_as_layer"});

/// Sections that decide nothing about a division.
constexpr auto kOfRun = std::to_array<std::string_view>(
    {"name", "checkpoint", "reliability", "run", "prices", "power", "data"});
constexpr auto kStorage = std::to_array<std::string_view>({"storage"});
constexpr auto kSteps = std::to_array<std::string_view>({"steps"});

/// Sequences up to this length are not divided over ranks; longer ones may be. An estimate: recipes
/// of up to 16,384 tokens do without context parallelism or with 2.
constexpr std::int64_t kLongSequence = 16384;

/// Largest relative distance of a rounded batch from the workload's.
constexpr double kRounding = 0.1;

void erase_keys(core::Node* section, std::span<const std::string_view> keys) {
  if (section == nullptr) return;
  std::erase_if(section->entries, [&](const core::Entry& entry) {
    return std::ranges::find(keys, entry.key) != keys.end();
  });
}

/// Reads the workload's global batch; nothing without one. Throws ConfigError.
std::optional<std::int64_t> wanted_batch(const core::Node& tree, const core::Catalogue& catalogue) {
  const core::Node* workload = tree.find("workload");
  const core::Node* batch = workload == nullptr ? nullptr : workload->find("global_batch");
  if (batch == nullptr) return std::nullopt;
  core::Reader reader(&catalogue);
  std::int64_t wanted = 0;
  reader.read(*batch, "workload.global_batch", wanted, core::at_least(1));
  reader.throw_if_any();
  return wanted;
}

/// Returns the multiples of possible numbers of replicas that lie near `wanted`, the nearest first.
std::vector<std::int64_t> batches_near(std::int64_t wanted, int num_accelerators) {
  std::set<std::pair<std::int64_t, std::int64_t>> by_distance;
  for (std::int64_t dp = 1; dp <= num_accelerators; ++dp) {
    if (num_accelerators % dp != 0) continue;
    const std::int64_t batch = std::max<std::int64_t>((wanted + dp / 2) / dp, 1) * dp;
    const std::int64_t distance = std::abs(batch - wanted);
    if (static_cast<double>(distance) <= kRounding * static_cast<double>(wanted)) {
      by_distance.emplace(distance, batch);
    }
  }
  std::vector<std::int64_t> batches;
  for (const auto& [distance, batch] : by_distance) batches.push_back(batch);
  return batches;
}

/// Returns the value of a key as the only one of the search.
std::vector<std::string> kept_values(const core::Node& tree, const std::vector<std::string>& kept) {
  const auto is_searched = [](const std::string& path) {
    bool is_one = false;
    simulation::for_each_knob([&](const auto& knob) {
      is_one = is_one || (knob.key == path && simulation::divides(knob.kind));
    });
    return is_one;
  };
  std::vector<std::string> settings;
  for (const std::string& path : kept) {
    if (!is_searched(path)) continue;
    const core::Node* value = core::find_path(tree, path);
    if (value == nullptr) continue;
    settings.push_back(fmt::format("search.{}=[{}]", path.substr(path.find('.') + 1), value->text));
  }
  return settings;
}

SearchResult search_with(const core::Node& tree, const core::Catalogue& catalogue,
                         const std::vector<std::int64_t>& batches) {
  return search(simulation::with_settings(
                    tree, {fmt::format("search.global_batch=[{}]", fmt::join(batches, ", "))}),
                catalogue, {.num_best = 1, .num_simulated = 0});
}

core::Node without_division(core::Node tree) {
  erase_keys(tree.find("parallelism"), kOfDivision);
  simulation::for_each_knob([&](const auto& knob) {
    const bool is_of_division =
        simulation::divides(knob.kind) || knob.kind == simulation::KnobKind::kExpertSlices;
    if (!is_of_division) return;
    const std::string_view name = knob.name();
    erase_keys(tree.find(knob.section()), std::span(&name, 1));
  });
  return tree;
}

/// Returns the scenario without a division, and with a batch that is legal for all of them: one
/// sequence for each accelerator.
core::Node undivided(const core::Node& tree, const core::Catalogue& catalogue) {
  const topologies::Cluster cluster = simulation::read_cluster(tree, catalogue).cluster;
  const std::int64_t num_accelerators =
      std::int64_t{cluster.num_nodes} * cluster.node.num_accelerators.value;
  return simulation::with_settings(without_division(tree),
                                   {fmt::format("workload.global_batch={}", num_accelerators)});
}

}  // namespace

core::Node with_division(core::Node tree, const Division& division) {
  return simulation::with_settings(without_division(std::move(tree)), division.settings);
}

std::optional<Division> automatic_division(const core::Node& tree, const core::Catalogue& catalogue,
                                           const std::vector<std::string>& kept) {
  const std::optional<std::int64_t> wanted = wanted_batch(tree, catalogue);
  if (!wanted) return std::nullopt;  // the scenario's own problem says more
  core::Node free = undivided(tree, catalogue);
  const simulation::Scenario scenario = simulation::read_scenario(free, catalogue).scenario;
  if (!scenario.search) {
    std::vector<std::string> space = recipe_space(scenario);
    if (scenario.workload.sequence_length <= kLongSequence) space.emplace_back("search.cp=[1]");
    free = simulation::with_settings(std::move(free), space);
  }
  free = simulation::with_settings(std::move(free), kept_values(tree, kept));
  SearchResult found = search_with(free, catalogue, {*wanted});
  if (!found.feasible()) {
    const std::vector<std::int64_t> near = batches_near(*wanted, scenario.num_accelerators());
    if (!near.empty()) found = search_with(free, catalogue, near);
  }
  const SearchEntry* best = found.feasible()   ? &found.best.front()
                            : found.min_memory ? &*found.min_memory
                                               : nullptr;
  if (best == nullptr) return std::nullopt;
  Division division{.settings = best->settings,
                    .wanted_batch = *wanted,
                    .global_batch = best->configuration.global_batch};
  std::erase_if(division.settings, [](const std::string& setting) {
    return setting.starts_with("workload.global_batch=");
  });
  division.settings.push_back(fmt::format("workload.global_batch={}", division.global_batch));
  return division;
}

std::optional<Division> Divisions::find(const core::Node& tree, const core::Catalogue& catalogue,
                                        const std::vector<std::string>& kept) {
  constexpr std::size_t kMaxFound = 256;
  core::Node key = tree;
  erase_keys(&key, kOfRun);
  erase_keys(key.find("cluster"), kStorage);
  erase_keys(key.find("workload"), kSteps);
  const std::string text = fmt::format("{}\n{}", core::to_yaml(key), fmt::join(kept, " "));
  {
    const std::scoped_lock lock(mutex_);
    if (const auto known = found_.find(text); known != found_.end()) return known->second;
  }
  std::optional<Division> division = automatic_division(tree, catalogue, kept);
  const std::scoped_lock lock(mutex_);
  if (found_.size() >= kMaxFound) found_.clear();
  return found_.insert_or_assign(text, std::move(division)).first->second;
}

}  // namespace railwright::planner
