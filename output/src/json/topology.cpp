// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "railwright/output/json/json.hpp"

namespace railwright::output {

namespace {

using Json = nlohmann::ordered_json;

Json parts_json(const core::PartsList& parts) {
  Json list = Json::array();
  for (const core::Part& part : parts.parts) {
    list.push_back({{"kind", part.kind},
                    {"name", part.name},
                    {"count", part.count},
                    {"rack_units", part.rack_units},
                    {"power_w", part.power.base()}});
  }
  return list;
}

/// Null if no switch has ports to another tier.
Json ratio_json(double oversubscription) {
  return oversubscription > 0.0 ? Json(oversubscription) : Json();
}

Json shortfalls_json(const core::PartsList& parts) {
  Json list = Json::array();
  for (const core::Shortfall& shortfall : parts.shortfalls) {
    list.push_back({{"what", shortfall.what},
                    {"tier", shortfall.tier},
                    {"needed", shortfall.needed},
                    {"available", shortfall.available}});
  }
  return list;
}

Json switches_json(const core::FabricBill& bill) {
  Json list = Json::array();
  for (const core::SwitchTier& tier : bill.switches) {
    list.push_back({{"tier", tier.name},
                    {"model", tier.model},
                    {"count", tier.count},
                    {"ports_down", tier.ports_down},
                    {"ports_up", tier.ports_up},
                    {"ports_free", tier.ports_free},
                    {"ports_slow", tier.ports_slow},
                    {"split", tier.split.empty() ? Json() : Json(tier.split)},
                    {"oversubscription", ratio_json(tier.oversubscription)},
                    {"rack_units", tier.rack_units},
                    {"power_w", tier.power.base()}});
  }
  return list;
}

Json cables_json(const core::FabricBill& bill) {
  Json list = Json::array();
  for (const core::CableRun& run : bill.cables) {
    list.push_back({{"from", run.from},
                    {"to", run.to},
                    {"cable", run.cable.empty() ? Json() : Json(run.cable)},
                    {"count", run.count},
                    {"links", run.far_ends},
                    {"rate_bytes_per_s", run.rate.base()},
                    {"longest_m", run.longest_m},
                    {"transceivers", run.transceivers},
                    {"power_w", run.power.base()}});
  }
  return list;
}

}  // namespace

std::string to_json(const simulation::TopologyResult& result) {
  const core::Fabric& fabric = result.fabric;
  const double bisection = result.bisection.base();
  int num_nodes = fabric.num_nodes();
  int num_accelerators = fabric.num_accelerators();
  Json pools = Json::array();
  for (const simulation::PoolTopology& pool : result.pools) {
    num_nodes += pool.num_nodes;
    num_accelerators += pool.num_accelerators;
    pools.push_back({{"name", pool.name},
                     {"topology", pool.kind},
                     {"num_nodes", pool.num_nodes},
                     {"num_accelerators", pool.num_accelerators},
                     {"bisection_bytes_per_s", pool.bisection.base()}});
  }
  const bool is_one = pools.empty();
  Json json = {{"name", result.name},
               {"topology", result.kind},
               {"feasible", result.feasible()},
               {"shortfalls", shortfalls_json(result.parts)},
               {"num_nodes", num_nodes},
               {"num_accelerators", num_accelerators},
               {"parts", parts_json(result.parts)},
               {"switches", switches_json(result.parts.fabric)},
               {"cables", cables_json(result.parts.fabric)},
               {"oversubscription", ratio_json(result.parts.fabric.oversubscription())},
               {"rack_units", result.parts.fabric.rack_units},
               {"power_w", result.parts.fabric.power.base()},
               {"total_rack_units", result.parts.rack_units()},
               {"total_power_w", result.parts.power().base()},
               {"ports_used", result.parts.ports_used},
               {"ports_free", result.parts.ports_free},
               {"bisection_bytes_per_s", is_one ? Json(bisection) : Json()},
               {"bisection_per_accelerator_bytes_per_s",
                is_one ? Json(bisection / num_accelerators) : Json()}};
  if (!is_one) json["pools"] = std::move(pools);
  return json.dump(2) + "\n";
}

}  // namespace railwright::output
