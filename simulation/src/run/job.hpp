// SPDX-License-Identifier: Apache-2.0
// State of a job during a replication.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "active_flow.hpp"
#include "local_tier_state.hpp"
#include "railwright/simulation/run/job_phase.hpp"
#include "replication.hpp"
#include "step_block.hpp"
#include "step_ticks.hpp"

namespace railwright::simulation::replication {

/// Reasons for which the steps of a job take longer; each is a factor of their speed.
enum class SlowedBy : std::uint8_t { kNode, kLink, kMissingReplicas, kWrite };

/// State of a job, and its record so far.
struct Job {
  Job(std::size_t job_index, const JobModel& job_model) : index(job_index), model(job_model) {
    if (model.checkpoint.local) tier.emplace(*model.checkpoint.local, model.has_storage);
  }

  /// Returns the first transfer of a checkpoint: to the local tier if there is one, else to
  /// storage.
  [[nodiscard]] Transfer JobTransfers::* first_checkpoint() const {
    return tier ? &JobTransfers::local_checkpoint : &JobTransfers::checkpoint;
  }
  /// Whether a checkpoint is still being written while training goes on or waits for it.
  [[nodiscard]] bool is_writing() const {
    return copy.flow.is_under_way() || (tier && tier->drain().flow.is_under_way());
  }
  [[nodiscard]] bool is_done() const { return phase == Phase::kDone; }
  [[nodiscard]] double& speed_by(SlowedBy reason) {
    return speeds[static_cast<std::size_t>(reason)];
  }
  /// Returns the speed of its steps over that of a step alone.
  [[nodiscard]] double speed() const { return speeds[0] * speeds[1] * speeds[2] * speeds[3]; }
  /// Moves ticks to the record and resets them: steps, slow steps and stalls are the first causes.
  void commit(StepTicks& ticks) {
    for (std::size_t i = 0; i < ticks.size(); ++i) record.ticks[i] += std::exchange(ticks[i], 0);
  }
  [[nodiscard]] std::int64_t& ticks_of(RunCause cause) {
    return record.ticks[static_cast<std::size_t>(cause)];
  }

  std::size_t index;
  const JobModel& model;

  Phase phase = Phase::kWaiting;
  core::RunTime phase_start;
  std::int64_t phase_step = 0;  ///< step reached then
  std::optional<core::EventId> timer;
  ActiveFlow flow;  ///< flow of the phase
  AsyncWrite copy;  ///< from host memory to the local tier or, without one, to storage
  std::optional<LocalTierState> tier;

  std::int64_t step = 0;
  std::int64_t steps_since_start = 0;
  StepBlock block;
  double uncounted_steps = 0.0;  ///< steps of the block whose time is in no cause yet
  core::RunTime last_checkpoint;
  std::int64_t saved_step = 0;  ///< newest complete checkpoint on storage
  std::int64_t num_kept = 0;    ///< checkpoints on storage, the archive included
  std::int64_t num_recent = 0;  ///< checkpoints that stay on the first pool
  std::int64_t num_archived = 0;
  std::int64_t num_deleted_on_way = 0;  ///< deleted ones that still move to the archive
  StepTicks since_checkpoint{};
  std::array<double, 4> speeds{1.0, 1.0, 1.0, 1.0};  ///< by SlowedBy
  /// Repair times of the nodes that have failed since the job last ran.
  std::vector<core::Duration> lost_nodes;
  int num_nodes_out = 0;       ///< nodes that no spare stands in for
  int num_nodes_ready = 0;     ///< of these, nodes that are back and not yet in the job
  bool reads_of_peer = false;  ///< a new node takes its part of the checkpoint from another
  bool is_staged = false;      ///< the dataset is on storage
  bool is_finishing = false;
  JobRecord record;
};

}  // namespace railwright::simulation::replication
