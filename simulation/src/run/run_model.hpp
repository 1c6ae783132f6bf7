// SPDX-License-Identifier: Apache-2.0
// Jobs and their shared storage as plain numbers: everything that a simulated run reads.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "railwright/core/fabric/fabric.hpp"
#include "railwright/core/sim/time.hpp"
#include "railwright/models/data_loading/data_loader.hpp"
#include "railwright/models/reliability/failure_process.hpp"
#include "railwright/models/reliability/reliability.hpp"
#include "railwright/simulation/run/run.hpp"
#include "railwright/topologies/cluster/cluster.hpp"
#include "transfer.hpp"

namespace railwright::simulation {

inline core::RunTime ticks(core::Duration time) {
  return core::ticks_at_or_after<core::RunTime>(time);
}

/// Units per step, so that a stopped flow keeps the part of a step that it did.
inline constexpr std::int64_t kUnitsPerStep = 1 << 20;

/// Reads of a flow of steps, and the traffic of steps on links that storage uses.
struct StepReads {
  std::vector<core::LinkUse> uses;         ///< seconds of a link for each unit
  std::vector<core::LinkUse> burst_uses;   ///< of the links that bursts share: all but the drives
  std::vector<core::LinkUse> node_shares;  ///< share of the bytes of storage nodes, by node
  double ceiling = std::numeric_limits<double>::infinity();  ///< steps/s that the mounts manage
  double bytes = 0.0;                                        ///< bytes of a step
  double shared_bytes = 0.0;       ///< bytes of a step that weigh it against other flows
  double request = kTransferSize;  ///< bytes of an operation
  models::DataLoader loader;       ///< workers in front of the steps
  double period = 0.0;             ///< seconds from step to step, at the speed of the step alone
};

/// Transfers of a job while some number of storage nodes is down.
struct JobTransfers {
  Transfer checkpoint;  ///< to storage, from memory or the local tier
  Transfer restore;
  Transfer staging;  ///< from another place to storage
  Transfer index;
  Transfer local_checkpoint;  ///< to the local tier
  Transfer local_restore;
  Transfer peer_restore;  ///< local_restore where one node takes its part from another
  StepReads first_epoch;
  StepReads later_epochs;

  /// Calls `use` with each transfer and each of the reads.
  template <class Use>
  void for_each(const Use& use) {
    for (Transfer* one : {&checkpoint, &restore, &staging, &index, &local_checkpoint,
                          &local_restore, &peer_restore}) {
      use(*one);
    }
    use(first_epoch);
    use(later_epochs);
  }
};

struct JobModel {
  core::RunTime start;
  std::int64_t num_steps = 0;
  double step_seconds = 0.0;
  core::RunTime patience;  ///< time after which an interruption ends the job for good
  bool has_storage = false;
  bool writes_checkpoints = false;  ///< there is storage or a local tier
  CheckpointPlan checkpoint;
  RunPlan plan;
  core::RunTime snapshot;            ///< time to copy the largest part to host memory
  std::int64_t steps_per_epoch = 0;  ///< 0: epochs make no difference
  std::optional<core::Duration> epoch_start_up;
  models::FleetSize fleet;
  std::size_t pool = 0;
  double seconds_to_interruption = std::numeric_limits<double>::infinity();  ///< mean
  int num_replicas = 1;                 ///< data-parallel replicas
  int replicas_of_node = 1;             ///< replicas that idle without one node, or tray
  double degraded_link_speed = 1.0;     ///< of steps while a NIC's link is degraded
  double write_speed = 1.0;             ///< of steps while a checkpoint is written behind them
  double write_peak_factor = 1.0;       ///< peak over mean rate of a checkpoint
  double room_per_byte = 1.0;           ///< room on storage for a byte of a checkpoint
  double local_bytes = 0.0;             ///< bytes of a checkpoint on the fullest node
  std::vector<JobTransfers> transfers;  ///< indexed by the number of storage nodes down
};

/// A cluster with its jobs. Links have capacity 1; their numbers continue from state to state.
struct RunModel {
  std::vector<JobModel> jobs;
  std::optional<models::Reliability> reliability;
  RunPlan plan;
  std::vector<int> num_spares;      ///< of each pool; nodes, or trays of nodes that have trays
  std::vector<std::size_t> struck;  ///< the job that each incident of the plan stops
  int num_storage_nodes = 0;
  std::vector<Transfer> rebuilds;  ///< data of the last lost storage node, by number down
  std::vector<std::array<Transfer, 2>> outside;  ///< loads of others, by number down and direction
  std::int32_t num_links = 0;
  double used_before = 0.0;  ///< bytes of files on storage from the start
  double growth = 0.0;       ///< bytes/s that others add to them
  std::array<double, kNumCopyDestinations> copy_rates{};  ///< bytes/s; 0: no such destination
  core::RunTime snapshot_retention;
  double held_per_byte = 0.0;  ///< bytes on a storage node's drives per byte of files
};

/// Returns the room that a byte takes, in bytes of files with the storage's own data reduction.
inline double room_per_byte(const topologies::StorageCluster& storage,
                            const std::optional<double>& data_reduction) {
  return data_reduction ? storage.data_reduction / *data_reduction : 1.0;
}

}  // namespace railwright::simulation
