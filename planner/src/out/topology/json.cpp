// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "railwright/planner/out/topology.hpp"

namespace railwright::planner {

namespace {

using Json = nlohmann::ordered_json;

Json parts_json(const core::PartsList& parts) {
  Json list = Json::array();
  for (const core::Part& part : parts.parts) {
    list.push_back({{"kind", part.kind}, {"name", part.name}, {"count", part.count}});
  }
  return list;
}

Json shortfalls_json(const core::PartsList& parts) {
  Json list = Json::array();
  for (const core::Shortfall& shortfall : parts.shortfalls) {
    list.push_back({{"what", shortfall.what},
                    {"needed", shortfall.needed},
                    {"available", shortfall.available}});
  }
  return list;
}

}  // namespace

std::string to_json(const TopologyResult& result) {
  const core::Fabric& fabric = result.fabric;
  const double bisection = result.bisection.base();
  const Json json = {
      {"name", result.name},
      {"topology", result.kind},
      {"feasible", result.feasible()},
      {"shortfalls", shortfalls_json(result.parts)},
      {"num_nodes", fabric.num_nodes()},
      {"num_accelerators", fabric.num_accelerators()},
      {"parts", parts_json(result.parts)},
      {"ports_used", result.parts.ports_used},
      {"ports_free", result.parts.ports_free},
      {"bisection_bytes_per_s", bisection},
      {"bisection_per_accelerator_bytes_per_s", bisection / fabric.num_accelerators()}};
  return json.dump(2) + "\n";
}

}  // namespace railwright::planner
