// SPDX-License-Identifier: Apache-2.0
// Plan of a run around its steps: phases, checkpoints, reads of data, and incidents.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "railwright/core/config/fields.hpp"
#include "railwright/core/units/quantity.hpp"
#include "railwright/models/data_loading/data_reader.hpp"
#include "railwright/models/offload/tier.hpp"
#include "railwright/models/reliability/reliability.hpp"

namespace railwright::simulation {

enum class CheckpointMode : std::uint8_t {
  kSynchronous,   ///< training waits until it is written
  kAsynchronous,  ///< training waits for a copy in host memory, and continues while that is written
};

constexpr auto enum_words(CheckpointMode) {
  using enum CheckpointMode;
  return core::words<CheckpointMode>(
      {{"synchronous", kSynchronous}, {"asynchronous", kAsynchronous}});
}

enum class Restore : std::uint8_t {
  kAll,        ///< each replica reads it
  kBroadcast,  ///< one replica reads it and hands it to the others over the fabric
};

constexpr auto enum_words(Restore) {
  using enum Restore;
  return core::words<Restore>({{"all", kAll}, {"broadcast", kBroadcast}});
}

/// Checkpoints that go to the nodes' local tier first and are copied from there to the storage
/// cluster while training continues. A node that is replaced takes its checkpoints with it, unless
/// other nodes have copies [@wang2023gemini].
struct LocalCheckpoints {
  models::OffloadTier tier;
  int retention = 1;
  int drain_every = 1;
  int copies = 1;
  std::optional<core::Bandwidth> writer_rate;
  std::optional<core::Bandwidth> reader_rate;

  static constexpr auto fields();
};

/// Time and manner of a job's checkpoints.
struct CheckpointPlan {
  std::int64_t interval_steps = 0;
  std::optional<core::Duration> interval;
  CheckpointMode mode = CheckpointMode::kSynchronous;
  int retention = 0;
  int archive_after = 0;
  Restore restore = Restore::kAll;
  bool at_end = false;
  std::optional<LocalCheckpoints> local;
  int files_per_writer = 1;
  double metadata_operations = 0.0;
  std::optional<double> data_reduction;

  static constexpr auto fields();
};

/// Source of the samples, and how they are loaded.
struct DataPlan {
  std::optional<core::DataSize> size;
  bool shuffled = true;
  std::optional<core::DataSize> request;
  double metadata_operations = 0.0;
  int num_workers = 8;
  int prefetch = 2;
  core::Duration decode;
  std::optional<models::DataReader> reader;
  bool assumes_reader = false;  ///< nobody stated one
  std::optional<core::Duration> hand_over;
  std::optional<double> jitter;
  std::optional<core::Duration> epoch_start_up;
  core::DataSize page_cache;
  bool fixed_shards = false;
  std::optional<core::Bandwidth> staging_rate;
  std::optional<double> data_reduction;

  static constexpr auto fields();
};

/// Something that breaks at a given time.
struct Incident {
  core::Duration time;
  models::Component component = models::Component::kNode;
  int num_nodes = 1;
  std::string job;  ///< its name; empty: the first one

  static constexpr auto fields();
};

/// A load of others on the storage, from outside the cluster and spread over all storage nodes.
struct OtherLoad {
  core::Duration start;
  core::Duration duration;
  core::Bandwidth read;
  core::Bandwidth write;

  static constexpr auto fields();
};

/// Targets for storage; the result has the number of nodes that each one needs.
struct StorageTargets {
  double checkpoint_stall = 0.05;
  core::Duration restore = core::Duration::from_base(600.0);
  int checkpoints_kept = 5;

  static constexpr auto fields();
};

/// Phases of a job around its steps, and chance.
struct RunPlan {
  std::optional<core::Duration> step_time;
  core::Duration start_up;
  core::Duration communicator_initialization;
  core::DataSize dataset_index;
  int warm_up_steps = 0;
  double warm_up_slowdown = 1.0;
  std::int64_t evaluation_interval_steps = 0;
  std::int64_t evaluation_steps = 0;
  int num_spares = 0;
  std::optional<int> min_replicas;
  int replicas = 100;
  std::int64_t seed = 1;
  std::vector<Incident> incidents;
  std::vector<OtherLoad> other_loads;
  std::optional<StorageTargets> targets;
  bool optimize_interval = false;

  static constexpr auto fields();
};

}  // namespace railwright::simulation
