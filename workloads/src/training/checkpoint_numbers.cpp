// SPDX-License-Identifier: Apache-2.0
// Numbers of a job's writes and reads: checkpoints, restores, samples.
#include <string>
#include <string_view>

#include "number_groups.hpp"
#include "railwright/workloads/training/simulate.hpp"

namespace railwright::simulation {

namespace {

using Format = NumberFormat;

bool has_storage(const JobRun& job) { return job.checkpoint.bytes > 0; }

void add_checkpoint(Numbers<JobRun>& all) {
  all.push_back({.path = "storage.checkpoint_bytes",
                 .word = "checkpoint",
                 .format = Format::kBytes,
                 .column = "checkpoint_bytes",
                 .is_whole = true,
                 .beside = {"checkpoint", 22},
                 .hides_zero = true,
                 .read = [](const JobRun& of) { return of.checkpoint.bytes; }});
  all.push_back({.path = "storage.checkpoint_files",
                 .word = "files of a checkpoint",
                 .format = Format::kCount,
                 .read = [](const JobRun& of) { return of.checkpoint.num_files; }});
  all.push_back({.path = "storage.checkpoint_time_s",
                 .word = "checkpoint written in",
                 .format = Format::kTime,
                 .column = "checkpoint_time_s",
                 .beside = {"written in", 23},
                 .hides_zero = true,
                 .read = [](const JobRun& of) { return of.checkpoint.time; }});
  all.push_back({.path = "storage.num_checkpoints",
                 .word = "checkpoints of the run",
                 .format = Format::kCount,
                 .column = "num_checkpoints",
                 .read = [](const JobRun& of) { return of.num_checkpoints; }});
}

/// Returns `value` if asynchronous checkpoints make snapshots in host memory, else nothing.
NumberValue of_snapshot(const JobRun& of, NumberValue value) {
  return of.snapshot > core::DataSize{} ? value : NumberValue();
}

void add_rates(Numbers<JobRun>& all) {
  all.push_back({.path = "storage.snapshot_time_s",
                 .word = "snapshot made in",
                 .format = Format::kTime,
                 .read = [](const JobRun& of) { return of_snapshot(of, of.snapshot_time); }});
  all.push_back({.path = "storage.snapshot_bytes_per_node",
                 .word = "snapshot in the fullest node",
                 .format = Format::kBytes,
                 .read = [](const JobRun& of) { return of_snapshot(of, of.snapshot); }});
  all.push_back({.path = "storage.mean_write_bytes_per_s",
                 .word = "write rate of a checkpoint, mean",
                 .format = Format::kBytesPerSecond,
                 .read = [](const JobRun& of) { return of.checkpoint.mean_write; }});
  all.push_back({.path = "storage.peak_write_bytes_per_s",
                 .word = "write rate of a checkpoint, peak",
                 .format = Format::kBytesPerSecond,
                 .read = [](const JobRun& of) { return of.checkpoint.peak_write; }});
  all.push_back({.path = "storage.peak_read_bytes_per_s",
                 .word = "samples read at",
                 .format = Format::kBytesPerSecond,
                 .text_part = TextPart::kCheckpoint,
                 .line = "data reads",
                 .read = [](const JobRun& of) { return of.peak_read; }});
  all.push_back({.path = "storage.reader_cores_per_node",
                 .word = "cores of a node that move and decode samples",
                 .read = [](const JobRun& of) {
                   const bool any = has_storage(of) && of.reader_cores > 0.0;
                   return any ? NumberValue(of.reader_cores) : NumberValue();
                 }});
}

void add_restore(Numbers<JobRun>& all) {
  const auto on_storage = [](auto value_of) {
    return [value_of](const JobRun& of) {
      return has_storage(of) ? NumberValue(value_of(of)) : NumberValue();
    };
  };
  all.push_back({.path = "storage.restore_bytes",
                 .word = "read back",
                 .format = Format::kBytes,
                 .read = on_storage([](const JobRun& job) { return job.restore.bytes; })});
  all.push_back({.path = "storage.restore_time_s",
                 .word = "read back in",
                 .format = Format::kTime,
                 .column = "restore_time_s",
                 .beside = {"read back in", 24},
                 .hides_zero = true,
                 .read = on_storage([](const JobRun& job) { return job.restore.time; })});
  all.push_back({.path = "storage.bytes_written",
                 .word = "written in the run",
                 .format = Format::kBytes,
                 .read = on_storage([](const JobRun& job) { return job.bytes_written; })});
  all.push_back({.path = "storage.bytes_read",
                 .word = "read in the run",
                 .format = Format::kBytes,
                 .read = on_storage([](const JobRun& job) { return job.bytes_read; })});
}

/// Makes a number of the checkpoints on the nodes; it reads nothing without them.
template <class Value>
Number<JobRun> of_local(const std::string& key, std::string_view word, NumberFormat format,
                        Value value_of) {
  return {.path = "storage." + key,
          .word = std::string(word),
          .format = format,
          .read = [value_of](const JobRun& of) {
            return of.local ? NumberValue(value_of(*of.local)) : NumberValue();
          }};
}

}  // namespace

Numbers<JobRun> transfer_numbers() {
  Numbers<JobRun> all;
  add_checkpoint(all);
  add_rates(all);
  add_restore(all);
  return all;
}

Numbers<JobRun> local_numbers() {
  return {of_local("local_checkpoint_bytes", "local checkpoint", Format::kBytes,
                   [](const LocalRun& local) { return local.checkpoint.bytes; }),
          of_local("local_checkpoint_time_s", "local checkpoint written in", Format::kTime,
                   [](const LocalRun& local) { return local.checkpoint.time; }),
          of_local("local_peak_write_bytes_per_s", "write rate of a local checkpoint, peak",
                   Format::kBytesPerSecond,
                   [](const LocalRun& local) { return local.checkpoint.peak_write; }),
          of_local("local_restore_time_s", "local checkpoint read back in", Format::kTime,
                   [](const LocalRun& local) { return local.restore.time; }),
          of_local("local_peer_restore_time_s",
                   "local checkpoint read back with a node's part of others", Format::kTime,
                   [](const LocalRun& local) {
                     const bool has_copies = local.peer_restore_time.base() > 0.0;
                     return has_copies ? NumberValue(local.peer_restore_time) : NumberValue();
                   }),
          of_local("num_local_restores", "local checkpoints read back", Format::kCount,
                   [](const LocalRun& local) { return local.num_restores; }),
          of_local("num_drained", "local checkpoints copied to storage", Format::kCount,
                   [](const LocalRun& local) { return local.num_drained; }),
          of_local("local_bytes_written", "written on the nodes in the run", Format::kBytes,
                   [](const LocalRun& local) { return local.bytes_written; }),
          of_local("local_bytes_read", "read on the nodes in the run", Format::kBytes,
                   [](const LocalRun& local) { return local.bytes_read; }),
          of_local("local_max_used_bytes", "most used on a node", Format::kBytes,
                   [](const LocalRun& local) { return local.max_used; }),
          of_local("local_capacity_bytes", "capacity of a node", Format::kBytes,
                   [](const LocalRun& local) {
                     const bool is_bounded = local.capacity < core::DataSize::infinity();
                     return is_bounded ? NumberValue(local.capacity) : NumberValue();
                   })};
}

}  // namespace railwright::simulation
