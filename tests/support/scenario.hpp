// SPDX-License-Identifier: Apache-2.0
// Scenarios for tests: a base with settings laid over it, checked and built.
#pragma once

#include <string>
#include <vector>

#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/simulation/step/costs.hpp"
#include "railwright/topologies/cluster/built_cluster.hpp"

namespace railwright::test {

using Settings = std::vector<std::string>;

/// `settings` with `more` behind them.
Settings join(Settings settings, const Settings& more);

/// Llama 2 7B (tp 2) on two XE9680 with eight NICs each behind one switch, three storage nodes, the
/// recipe of NeMo 23.11 on a neutral installation; `settings` laid over it as `--set` does.
simulation::CheckedScenario scenario(const Settings& settings = {});

/// What turns the base into Llama 2 70B on six nodes (tp 4, pp 4, 20 virtual stages).
Settings llama_2_70b();

/// What switches all three overlaps on or off.
Settings overlaps(bool on);

/// What puts the nodes behind two switches with `links` between them.
Settings dual_switch(int links);

/// A scenario with its fabric and the costs of its step.
struct BuiltScenario {
  explicit BuiltScenario(const Settings& settings);

  simulation::CheckedScenario checked;
  topologies::BuiltCluster built;
  simulation::StepCosts costs;
};

}  // namespace railwright::test
