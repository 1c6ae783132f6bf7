// SPDX-License-Identifier: Apache-2.0
// How a step's cost grows with the cluster: Llama 3 405B (tp 8, pp 16) on ever more replicas.
// Prints a row a size: accelerators, classes, processor seconds, memory so far. What three tiers of
// the scenario's switch cannot join stands on switches of 128 ports (an SN5600 split in halves).
#include <fmt/core.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "processor_time.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/core/parts_list.hpp"
#include "railwright/simulation/scenario/data_path.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/simulation/step/fold.hpp"
#include "railwright/simulation/step/step.hpp"
#include "railwright/topologies/cluster/built_cluster.hpp"
#include "railwright/topologies/topology.hpp"

namespace {

namespace core = railwright::core;
namespace simulation = railwright::simulation;
using railwright::workloads::processor_seconds;

/// Half of the ports of a switch downwards in two tiers, all in the third: 64^3 / 4 over 8 NICs.
constexpr int kMaxNodesOf64Ports = 8192;

double peak_mebibytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

void measure(const std::string& scenario, int nodes, const core::Catalogue& catalogue) {
  core::Node tree = simulation::load_scenario_tree(scenario, {});
  core::set_path(tree, "cluster.nodes=" + std::to_string(nodes));
  const int stages = std::min(nodes, 16);
  const int replicas = nodes / stages;
  core::set_path(tree, "parallelism.pp=" + std::to_string(stages));
  core::set_path(tree, "workload.global_batch=" + std::to_string(16 * replicas));
  if (nodes > kMaxNodesOf64Ports) {
    core::set_path(tree,
                   "cluster.fabric.switch={model: sn5600, num_ports: {value: 128, source: "
                   "split}, port_rate: {value: 400 Gb/s, source: split}}");
    core::set_path(tree, "cluster.node.nics.transport=roce");
    core::set_path(tree, "cluster.fabric.nodes_per_group=64");
  }
  const auto checked = simulation::read_scenario(tree, catalogue);

  double start = processor_seconds();
  const auto built = checked.topology->build(checked.scenario.cluster);
  const double build = processor_seconds() - start;
  for (const core::Shortfall& shortfall : built.parts.shortfalls) {
    fmt::print(stderr, "{} nodes: {}\n", nodes, shortfall.what);
  }
  start = processor_seconds();
  const auto costs = simulation::step_costs(checked, built.fabric);
  const double cost = processor_seconds() - start;
  start = processor_seconds();
  const auto folded = simulation::fold(costs);
  const double fold = processor_seconds() - start;
  start = processor_seconds();
  const auto step = simulation::simulate_step(folded.costs, simulation::Symmetry::kUnfolded);
  const double simulate = processor_seconds() - start;
  fmt::print("{},{},{},{},{},{:.4f},{:.4f},{:.4f},{:.4f},{:.1f},{:.6f}\n", nodes * 8, replicas,
             folded.costs.num_replicas, costs.capacity.size(), folded.costs.capacity.size(), build,
             cost, fold, simulate, peak_mebibytes(), step.step_time.base());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: railwright_scale SCENARIO [NODES]...\n");
    return 2;
  }
  const core::Catalogue catalogue(simulation::catalogue_roots());
  fmt::print(
      "accelerators,replicas,replica_classes,links,link_classes,build_s,costs_s,fold_s,simulate_s,"
      "memory_mib,step_s\n");
  for (int i = 2; i < argc; ++i) measure(argv[1], std::atoi(argv[i]), catalogue);
}
