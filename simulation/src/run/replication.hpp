// SPDX-License-Identifier: Apache-2.0
// One replication of a run, event by event. Its cost depends on the number of events, not of steps.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "load_series.hpp"
#include "run_model.hpp"

namespace railwright::simulation {

/// Record of one job. Times are ticks of the run clock and add up to end - start.
struct JobRecord {
  core::RunTime end;
  std::array<std::int64_t, kNumRunCauses> ticks{};
  std::array<std::int64_t, models::kNumComponents> failures{};
  std::int64_t num_checkpoints = 0;
  std::int64_t num_interruptions = 0;
  std::int64_t bytes_written = 0;
  std::int64_t bytes_read = 0;  ///< checkpoints and indices
  double sample_bytes = 0.0;
  std::int64_t num_drained = 0;
  std::int64_t num_local_restores = 0;
  std::int64_t local_written = 0;
  std::int64_t local_read = 0;
  std::int64_t max_local = 0;  ///< largest number of checkpoints on the local tier
  bool gave_up = false;        ///< never finishes: interrupted too often, or storage stays down
};

/// Copies of checkpoints to one destination.
struct CopyRecord {
  std::int64_t bytes = 0;        ///< of those that arrived
  std::int64_t left = 0;         ///< bytes of those that had not arrived at the end
  std::int64_t max_backlog = 0;  ///< most bytes that waited or were under way
  core::RunTime max_age;         ///< longest time from a complete checkpoint to its copy
};

struct RunRecord {
  std::vector<JobRecord> jobs;
  core::RunTime end;          ///< end of the last job
  double max_kept = 0.0;      ///< maximum bytes of checkpoints on storage
  double max_used = 0.0;      ///< maximum bytes of all files, including those of others
  double max_archived = 0.0;  ///< maximum bytes of checkpoints on the archive
  std::array<CopyRecord, kNumCopyDestinations> copies{};
};

/// Load series and spans that a run records.
struct RunNotes {
  std::optional<LoadSeries> series;
  bool has_spans = false;
  std::vector<RunSpan> spans;
};

/// Runs all jobs to their ends. `notes` may be null.
RunRecord simulate_replication(const RunModel& model, std::uint64_t replication, RunNotes* notes);

}  // namespace railwright::simulation
