// SPDX-License-Identifier: Apache-2.0
// A complete question: a job, its parallelism, a cluster, a software stack and a site.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/fields.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/models/money/prices.hpp"
#include "railwright/models/parallelism/parallelism.hpp"
#include "railwright/models/power/node_power.hpp"
#include "railwright/models/software/installation.hpp"
#include "railwright/models/software/profile.hpp"
#include "railwright/models/workload/training.hpp"
#include "railwright/simulation/scenario/comparison.hpp"
#include "railwright/simulation/scenario/goals.hpp"
#include "railwright/simulation/scenario/provenance.hpp"
#include "railwright/simulation/scenario/run_plan.hpp"
#include "railwright/simulation/scenario/search_space.hpp"
#include "railwright/simulation/scenario/sweep_space.hpp"
#include "railwright/topologies/cluster/cluster.hpp"

namespace railwright::topologies {
class Topology;
}  // namespace railwright::topologies

namespace railwright::simulation {

struct Scenario {
  // Defined in one source: to make, copy and destroy all its members is long code.
  Scenario();
  Scenario(const Scenario&);
  Scenario(Scenario&&) noexcept;
  Scenario& operator=(const Scenario&);
  Scenario& operator=(Scenario&&) noexcept;
  ~Scenario();

  std::string name;
  models::Training workload;
  models::Parallelism parallelism;
  topologies::Cluster cluster;
  models::SoftwareProfile software;
  models::Installation installation;
  CheckpointPlan checkpoint;
  DataPlan data;
  std::optional<models::Reliability> reliability;
  RunPlan run;
  models::PowerPlan power;
  std::optional<models::Prices> prices;
  std::optional<Comparison> comparison;
  std::optional<SearchSpace> search;
  std::optional<SweepSpace> sweep;
  std::optional<Goals> goals;

  static constexpr auto fields();

  [[nodiscard]] int num_accelerators() const {
    return cluster.num_nodes * cluster.node.num_accelerators.value;
  }
  /// Returns the accelerator at the clock that the power cap on its node allows.
  [[nodiscard]] core::Accelerator running_accelerator() const {
    return models::at_clock(cluster.node.accelerator,
                            models::node_power(cluster.node, power).clock);
  }
};

/// A checked scenario with what the checks derived from it, ready to be simulated.
struct CheckedScenario {
  Scenario scenario;
  models::Layout layout;
  std::shared_ptr<const topologies::Topology> topology;
  StepTraits traits;
  std::optional<Basis> basis;
};

}  // namespace railwright::simulation
