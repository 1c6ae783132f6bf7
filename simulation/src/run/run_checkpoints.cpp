// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "run_simulation.hpp"

namespace railwright::simulation::replication {

void RunSimulation::checkpoint(Job& job) {
  if (job.model.checkpoint.mode == CheckpointMode::kSynchronous) {
    job.last_checkpoint = engine_.now();
    begin_write(job);
    return transfer(job, Phase::kCheckpoint, job.first_checkpoint(), true);
  }
  if (job.copy.flow.is_under_way()) return enter(job, Phase::kDrainWait);
  snapshot(job);
}

void RunSimulation::snapshot(Job& job) {
  job.last_checkpoint = engine_.now();
  wait(job, Phase::kSnapshot, job.model.snapshot);
}

void RunSimulation::begin_write(Job& job) {
  if (!job.tier) return room_.keep(room_of(job), engine_.now());
  const auto num_local = static_cast<std::int64_t>(job.tier->size()) + 1;
  job.record.max_local = std::max(job.record.max_local, num_local);
}

void RunSimulation::begin_copy(Job& job) {
  job.copy.step = job.step;
  job.copy.start = engine_.now();
  job.copy.ticks = std::exchange(job.since_checkpoint, {});
  begin_write(job);
  flows_.start(job.copy.flow, job.model, job.first_checkpoint(),
               events_.add(EventKind::kCopyEnd, job.index), true);
  slow_by_writes(job);
  go_on(job);
}

void RunSimulation::end_copy(Job& job) {
  job.copy.flow.end();
  note_write(job, job.copy);
  complete(job, job.copy.step, job.copy.ticks);
  slow_by_writes(job);
  const bool trains = job.phase == Phase::kSteps || job.phase == Phase::kEvaluation;
  if (trains && is_worth_growing(job)) {
    go_back(job, 0);
    return take_new_nodes(job);
  }
  if (job.phase != Phase::kDrainWait) return;
  account(job);
  if (job.is_finishing) return finish(job);
  snapshot(job);
}

void RunSimulation::complete(Job& job, std::int64_t step, StepTicks& ticks) {
  ++job.record.num_checkpoints;
  failures_without_progress_ = 0;
  if (!job.tier) return complete_on_storage(job, step, ticks);
  job.record.local_written += flows_.transfers(job.model).local_checkpoint.bytes;
  job.tier->complete(step, ticks, step == job.model.num_steps);
  if (!job.tier->drain().flow.is_under_way()) drain_next(job);
}

void RunSimulation::complete_on_storage(Job& job, std::int64_t step, StepTicks& ticks) {
  job.saved_step = step;
  job.record.bytes_written += flows_.transfers(job.model).checkpoint.bytes;
  job.commit(ticks);
  CopyQueue& to_other_site = background_.copies(CopyDestination::kOtherSite);
  if (to_other_site.exists()) to_other_site.add(copy_of_checkpoint(job));
  keep_newest(job);
}

void RunSimulation::keep_newest(Job& job) {
  const CheckpointPlan& plan = job.model.checkpoint;
  ++job.num_kept;
  if (plan.archive_after > 0 && ++job.num_recent > plan.archive_after) {
    --job.num_recent;
    background_.copies(CopyDestination::kArchive).add(copy_of_checkpoint(job));
  }
  if (plan.retention > 0 && job.num_kept > plan.retention) delete_oldest(job);
}

void RunSimulation::delete_oldest(Job& job) {
  --job.num_kept;
  if (job.model.checkpoint.archive_after == 0) return room_.remove(room_of(job), engine_.now());
  if (job.num_archived == 0) {
    ++job.num_deleted_on_way;
    return;
  }
  --job.num_archived;
  archived_ -= room_of(job);
}

void RunSimulation::end_copy_to(CopyDestination destination) {
  const Copy copy = background_.copies(destination).end(engine_.now());
  if (destination != CopyDestination::kArchive) return;
  Job& job = jobs_[copy.job];
  room_.move_away(room_of(job));
  if (job.num_deleted_on_way > 0) {
    --job.num_deleted_on_way;
    return;
  }
  ++job.num_archived;
  archived_ += room_of(job);
  max_archived_ = std::max(max_archived_, archived_);
}

void RunSimulation::drain_next(Job& job) {
  if (!job.tier->next_drain()) return;
  AsyncWrite& drain = job.tier->drain();
  drain.start = engine_.now();
  room_.keep(room_of(job), engine_.now());
  flows_.start(drain.flow, job.model, &JobTransfers::checkpoint,
               events_.add(EventKind::kDrainEnd, job.index), true);
  slow_by_writes(job);
}

void RunSimulation::end_drain(Job& job) {
  AsyncWrite& drain = job.tier->drain();
  drain.flow.end();
  note_write(job, drain);
  ++job.record.num_drained;
  job.record.local_read += flows_.transfers(job.model).checkpoint.bytes;
  complete_on_storage(job, drain.step, drain.ticks);
  drain_next(job);
  slow_by_writes(job);
  if (job.phase != Phase::kDrainWait || !job.is_finishing) return;
  account(job);
  finish(job);
}

void RunSimulation::restore(Job& job) {
  const bool is_local = job.tier && !job.tier->is_empty();
  if (is_local) ++job.record.num_local_restores;
  const auto local = std::exchange(job.reads_of_peer, false) ? &JobTransfers::peer_restore
                                                             : &JobTransfers::local_restore;
  transfer(job, Phase::kRestore, is_local ? local : &JobTransfers::restore, false);
}

void RunSimulation::cancel_transfer(Job& job, ActiveFlow& flow) {
  JobRecord& record = job.record;
  const std::int64_t bytes = (flows_.transfers(job.model).*flow.transfer).bytes;
  const std::int64_t moved = bytes - flows_.stop(flow);
  if (flow.is_local) {
    (flow.is_write ? record.local_written : record.local_read) += moved;
  } else if (flow.is_write) {
    record.bytes_written += moved;
    if (flow.transfer != &JobTransfers::staging) room_.remove(room_of(job), engine_.now());
  } else {
    record.bytes_read += moved;
  }
}

void RunSimulation::cancel_write(Job& job, AsyncWrite& write) {
  note_write(job, write);
  cancel_transfer(job, write.flow);
}

void RunSimulation::lose_tier(Job& job) {
  AsyncWrite& drain = job.tier->drain();
  if (drain.flow.is_under_way()) {
    const std::int64_t written = job.record.bytes_written;
    cancel_write(job, drain);
    job.record.local_read += job.record.bytes_written - written;
  }
  job.ticks_of(RunCause::kLostWork) += job.tier->lose();
}

}  // namespace railwright::simulation::replication
