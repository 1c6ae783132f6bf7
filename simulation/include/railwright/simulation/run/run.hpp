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

#include "railwright/core/sim/time.hpp"
#include "railwright/simulation/scenario/run_plan.hpp"

namespace railwright::core {
class Fabric;
}  // namespace railwright::core

namespace railwright::simulation {

struct CheckedScenario;

/// Causes of a run's time, which they add up to.
enum class RunCause : std::uint8_t {
  kSteps,      ///< steps that count, at the speed of the step alone
  kSlowSteps,  ///< time that warm-up, slow parts, missing replicas and writes behind add to steps
  kDataStall,  ///< time that waiting for samples, or for links shared with storage, adds to steps
  kCheckpointStall,  ///< training waits for a checkpoint, or for its copy in host memory
  kEvaluation,
  kStartUp,   ///< once: start-up, communicators, index of the dataset
  kLostWork,  ///< steps that are repeated
  kRestart,   ///< detection, replacement and restart
  kRestore,   ///< a checkpoint is read back
};

/// Names and colour of a cause of a run's time, used everywhere.
struct RunCauseFacts {
  std::string_view name;   ///< key in results, before its unit
  std::string_view words;  ///< for use within a sentence
  std::string_view color;  ///< in charts: that of this cause of a step
};
/// Facts in the order of RunCause.
inline constexpr auto kRunCauses = std::to_array<RunCauseFacts>({
    {"steps", "steps", "matrix_products"},
    {"slow_steps", "slower steps", "attention"},
    {"data_stall", "waiting for data", "context_parallel"},
    {"checkpoint_stall", "waiting for checkpoints", "tensor_parallel"},
    {"evaluation", "evaluation", "optimizer"},
    {"start_up", "start-up", "overhead"},
    {"lost_work", "work done again", "gradient_reduce"},
    {"restart", "detection and restart", "parameter_gather"},
    {"restore", "checkpoints read back", "pipeline_transfer"},
});
inline constexpr std::size_t kNumRunCauses = kRunCauses.size();

/// Mean, 5th and 95th percentile of a number over all replications.
struct Spread {
  double mean = 0.0;
  double low = 0.0;
  double high = 0.0;
};

/// One checkpoint in isolation; all its writers start together. Each alternates, single-threaded,
/// between serializing a piece and writing it:
///   time = max(serialized + opened + written, bytes / sustained rate)
///   serialized = bytes of the largest writer / serialization_rate
///   opened = files_per_writer * metadata_operations * latency of storage and mount
///   written = the longest of: bytes of the largest writer / writer_rate, largest client / mount,
///             busiest link at the burst rate of the storage nodes
/// With a local tier it is copied from there, and nothing is serialized.
struct CheckpointResult {
  std::int64_t bytes = 0;
  int num_writers = 0;
  std::int64_t num_files = 0;
  core::Duration time;
  core::Bandwidth mean_write;
  core::Bandwidth peak_write;  ///< while writers write
  std::string_view limit = "writers";
};

/// One restore of a checkpoint in isolation.
struct RestoreResult {
  std::int64_t bytes = 0;  ///< read by all readers
  int num_readers = 0;
  core::Duration time;
  std::string_view limit = "readers";
};

/// Checkpoints on the nodes' local tier; numbers are means over replications.
struct LocalRun {
  CheckpointResult checkpoint;
  RestoreResult restore;             ///< each file is read once, where it was written
  core::Duration peer_restore_time;  ///< where a node takes its part from another; 0: no copies
  double num_drained = 0.0;          ///< checkpoints that reached storage
  double num_restores = 0.0;
  double bytes_written = 0.0;
  double bytes_read = 0.0;  ///< to restore, and on the way to storage
  core::DataSize max_used;  ///< in the fullest node, including offloaded state
  core::DataSize capacity;  ///< capacity of a node's tier
};

/// One job; numbers are means over its replications.
struct JobRun {
  std::string name;
  CheckpointResult checkpoint;  ///< on storage; all zero without it
  RestoreResult restore;        ///< from storage; all zero without it
  std::optional<LocalRun> local;
  core::DataSize snapshot;       ///< asynchronous checkpoint in the fullest node's memory
  core::Duration snapshot_time;  ///< time that training waits for it
  core::DataSize host_memory;    ///< memory of a node; 0 if not given
  core::Bandwidth peak_read;     ///< rate of tokens or images, read evenly over a step
  double reader_cores = 0.0;     ///< cores of a node that move and decode samples
  std::string reader;            ///< library that loads samples; "" where the scenario has none
  bool assumes_reader = false;   ///< nobody stated it
  core::Duration hand_over;      ///< mean time that a step waits for a batch that is ready
  Spread training_time_s;        ///< from its start to its end
  std::array<double, kNumRunCauses> time_s{};
  Spread effective_training_time;  ///< share of the time in steps that count
  double num_checkpoints = 0.0;
  double num_interruptions = 0.0;
  int num_given_up = 0;  ///< replications that never finish
  std::array<double, models::kNumComponents> failures{};
  double bytes_written = 0.0;
  double bytes_read = 0.0;
  core::Duration mean_time_to_interruption = core::Duration::infinity();
  core::Duration young_interval;  ///< between checkpoints; 0 if nothing fails
  core::Duration daly_interval;
  core::Duration best_interval;  ///< by simulation, with run.optimize_interval

