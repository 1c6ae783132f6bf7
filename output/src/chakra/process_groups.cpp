// SPDX-License-Identifier: Apache-2.0
#include "process_groups.hpp"

#include <nlohmann/json.hpp>
#include <numeric>

#include "railwright/models/parallelism/shards.hpp"
#include "railwright/simulation/step/rank_groups.hpp"

namespace railwright::output::chakra {

namespace {

int num_ranks(const models::Layout& layout) { return layout.stage_size() * layout.pp; }

}  // namespace

ProcessGroups::ProcessGroups(const models::Layout& layout, bool is_spread, bool has_experts) {
  sizes_.fill(1);
  for (auto& ids : ids_) ids.resize(static_cast<std::size_t>(num_ranks(layout)));
  std::vector<int> all(static_cast<std::size_t>(num_ranks(layout)));
  std::iota(all.begin(), all.end(), 0);
  add(Role::kAll, all);
  for (int stage = 0; stage < layout.pp; ++stage) add_layer_groups(layout, stage);
  add_parameter_groups(layout, false, is_spread);
  if (has_experts) add_parameter_groups(layout, true, is_spread);
}

void ProcessGroups::add_layer_groups(const models::Layout& layout, int stage) {
  for (int replica = 0; replica < layout.num_replicas(); ++replica) {
    add(Role::kTensor, simulation::tensor_group(layout, replica, stage));
    for (int tensor = 0; tensor < layout.tp; ++tensor) {
      if (replica % layout.cp == 0) {
        add(Role::kContext, simulation::context_group(layout, tensor, replica, stage));
      }
      if (layout.ep == 1) continue;
      const auto sharers =
          models::expert_group(layout, layout.rank_in_stage(tensor, replica), stage);
      if (sharers.front() == layout.accelerator(tensor, replica, stage)) {
        add(Role::kExpert, sharers);
      }
    }
  }
}

void ProcessGroups::add_parameter_groups(const models::Layout& layout, bool of_experts,
                                         bool is_spread) {
  const Role role_within = of_experts ? Role::kExpertsWithin : Role::kDenseWithin;
  const Role role_across = of_experts ? Role::kExpertsAcross : Role::kDenseAcross;
  const Role role_gather = of_experts ? Role::kExpertsGather : Role::kDenseGather;
  const auto shards = static_cast<std::size_t>(models::zero_group(layout, of_experts));
  for (int stage = 0; stage < layout.pp / layout.num_directions(); ++stage) {
    for (const std::vector<int>& members :
         simulation::parameter_groups(layout, stage, of_experts)) {
      if (!is_spread) {
        add(role_within, members);
        continue;
      }
      for (const auto& within : simulation::split(members, shards, false)) {
        add(role_within, within);
        add(role_gather, within);
      }
      for (const auto& across : simulation::split(members, shards, true)) add(role_across, across);
    }
  }
}

void ProcessGroups::add(Role role, const std::vector<int>& members) {
  sizes_[core::index(role)] = static_cast<std::int64_t>(members.size());
  if (members.size() == 1) return;
  members_.push_back(members);
  const auto number = static_cast<int>(members_.size());
  for (const int rank : members) ids_[core::index(role)][static_cast<std::size_t>(rank)] = number;
}

std::string ProcessGroups::json() const {
  nlohmann::ordered_json groups = nlohmann::ordered_json::object();
  for (std::size_t i = 0; i < members_.size(); ++i) groups[std::to_string(i + 1)] = members_[i];
  return groups.dump() + "\n";
}

}  // namespace railwright::output::chakra
