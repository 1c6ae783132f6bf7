// SPDX-License-Identifier: Apache-2.0
#include "bill.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "floor.hpp"
#include "parts.hpp"
#include "railwright/core/arithmetic.hpp"

namespace railwright::topologies {

namespace {

using core::CableRun;
using core::FabricBill;
using core::index;
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
      : fabric_(built.fabric),
        placed_(placed.begin(), placed.end()),
        place_(built.fabric.vertices().size(), -1) {
    const std::vector<core::VertexId> front_end = fabric_.vertices_with(Role::kFrontEndSwitch);
    for (const core::VertexId v : front_end) {
      placed_.push_back({.vertex = v, .model = &*cluster.storage->front_end_switch});
    }
    std::ranges::sort(placed_, {}, &PlacedSwitch::vertex);
    for (std::size_t i = 0; i < placed_.size(); ++i) {
      place_[index(placed_[i].vertex)] = static_cast<int>(i);
    }
    if (front_end.empty()) return;
    for (std::size_t l = 0; l < fabric_.links().size(); l += 2) count_front_end(fabric_.links()[l]);
  }

  /// In the order of vertices.
  [[nodiscard]] const std::vector<PlacedSwitch>& all() const { return placed_; }
  /// Returns one without a model for a vertex that is no switch.
  [[nodiscard]] const PlacedSwitch& at(core::VertexId v) const {
    static const PlacedSwitch kNone{};
    const int place = place_[index(v)];
    return place < 0 ? kNone : placed_[index(place)];
  }
  [[nodiscard]] int role_of(core::VertexId v) const {
    return static_cast<int>(fabric_.vertices()[index(v)].role);
  }
  [[nodiscard]] int level_of(core::VertexId v) const { return static_cast<int>(at(v).level); }
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
  void count_front_end(const core::Link& link) {
    for (const auto& [end, other] :
         {std::pair(link.from, link.to), std::pair(link.to, link.from)}) {
      if (fabric_.vertices()[index(end)].role != Role::kFrontEndSwitch) continue;
      const bool peers = fabric_.vertices()[index(other)].role == Role::kFrontEndSwitch;
      PlacedSwitch& own = placed_[index(place_[index(end)])];
      (peers ? own.ports_up : own.ports_down) += link.num_parallel;
    }
  }