  /// Returns the checkpoint that is written first: on the local tier if there is one, else on
  /// storage.
  [[nodiscard]] const CheckpointResult& first_checkpoint() const {
    return local ? local->checkpoint : checkpoint;
  }
  [[nodiscard]] core::Duration training_time() const {
    return core::Duration::from_base(training_time_s.mean);
  }
};

/// Load of the storage cluster in one of the bins of equal width.
struct LoadBin {
  double read_bytes = 0.0;
  double written_bytes = 0.0;
  double operations = 0.0;           ///< bytes over those of a request: of samples, else 1 MiB
  double peak_read = 0.0;            ///< bytes/s
  double peak_write = 0.0;           ///< bytes/s
  double peak_node_read = 0.0;       ///< bytes/s of the storage node that is read most
  double peak_node_write = 0.0;      ///< bytes/s of the storage node that is written most
  double peak_operations = 0.0;      ///< 1/s
  double peak_processor_load = 0.0;  ///< all storage nodes together, 0 to 1
  double used = 0.0;                 ///< maximum bytes of files
};

/// Activity of a job over an interval.
struct RunSpan {
  std::int32_t job = 0;
  bool is_behind = false;  ///< a checkpoint written while training continued
  bool is_drain = false;   ///< such a checkpoint, from the local tier to storage
  std::string_view what;
  core::RunTime start;
  core::RunTime end;
  std::int64_t step = 0;  ///< step reached at the start
};

/// Storage nodes that a target needs.
struct StorageNeed {
  std::string_view target;
  int num_nodes = 0;  ///< 0: no number suffices
  std::string limit;  ///< the bottleneck with that number, or with the largest number
  /// The result of a node less, or of the largest number if none suffices; of several jobs.
  std::string missed{};
};

/// The places to which complete checkpoints go from the first pool of storage.
enum class CopyDestination : std::uint8_t { kOtherSite, kArchive };
inline constexpr std::array kCopyDestinations{CopyDestination::kOtherSite,
                                              CopyDestination::kArchive};
inline constexpr std::size_t kNumCopyDestinations = kCopyDestinations.size();

/// Copies of checkpoints to one destination.
struct CopyRun {
  bool exists = false;
  core::DataSize bytes;        ///< of those that arrived
  core::DataSize left;         ///< of those that had not arrived when the last job ended
  core::DataSize max_backlog;  ///< most bytes that waited or were under way
  core::Duration max_age;      ///< longest time from a complete checkpoint to its copy
};

/// Load of storage in the first replication.
struct StorageRun {
  int num_nodes = 0;
  core::Duration bin_width;
  std::vector<LoadBin> bins;
  core::Bandwidth peak_read;
  core::Bandwidth peak_write;
  core::Bandwidth percentile_95_read;  ///< over bins
  core::Bandwidth percentile_95_write;
  core::Bandwidth mean_read;
  core::Bandwidth mean_write;
  core::Bandwidth peak_node_read;  ///< on the busiest storage node
  core::Bandwidth peak_node_write;
  double peak_operations_per_s = 0.0;
  double peak_processor_load = 0.0;
  core::DataSize max_used;  ///< bytes of files
  core::DataSize usable;
  core::DataSize raw;
  core::Duration full_after = core::Duration::infinity();  ///< if others keep adding files
  std::array<CopyRun, kNumCopyDestinations> copies{};
  core::DataSize max_archived;  ///< bytes of files on the archive
  core::DataSize archive_usable;

  [[nodiscard]] const CopyRun& copies_to(CopyDestination destination) const {
    return copies[static_cast<std::size_t>(destination)];
  }
};

struct RunResult {
  bool is_beyond_clock = false;  ///< over a century long; lacks the events that it needs
  int num_replicas = 1;
  std::vector<JobRun> jobs;
  StorageRun storage;
  std::vector<StorageNeed> needs;  ///< one for each target
  std::vector<RunSpan> spans;      ///< first replication's, if asked for, in order of their ends

  [[nodiscard]] const JobRun& job() const { return jobs.front(); }
};

/// A further part of a job, on other nodes than its own: those from `first_node` on.
struct RunPart {
  const CheckedScenario* checked = nullptr;
  int first_node = 0;

  /// Returns the accelerators of each of its nodes.
  [[nodiscard]] int accelerators_per_node() const;
};

/// A job on its nodes: `first_node` and those after it.
struct RunJob {
  const CheckedScenario* checked = nullptr;
  core::Duration step_time;
  core::Duration start;
  int first_node = 0;
  /// Bytes that a step puts on each link of the fabric; only links that storage uses matter. Empty
  /// if storage has its own network.
  std::vector<double> link_bytes{};
  double degraded_link_speed = 1.0;  ///< of steps while the link of a NIC is degraded
  /// Parts that make the same steps and read samples of their own; `checked` is the one that writes
  /// checkpoints and restores them.
  std::vector<RunPart> others{};
  std::size_t pool = 0;  ///< of nodes of one kind, which stand in for one another

  /// Returns the accelerators of each of its nodes.
  [[nodiscard]] int accelerators_per_node() const;
};

/// Receives the number of simulated runs and of all runs. It is called once at a time, from any
/// thread.
using RunsDone = std::function<void(std::int64_t done, std::int64_t all)>;

struct RunOptions {
  bool trace = false;   ///< whether the result has spans
  int num_threads = 0;  ///< 0: one per core
  RunsDone tell{};      ///< may be empty
};

/// Simulates jobs that share one storage cluster; `fabric` is that of the whole cluster. Seed,
/// replications, spares and incidents come from `plan`, the fleet from the first job. The result
/// does not depend on the number of threads. A run of more than a century is reduced to steps and
/// checkpoints, without chance.
RunResult simulate_run(std::span<const RunJob> jobs, const core::Fabric& fabric,
                       const RunPlan& plan, const RunOptions& options = {});

}  // namespace railwright::simulation
