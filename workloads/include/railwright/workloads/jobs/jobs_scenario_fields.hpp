// SPDX-License-Identifier: Apache-2.0
// The keys of jobs_scenario.hpp.
#pragma once

#include "railwright/core/config/fields.hpp"
#include "railwright/models/money/prices_fields.hpp"
#include "railwright/models/power/node_power_fields.hpp"
#include "railwright/models/reliability/reliability_fields.hpp"
#include "railwright/models/software/installation_fields.hpp"
#include "railwright/models/software/profile_fields.hpp"
#include "railwright/models/workload/training_fields.hpp"
#include "railwright/simulation/scenario/run_plan_fields.hpp"
#include "railwright/simulation/scenario/scenario_fields.hpp"
#include "railwright/simulation/scenario/sweep_space_fields.hpp"
#include "railwright/topologies/cluster/node_pool_fields.hpp"
#include "railwright/workloads/jobs/jobs_scenario.hpp"

namespace railwright::simulation {

constexpr auto StorageLoad::fields() {
  using core::field;
  using core::optional;
  return core::field_list(
      field("write", &StorageLoad::write, "Bytes of each write, by all its nodes together.",
            core::non_negative, optional),
      field("every", &StorageLoad::every, "The time from the start of a write to the next.",
            core::positive),
      field("read", &StorageLoad::read, "What it reads between writes.", core::non_negative,
            optional),
      field("retention", &StorageLoad::retention,
            "Writes that are kept, the oldest goes first; 0: all.", core::between(0, 1e6),
            optional),
      field("files", &StorageLoad::files, "Other files of it, which take room on the storage.",
            core::positive),
      field("duration", &StorageLoad::duration,
            "How long it lasts, without its writes; where absent a day, or ten times `every`.",
            core::positive));
}

constexpr auto JobOfMany::fields() {
  using core::field;
  using core::optional;
  return core::field_list(
      field("name", &JobOfMany::name, "The job in a few words."),
      field("start", &JobOfMany::start, "From the start of the clock.", core::non_negative,
            optional),
      field("pool", &JobOfMany::pool, "The pool of cluster.pools whose nodes it takes.", optional),
      field("nodes", &JobOfMany::num_nodes,
            "Nodes of the job, or of each; loads without share those that no other job takes.",
            core::between(1, 65536), optional),
      field("pools", &JobOfMany::pools,
            "Nodes in each of two pools, by their names, in place of pool and nodes: replicas of "
            "the model on both kinds of nodes train it together.",
            core::between(1, 65536)),
      field("division", &JobOfMany::division,
            "How the replicas of two pools share a step: even, or balanced: more micro-batches "
            "for those of the faster pool.",
            optional),
      field("count", &JobOfMany::count, "Jobs alike, each on nodes of its own.",
            core::between(1, 1000), optional),
      field("load", &JobOfMany::load,
            "What it does to the storage, in place of all keys below, where no more is known."),
      field("workload", &JobOfMany::workload, "What is trained, and how much of it.", optional),
      field("parallelism", &JobOfMany::parallelism, "How it is divided over accelerators.",
            optional),
      field("software", &JobOfMany::software, "The stack's recipe, by catalogue name.", optional),
      field("installation", &JobOfMany::installation, "The site, by catalogue name.", optional),
      field("checkpoint", &JobOfMany::checkpoint, "When checkpoints are written.", optional),
      field("data", &JobOfMany::data, "Where the samples come from.", optional),
      field("run", &JobOfMany::run, "Phases around the steps of this job.", optional));
}

constexpr auto JobsScenario::fields() {
  using core::field;
  return core::field_list(
      field("name", &JobsScenario::name, "The scenario in a few words."),
      field("cluster", &JobsScenario::cluster, "Nodes, fabric and storage of all jobs."),
      field("jobs", &JobsScenario::jobs, "The jobs; nodes of a pool are given out in their order."),
      field("reliability", &JobsScenario::reliability,
            "How often parts fail, by catalogue name; nothing fails where absent."),
      field("run", &JobsScenario::run, "Spares, incidents and chance.", core::optional),
      field("power", &JobsScenario::power, "A cap on nodes, and what the building adds.",
            core::optional),
      field("prices", &JobsScenario::prices, "Prices of the parts, or a file with them."),
      field("sweep", &JobsScenario::sweep, "The points of `sweep`."));
}

}  // namespace railwright::simulation
