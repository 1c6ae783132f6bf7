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
#include "railwright/topologies/topology.hpp"

namespace railwright::simulation {

struct Scenario {
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

  static constexpr auto fields() {
    using core::field;
    using core::optional;
    return core::field_list(
        field("name", &Scenario::name, "The scenario in a few words."),
        field("workload", &Scenario::workload, "What is trained, and how much of it."),
        field("parallelism", &Scenario::parallelism, "How it is divided over accelerators.",
              optional),
        field("cluster", &Scenario::cluster, "Nodes, fabric and storage."),
        field("software", &Scenario::software, "The stack's recipe, by catalogue name."),
        field("installation", &Scenario::installation, "The site, by catalogue name.", optional),
        field("checkpoint", &Scenario::checkpoint, "When checkpoints are written.", optional),
        field("data", &Scenario::data, "Where the samples come from.", optional),
        field("reliability", &Scenario::reliability,
              "How often parts fail, by catalogue name; nothing fails where absent."),
        field("run", &Scenario::run, "Phases around the steps, spares and chance.", optional),
        field("power", &Scenario::power, "A cap on nodes, and what the building adds.", optional),
        field("prices", &Scenario::prices,
              "What parts, electricity and people cost: a file of yours, by its path."),
        field("comparison", &Scenario::comparison, "What `compare` sets side by side."),
        field("search", &Scenario::search, "What `search` tries; all that is legal where absent."),
        field("sweep", &Scenario::sweep, "The points of `sweep`."),
        field("goals", &Scenario::goals, "What `size` finds a cluster for."));
  }

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

/// The part of a scenario that describes the cluster, whatever runs on it.
struct CheckedCluster {
  std::string name;
  topologies::Cluster cluster;
  std::shared_ptr<const topologies::Topology> topology;

  static constexpr auto fields() {
    return core::field_list(
        core::field("name", &CheckedCluster::name, "The scenario in a few words."),
        core::field("cluster", &CheckedCluster::cluster, "Nodes, fabric and storage."));
  }
};

}  // namespace railwright::simulation
