// SPDX-License-Identifier: Apache-2.0
#include "changes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "railwright/core/config/reader.hpp"
#include "railwright/core/config/writer.hpp"
#include "railwright/models/software/profile_fields.hpp"
#include "railwright/simulation/scenario/scenario.hpp"

namespace railwright::planner {

namespace {

using models::SoftwareProfile;

constexpr std::string_view kSoftware = "software.";

/// Settings of a recipe whose values give the same training: kernels, launches, and when and in
/// which pieces bytes are sent. The others change formats, or memory against work, which
/// moves_for_speed() tries at all values.
constexpr auto kChoices = std::to_array<std::string_view>(
    {"attention", "elementwise", "fused_loss", "cuda_graphs", "bucket", "expert_dispatcher",
     "expert_kernels", "fused_permutation", "gradient_accumulation_fusion", "context_exchange",
     "overlap_context_parallel"});

bool is_choice(std::string_view key) {
  return key.starts_with(kSoftware) &&
         std::ranges::find(kChoices, key.substr(kSoftware.size())) != kChoices.end();
}

simulation::Change change_to(const simulation::UnstatedSetting& setting,
                             const simulation::OtherValue& other) {
  return {setting.setting(other), [key = setting.key.substr(kSoftware.size()),
                                   value = other.value](simulation::Scenario& scenario) {
            core::Reader reader;
            core::Node node = core::text_node(value);
            node.quoted = false;
            core::for_each_field<SoftwareProfile>([&](const auto& field) {
              if (field.name == key) reader.read(node, "", scenario.software.*(field.member));
            });
            reader.throw_if_any();
          }};
}

}  // namespace

std::vector<simulation::Change> changes_of_nics(const simulation::Scenario& scenario) {
  const topologies::Cluster& cluster = scenario.cluster;
  const int num_nics = 2 * cluster.node.nics.count;
  if (cluster.num_nodes == 1 || num_nics > cluster.node.num_accelerators.value) return {};
  return {{fmt::format("cluster.node.nics.count={}", num_nics),
           [num_nics](simulation::Scenario& s) { s.cluster.node.nics.count = num_nics; }}};
}

std::vector<simulation::Change> changes_of_unstated(
    const std::vector<simulation::UnstatedSetting>& settings) {
  std::vector<simulation::Change> changes;
  for (const simulation::UnstatedSetting& setting : settings) {
    if (!is_choice(setting.key)) continue;
    for (const simulation::OtherValue& other : setting.others) {
      if (other.factor < 1.0) changes.push_back(change_to(setting, other));
    }
  }
  return changes;
}

}  // namespace railwright::planner
