// SPDX-License-Identifier: Apache-2.0
// The keys of scenario.hpp.
#pragma once

#include "railwright/core/config/fields.hpp"
#include "railwright/models/money/prices_fields.hpp"
#include "railwright/models/power/node_power_fields.hpp"
#include "railwright/models/reliability/reliability_fields.hpp"
#include "railwright/models/software/installation_fields.hpp"
#include "railwright/models/software/profile_fields.hpp"
#include "railwright/models/workload/training_fields.hpp"
#include "railwright/simulation/scenario/comparison_fields.hpp"
#include "railwright/simulation/scenario/goals_fields.hpp"
#include "railwright/simulation/scenario/run_plan_fields.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/simulation/scenario/sweep_space_fields.hpp"
#include "railwright/topologies/cluster/cluster_fields.hpp"

namespace railwright::simulation {

constexpr auto Scenario::fields() {
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

}  // namespace railwright::simulation
