// SPDX-License-Identifier: Apache-2.0
// Usage: consumer CATALOGUE SCENARIO: the seconds of a step.
#include <cstdio>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/workloads/training/simulate.hpp"

int main(int argc, char** argv) {
  using namespace railwright;
  if (argc != 3) return 2;
  const core::Catalogue catalogue({argv[1]});
  const core::Node tree = simulation::load_scenario_tree(argv[2], {});
  const auto result = simulation::simulate(simulation::read_scenario(tree, catalogue));
  std::printf("a step takes %g s\n", result.step_time.base());
  return result.feasible() && result.step_time.base() > 0.0 ? 0 : 1;
}
