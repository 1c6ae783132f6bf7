// SPDX-License-Identifier: Apache-2.0
// Whole jobs on the run clock: phases, steps, checkpoints, reads of data, failures and restarts.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "railwright/core/fabric/fabric.hpp"
#include "railwright/core/sim/time.hpp"
#include "railwright/simulation/scenario/scenario.hpp"

namespace railwright::simulation {

/// Where the time of a run goes. They add up to it.
enum class RunCause : std::uint8_t {
  kSteps,            ///< that count, at the speed of the step alone
  kSlowSteps,        ///< what warm-up and slow nodes add to them
  kDataStall,        ///< what waiting for samples, or for links that storage is on, adds to them
  kCheckpointStall,  ///< training waits for a checkpoint, or for its copy in host memory
  kEvaluation,
  kStartUp,   ///< once: start-up, communicators, index of the dataset
  kLostWork,  ///< steps that are done again
  kRestart,   ///< detection, replacement and restart
  kRestore,   ///< a checkpoint is read back
};

/// How a cause of a run's time is written and drawn, everywhere.
struct RunCauseFacts {
  std::string_view name;   ///< a key of results, with its unit behind it
  std::string_view words;  ///< within a sentence
  std::string_view color;  ///< of charts: that of this cause of a step
};
/// In the order of RunCause.
inline constexpr auto kRunCauses = std::to_array<RunCauseFacts>({
    {"steps", "steps", "matrix_products"},
    {"slow_steps", "warm-up and slow nodes", "attention"},
    {"data_stall", "waiting for data", "context_parallel"},
    {"checkpoint_stall", "waiting for checkpoints", "tensor_parallel"},
    {"evaluation", "evaluation", "optimizer"},
    {"start_up", "start-up", "overhead"},
    {"lost_work", "work done again", "gradient_reduce"},
    {"restart", "detection and restart", "parameter_gather"},
    {"restore", "checkpoints read back", "pipeline_transfer"},
});
inline constexpr std::size_t kNumRunCauses = kRunCauses.size();

/// A number over all replicas: its mean, and what 5 and 95 % of them stay below.
struct Spread {
  double mean = 0.0;
  double low = 0.0;
  double high = 0.0;
};

/// One checkpoint by itself, all its writers starting together. Each turns a piece into bytes and
/// writes it, single-threaded, so the two alternate:
///   time = max(serialized + opened + written, bytes / sustained rate)
///   serialized = bytes of the largest writer / serialization_rate
///   opened = files_per_writer * metadata_operations * latency of storage and mount
///   written = the longest of: bytes of the largest writer / writer_rate, largest client / mount,
///             busiest link at the burst rate of the storage nodes
/// Behind a local tier it is a copy of what lies there: nothing is serialized.
struct CheckpointResult {
  std::int64_t bytes = 0;
  int num_writers = 0;
  std::int64_t num_files = 0;
  core::Duration time;
  core::Bandwidth mean_write;
  core::Bandwidth peak_write;  ///< while they write
  std::string_view limit = "writers";
};

/// A checkpoint read back, by itself.
struct RestoreResult {
  std::int64_t bytes = 0;  ///< of all that read
  int num_readers = 0;
  core::Duration time;
  std::string_view limit = "readers";
};

/// Checkpoints on what the nodes have themselves; numbers are means over replicas.
struct LocalRun {
  CheckpointResult checkpoint;
  RestoreResult restore;     ///< each file is read once, where it was written
  double num_drained = 0.0;  ///< checkpoints that reached storage
  double num_restores = 0.0;
  double bytes_written = 0.0;
  double bytes_read = 0.0;  ///< to restore, and on the way to storage
  core::DataSize max_used;  ///< in the fullest node, offloaded state with it
  core::DataSize capacity;  ///< of a node
};

/// One job, means over its replicas.
struct JobRun {
  std::string name;
  CheckpointResult checkpoint;  ///< on storage; all zero without it
  RestoreResult restore;        ///< the same
  std::optional<LocalRun> local;
  core::DataSize snapshot;       ///< of an asynchronous checkpoint in the fullest node's memory
  core::Duration snapshot_time;  ///< that training waits for it
  core::DataSize host_memory;    ///< of a node; 0 where nobody says
  core::Bandwidth peak_read;     ///< of tokens or images, read evenly over a step
  Spread training_time_s;        ///< from its start to its end
  std::array<double, kNumRunCauses> time_s{};
  Spread effective_training_time;  ///< share of the time in steps that count
  double num_checkpoints = 0.0;
  double num_interruptions = 0.0;
  int num_given_up = 0;  ///< replicas that were interrupted so often that they got nowhere
  std::array<double, models::kNumComponents> failures{};
  double bytes_written = 0.0;
  double bytes_read = 0.0;
  core::Duration mean_time_to_interruption = core::Duration::infinity();
  core::Duration young_interval;  ///< of checkpoints; 0 where nothing fails
  core::Duration daly_interval;
  core::Duration best_interval;  ///< by simulation, where it was sought

