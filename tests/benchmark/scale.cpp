// SPDX-License-Identifier: Apache-2.0
// How a step's cost grows with the cluster: Llama 3 405B (tp 8, pp 16) on ever more replicas.
// Prints a row a size: accelerators, classes, seconds, memory.
#include <fmt/core.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string>

#include "railwright/core/config/tree.hpp"
#include "railwright/planner/scenario/data_path.hpp"
#include "railwright/planner/scenario/scenario.hpp"
#include "railwright/planner/step/fold.hpp"
#include "railwright/planner/step/step.hpp"

namespace {

using namespace railwright;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double peak_mebibytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

void measure(const std::string& scenario, int nodes, const core::Catalogue& catalogue) {
  core::Node tree = planner::load_scenario_tree(scenario, {});
  core::set_path(tree, "cluster.nodes=" + std::to_string(nodes));
  const int stages = std::min(nodes, 16);
  const int replicas = nodes / stages;
  core::set_path(tree, "parallelism.pp=" + std::to_string(stages));
  core::set_path(tree, "workload.global_batch=" + std::to_string(16 * replicas));
  const auto checked = planner::read_scenario(tree, catalogue);

  auto start = Clock::now();
  const auto built = checked.topology->build(checked.scenario.cluster);
  const double build = seconds_since(start);
  start = Clock::now();
  const auto costs = planner::step_costs(checked, built.fabric);
  const double cost = seconds_since(start);
  start = Clock::now();
  const auto folded = planner::fold(costs);
  const double fold = seconds_since(start);
  start = Clock::now();
  const auto step = planner::simulate_step(folded.costs, planner::Symmetry::kUnfolded);
  const double simulate = seconds_since(start);
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
  const core::Catalogue catalogue(planner::catalogue_roots());
  fmt::print(
      "accelerators,replicas,replica_classes,links,link_classes,build_s,costs_s,fold_s,simulate_s,"
      "memory_mib,step_s\n");
  for (int i = 2; i < argc; ++i) measure(argv[1], std::atoi(argv[i]), catalogue);
}
