// SPDX-License-Identifier: Apache-2.0
#include "front_end_switches.hpp"

#include <fmt/format.h>

#include <optional>

#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/with_settings.hpp"

namespace railwright::planner {

namespace {

std::optional<core::Shortfall> shortfall_of(const simulation::CheckedCluster& made) {
  const core::PartsList parts = made.topology->build(made.cluster).parts;
  if (parts.shortfalls.empty()) return {};
  return parts.shortfalls.front();
}

}  // namespace

FrontEndSwitches front_end_switches(const core::Node& tree, const core::Catalogue& catalogue) {
  constexpr int kMaxSwitches = 64;
  const simulation::CheckedCluster given = simulation::read_cluster(tree, catalogue);
  auto missing = shortfall_of(given);
  FrontEndSwitches made;
  const auto& storage = given.cluster.storage;
  const bool has_front_end = storage && storage->front_end_switch;
  int count = has_front_end ? storage->num_switches : 0;
  while (missing && has_front_end && count < kMaxSwitches) {
    const std::string setting = fmt::format("cluster.storage.num_switches={}", ++count);
    const auto still = shortfall_of(
        simulation::read_cluster(simulation::with_settings(tree, {setting}), catalogue));
    const bool helps =
        !still || still->needed < missing->needed || still->available > missing->available;
    if (!helps) break;
    made.settings = {setting};
    missing = still;
  }
  if (missing) made.missing = missing->what;
  return made;
}

}  // namespace railwright::planner
