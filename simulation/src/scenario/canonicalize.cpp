// SPDX-License-Identifier: Apache-2.0
#include "railwright/simulation/scenario/canonicalize.hpp"

#include "railwright/core/config/describe.hpp"
#include "railwright/simulation/scenario/scenario.hpp"

namespace railwright::simulation {

namespace {

void settle_entries(core::Node& node, const core::Description& description) {
  if (!description.catalogue.empty() && node.find("model") != nullptr) {
    core::forget_other_model(node);
  }
  for (core::Entry& entry : node.entries) {
    if (const core::Description* key = description.find(entry.key)) {
      settle_entries(entry.value, *key);
    }
  }
}

}  // namespace

void settle(core::Node& scenario) { settle_entries(scenario, core::describe<Scenario>()); }

}  // namespace railwright::simulation
