// SPDX-License-Identifier: Apache-2.0
#include "bill.hpp"

#include <algorithm>
#include <vector>

#include "floor.hpp"

namespace railwright::topologies {

namespace {

using core::CableRun;
using core::FabricBill;
using core::Role;
using core::SwitchTier;

bool is_cable(const core::Link& link) {
  return link.tier == core::Tier::kInjection || link.tier == core::Tier::kFabric ||
         link.tier == core::Tier::kFrontEnd || link.tier == core::Tier::kStorage;
}

/// The switches of the whole cluster, including the front end, by vertex.
class Switches {
 public:
  Switches(const BuiltCluster& built, const Cluster& cluster, std::span<const PlacedSwitch> placed)
      : fabric_(built.fabric), placed_(built.fabric.vertices().size()) {
    for (const PlacedSwitch& s : placed) placed_[index(s.vertex)] = s;
    for (const core::VertexId v : fabric_.vertices_with(Role::kFrontEndSwitch)) {
      placed_[index(v)].vertex = v;
      placed_[index(v)].model = &*cluster.storage->front_end_switch;
    }
    for (std::size_t l = 0; l < fabric_.links().size(); l += 2) count_front_end(fabric_.links()[l]);
  }

  [[nodiscard]] const std::vector<PlacedSwitch>& all() const { return placed_; }
  [[nodiscard]] const PlacedSwitch& at(core::VertexId v) const { return placed_[index(v)]; }
  [[nodiscard]] std::string tier_of(core::VertexId v) const {
    switch (fabric_.vertices()[index(v)].role) {
      case Role::kSwitch:
        return std::string(to_string(at(v).level));
      case Role::kFrontEndSwitch:
        return std::string(core::kFrontEndTier);
      case Role::kStorageNode:
        return "storage node";
      default:
        return "node";
    }
  }

 private:
  static std::size_t index(core::VertexId v) { return static_cast<std::size_t>(v); }

  void count_front_end(const core::Link& link) {
    for (const auto& [end, other] :
         {std::pair(link.from, link.to), std::pair(link.to, link.from)}) {
      if (fabric_.vertices()[index(end)].role != Role::kFrontEndSwitch) continue;
      const bool peers = fabric_.vertices()[index(other)].role == Role::kFrontEndSwitch;
      (peers ? placed_[index(end)].ports_up : placed_[index(end)].ports_down) += link.num_parallel;
    }
  }

  const core::Fabric& fabric_;
  std::vector<PlacedSwitch> placed_;
};

SwitchTier& tier_in(FabricBill& bill, const std::string& name, const std::string& model) {
  const auto known = std::ranges::find_if(bill.switches, [&](const SwitchTier& tier) {
    return tier.name == name && tier.model == model;
  });
  if (known != bill.switches.end()) return *known;
  bill.switches.push_back({.name = name, .model = model});
  return bill.switches.back();
}

void add_switch(FabricBill& bill, const std::string& name, const PlacedSwitch& placed) {
  const core::Switch& model = *placed.model;
  SwitchTier& tier = tier_in(bill, name, model.name);
  ++tier.count;
  tier.ports_down += placed.ports_down;
  tier.ports_up += placed.ports_up;
  tier.ports_free += std::max(0, model.num_ports.value - placed.ports_used());
  tier.rack_units += model.rack_units.value;
  tier.power += model.power.value;
  if (placed.up.base() > 0.0) {
    tier.oversubscription = std::max(tier.oversubscription, placed.down / placed.up);
  }
}

/// Returns the shortest of the switch's cables that reaches; null if none does.
const core::Cable* choose_cable(const core::Switch& model, double length_m) {
  const core::Cable* best = nullptr;
  for (const core::Cable& cable : model.cables) {
    const bool reaches = cable.reach_metres.value >= length_m;
    if (reaches && (best == nullptr || cable.reach_metres.value < best->reach_metres.value))
      best = &cable;
  }
  return best;
}

CableRun& run_in(FabricBill& bill, const CableRun& wanted) {
  const auto known = std::ranges::find_if(bill.cables, [&](const CableRun& run) {
    return run.from == wanted.from && run.to == wanted.to && run.cable == wanted.cable;
  });
  if (known != bill.cables.end()) return *known;
  bill.cables.push_back(wanted);
  return bill.cables.back();
}

/// Counts transceivers at both ends of a run's cables. A transceiver in a switch may serve several
/// cables.
int transceivers(const core::Cable& cable, int count, int switch_ends) {
  const int per_switch_end = (count - 1) / cable.ports_per_switch_transceiver + 1;
  return per_switch_end * switch_ends + count * (2 - switch_ends);
}

void add_cables(FabricBill& bill, const Switches& switches, const core::Link& link,
                double length_m) {
  const PlacedSwitch& upper = switches.at(link.to);
  const core::Cable* cable = choose_cable(*upper.model, length_m);
  CableRun& run = run_in(bill, {.from = switches.tier_of(link.from),
                                .to = switches.tier_of(link.to),
                                .cable = cable == nullptr ? std::string() : cable->name});
  run.count += link.num_parallel;
  run.longest_m = std::max(run.longest_m, length_m);
  if (cable == nullptr) return;
  const int switch_ends = switches.at(link.from).model == nullptr ? 1 : 2;
  const core::Power ends =
      cable->switch_end_power.value * switch_ends + cable->nic_end_power.value * (2 - switch_ends);
  run.power += ends * link.num_parallel;
  if (cable->has_transceivers()) {
    run.transceivers = transceivers(*cable, run.count, switch_ends);
  }
}

}  // namespace

void add_bill(BuiltCluster& built, const Cluster& cluster, std::span<const PlacedSwitch> placed) {
  const Switches switches(built, cluster, placed);
  const Floor floor(built.fabric, cluster);
  FabricBill& bill = built.parts.fabric;
  for (const PlacedSwitch& s : switches.all()) {
    if (s.model != nullptr) add_switch(bill, switches.tier_of(s.vertex), s);
  }
  // Builders add links from the lower device to the switch above.
  for (std::size_t l = 0; l < built.fabric.links().size(); l += 2) {
    const core::Link& link = built.fabric.links()[l];
    if (is_cable(link)) add_cables(bill, switches, link, floor.cable_length(link));
  }
  for (const SwitchTier& tier : bill.switches) {
    bill.rack_units += tier.rack_units;
    bill.power += tier.power;
  }
  for (const CableRun& run : bill.cables) bill.power += run.power;
}

}  // namespace railwright::topologies
