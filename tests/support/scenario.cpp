// SPDX-License-Identifier: Apache-2.0
#include "scenario.hpp"

#include <string_view>

#include "railwright/simulation/scenario/data_path.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/topologies/topology.hpp"

namespace railwright::test {

namespace {

constexpr std::string_view kBase = R"(
name: test
workload:
  model: llama-2-7b
  sequence_length: 4096
  global_batch: 144
  micro_batch: 1
  steps: 500
parallelism: {tp: 2, pp: 1}
cluster:
  nodes: 2
  node:
    model: xe9680-h100
    nic_slots: {value: 20, source: "room for every test"}
    nics: {nic: connectx-7, count: 8}
  fabric: {topology: single_switch, switch: qm9790}
  storage: {node: powerscale-f600p, count: 3, switch: s5232f-on, num_switches: 2}
software: nemo-23.11
installation: neutral
)";

}  // namespace

Settings join(Settings settings, const Settings& more) {
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

simulation::CheckedScenario scenario(const Settings& settings) {
  core::Node tree = core::parse_yaml(kBase, "base of the tests");
  for (const std::string& setting : settings) core::set_path(tree, setting);
  return simulation::read_scenario(tree, core::Catalogue(simulation::catalogue_roots()));
}

Settings llama_2_70b() {
  return {"workload.model=llama-2-70b",
          "parallelism.tp=4",
          "parallelism.pp=4",
          "parallelism.virtual_stages=20",
          "parallelism.sequence_parallel=true",
          "cluster.nodes=6"};
}

Settings overlaps(bool on) {
  const std::string value = on ? "=true" : "=false";
  return {"software.overlap_gradient_reduce" + value, "software.overlap_parameter_gather" + value,
          "software.overlap_pipeline" + value};
}

Settings dual_switch(int links) {
  return {"cluster.fabric={topology: dual_switch, switch: qm9790, inter_switch_links: " +
          std::to_string(links) + "}"};
}

BuiltScenario::BuiltScenario(const Settings& settings)
    : checked(scenario(settings)),
      built(checked.topology->build(checked.scenario.cluster)),
      costs(simulation::step_costs(checked, built.fabric)) {}

}  // namespace railwright::test