  /// What training waits for, or its copy in host memory is written to.
  [[nodiscard]] const CheckpointResult& first_checkpoint() const {
    return local ? local->checkpoint : checkpoint;
  }
  [[nodiscard]] core::Duration training_time() const {
    return core::Duration::from_base(training_time_s.mean);
  }
};

/// Load of the storage cluster in bins of equal width.
struct LoadBin {
  double read_bytes = 0.0;
  double written_bytes = 0.0;
  double operations = 0.0;           ///< reads by the requests for samples, all else by 1 MiB
  double peak_read = 0.0;            ///< bytes/s
  double peak_write = 0.0;           ///< the same
  double peak_node_read = 0.0;       ///< bytes/s of the storage node that clients read most of
  double peak_node_write = 0.0;      ///< the same of writes
  double peak_operations = 0.0;      ///< 1/s
  double peak_processor_load = 0.0;  ///< of all storage nodes together, 0 to 1
  double used = 0.0;                 ///< most bytes of files
};

/// What a job did from one moment to another.
struct RunSpan {
  std::int32_t job = 0;
  bool is_behind = false;  ///< a checkpoint that was written while training went on
  bool is_drain = false;   ///< the same, from the local tier to storage
  std::string_view what;
  core::RunTime start;
  core::RunTime end;
  std::int64_t step = 0;  ///< that it had reached at the start
};

/// Storage nodes that a target takes.
struct StorageNeed {
  std::string_view target;
  int num_nodes = 0;  ///< 0: no number suffices
  std::string limit;  ///< what decides with that number, or with as many as there can be
};

/// What storage sees in the first replica.
struct StorageRun {
  int num_nodes = 0;
  core::Duration bin_width;
  std::vector<LoadBin> bins;
  core::Bandwidth peak_read;
  core::Bandwidth peak_write;
  core::Bandwidth percentile_95_read;  ///< of bins
  core::Bandwidth percentile_95_write;
  core::Bandwidth mean_read;
  core::Bandwidth mean_write;
  core::Bandwidth peak_node_read;  ///< of the busiest storage node
  core::Bandwidth peak_node_write;
  double peak_operations_per_s = 0.0;
  double peak_processor_load = 0.0;
  core::DataSize max_used;  ///< bytes of files
  core::DataSize usable;
  core::DataSize raw;
  core::Duration full_after = core::Duration::infinity();  ///< where others add to it all the time
};

struct RunResult {
  bool is_beyond_clock = false;  ///< steps and checkpoints alone, of a run that needs events
  int num_replicas = 1;
  std::vector<JobRun> jobs;
  StorageRun storage;
  std::vector<StorageNeed> needs;  ///< of each target, where there are some
  std::vector<RunSpan> spans;  ///< of the first replica, where asked for; in order of their ends

  [[nodiscard]] const JobRun& job() const { return jobs.front(); }
};

/// A job on its nodes, `first_node` and those behind it.
struct RunJob {
  const CheckedScenario* checked = nullptr;
  core::Duration step_time;
  core::Duration start;
  int first_node = 0;
  /// What a step puts on each link of the fabric; only links that storage is on matter. Empty where
  /// it has a network of its own.
  std::vector<double> link_bytes{};
};

/// How many runs of how many are simulated. One call at a time, from any thread.
using RunsDone = std::function<void(std::int64_t done, std::int64_t all)>;

struct RunOptions {
  bool trace = false;   ///< whether the result has spans
  int num_threads = 0;  ///< 0: as many as there are cores
  RunsDone tell{};      ///< may be empty
};

/// Simulates jobs that share one storage cluster, `fabric` being that of the whole cluster. Seed,
/// replicas, spares and incidents are those of `plan`; the fleet is the first job's. The result is
/// the same for any number of threads. A run that would take more than a century is steps and
/// checkpoints alone, without chance.
RunResult simulate_run(std::span<const RunJob> jobs, const core::Fabric& fabric,
                       const RunPlan& plan, const RunOptions& options = {});

}  // namespace railwright::simulation