  const core::Fabric& fabric_;
  std::vector<PlacedSwitch> placed_;
  std::vector<int> place_;  // among them, by vertex; -1 for what is no switch
};

SwitchTier& tier_in(FabricBill& bill, const std::string& name, const core::Switch& model) {
  const auto known = std::ranges::find_if(bill.switches, [&](const SwitchTier& tier) {
    return tier.name == name && tier.model == model.name;
  });
  if (known != bill.switches.end()) return *known;
  // An entry with split ports inherits the name of its own.
  const bool can_be_split = model.split != model.name;
  bill.switches.push_back(
      {.name = name, .model = model.name, .split = can_be_split ? model.split : std::string()});
  return bill.switches.back();
}

void add_switch(FabricBill& bill, const std::string& name, const PlacedSwitch& placed) {
  const core::Switch& model = *placed.model;
  SwitchTier& tier = tier_in(bill, name, model);
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

/// The demands of a link on its cable.
struct Wanted {
  core::Bandwidth rate;  ///< of a link: the slower of its two ends
  double length_m = 0.0;
  bool is_between_switches = false;
};

bool is_same(core::Bandwidth a, core::Bandwidth b) {
  return std::abs(a.base() - b.base()) <= 1e-6 * b.base();
}

/// Returns the shortest of the switch's cables of this rate that reaches; null if none does. The
/// plugs of a copper breakout are those of devices; a fibre joins the split cages of two switches.
const core::Cable* choose_cable(const core::Switch& model, const Wanted& wanted) {
  const core::Cable* best = nullptr;
  for (const core::Cable& cable : model.cables) {
    if (!is_same(cable.rate.value, wanted.rate)) continue;
    if (wanted.is_between_switches && cable.far_ends > 1 && !cable.has_transceivers()) continue;
    const bool reaches = cable.reach_metres.value >= wanted.length_m;
    if (reaches && (best == nullptr || cable.reach_metres.value < best->reach_metres.value))
      best = &cable;
  }
  return best;
}

/// Counts cables into runs. The links of a breakout end in one cage of one switch, and lead to
/// devices of one kind.
class CableCounter {
 public:
  CableCounter(FabricBill& bill, const Switches& switches) : bill_(bill), switches_(switches) {}

  void add(const core::Link& link, double length_m) {
    const core::Switch& model = *switches_.at(link.to).model;
    const Wanted wanted{.rate = link.line_rate / static_cast<double>(link.num_parallel),
                        .length_m = length_m,
                        .is_between_switches = switches_.at(link.from).model != nullptr};
    const core::Cable* cable = choose_cable(model, wanted);
    const std::size_t r = known_run_of(link, cable, wanted);
    CableRun& run = bill_.cables[r];
    run.longest_m = std::max(run.longest_m, length_m);
    run.far_ends += link.num_parallel;
    // Switches with the same neighbour share no cage: a cable between two has both for itself.
    const core::VertexId other = wanted.is_between_switches ? link.from : -1;
    // Links to the same switches mostly stand side by side.
    const std::tuple ends{r, link.to, other};
    if (last_ends_ == nullptr || last_ends_->first != ends) {
      last_ends_ = &*ends_.try_emplace(ends).first;
    }
    last_ends_->second += link.num_parallel;
    products_.resize(bill_.cables.size());
    products_[r] = {cable, wanted.is_between_switches ? 2 : 1};
  }

  /// Fills the counts of all runs.
  void finish() {
    for (const auto& [place, num_ends] : ends_) {
      const std::size_t r = std::get<0>(place);
      const core::Cable* cable = products_[r].cable;
      bill_.cables[r].count += cable == nullptr ? num_ends : ceil_div(num_ends, cable->far_ends);
    }
    for (std::size_t r = 0; r < products_.size(); ++r) {
      if (products_[r].cable != nullptr) add_ends(bill_.cables[r], products_[r]);
    }
  }

 private:
  struct Product {
    const core::Cable* cable = nullptr;
    int switch_ends = 1;
  };

  /// Role and level of both ends, cable and rate: equal for links of a run.
  struct Kind {
    std::array<int, 4> ends{};
    const core::Cable* cable = nullptr;
    core::Bandwidth rate;
    bool operator==(const Kind&) const = default;
  };

  /// Most links are of the kind of the one before.
  std::size_t known_run_of(const core::Link& link, const core::Cable* cable, const Wanted& wanted) {
    const Kind kind{.ends = {switches_.role_of(link.from), switches_.level_of(link.from),
                             switches_.role_of(link.to), switches_.level_of(link.to)},
                    .cable = cable,
                    .rate = wanted.rate};
    if (!last_run_ || kind != last_kind_) last_run_ = run_of(link, cable, wanted);
    last_kind_ = kind;
    return *last_run_;
  }

  std::size_t run_of(const core::Link& link, const core::Cable* cable, const Wanted& wanted) {
    const std::string name = cable == nullptr ? std::string() : cable->name;
    const std::string from = switches_.tier_of(link.from);
    const std::string to = switches_.tier_of(link.to);
    const auto known = std::ranges::find_if(bill_.cables, [&](const CableRun& run) {
      return run.from == from && run.to == to && run.cable == name &&
             is_same(run.rate, wanted.rate);
    });
    if (known != bill_.cables.end()) return static_cast<std::size_t>(known - bill_.cables.begin());
    bill_.cables.push_back({.from = from, .to = to, .cable = name, .rate = wanted.rate});
    return bill_.cables.size() - 1;
  }

  /// Adds power and transceivers. A transceiver in a switch may serve several cables.
  static void add_ends(CableRun& run, const Product& product) {
    const core::Cable& cable = *product.cable;
    const int at_switches = run.count * product.switch_ends;
    const int at_devices = product.switch_ends == 1 ? run.far_ends : 0;
    run.power = cable.switch_end_power.value * at_switches + cable.nic_end_power.value * at_devices;
    if (!cable.has_transceivers()) return;
    run.transceivers =
        ceil_div(run.count, cable.ports_per_switch_transceiver) * product.switch_ends + at_devices;
  }

  FabricBill& bill_;
  const Switches& switches_;
  std::vector<Product> products_;  // by run
  Kind last_kind_;
  std::optional<std::size_t> last_run_;
  /// Ends by run, upper switch and lower switch; -1 for a device.
  std::map<std::tuple<std::size_t, core::VertexId, core::VertexId>, int> ends_;
  decltype(ends_)::value_type* last_ends_ = nullptr;
};

/// Counts the ports whose device a port of the split switch would be fast enough for.
void count_slow_ports(FabricBill& bill, const Switches& switches, const core::Link& link) {
  const core::Switch& model = *switches.at(link.to).model;
  if (model.split_ways * link.line_rate > model.port_rate.value * link.num_parallel) return;
  tier_in(bill, switches.tier_of(link.to), model).ports_slow += link.num_parallel;
}

}  // namespace

void add_bill(BuiltCluster& built, const Cluster& cluster, std::span<const PlacedSwitch> placed) {
  const Switches switches(built, cluster, placed);
  const Floor floor(built.fabric, cluster);
  FabricBill& bill = built.parts.fabric;
  for (const PlacedSwitch& s : switches.all()) {
    if (s.model != nullptr) add_switch(bill, switches.tier_of(s.vertex), s);
  }
  CableCounter cables(bill, switches);
  // Builders add links from the lower device to the switch above.
  for (std::size_t l = 0; l < built.fabric.links().size(); l += 2) {
    const core::Link& link = built.fabric.links()[l];
    if (!is_cable(link)) continue;
    cables.add(link, floor.cable_length(link));
    count_slow_ports(bill, switches, link);
  }
  cables.finish();
  for (const SwitchTier& tier : bill.switches) {
    bill.rack_units += tier.rack_units;
    bill.power += tier.power;
  }
  for (const CableRun& run : bill.cables) bill.power += run.power;
}

}  // namespace railwright::topologies
