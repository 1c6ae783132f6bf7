// SPDX-License-Identifier: Apache-2.0
// Checkpoints on the nodes' own drives or memory.
#pragma once

#include <span>
#include <vector>

#include "railwright/models/checkpoint/checkpoint.hpp"
#include "railwright/models/software/profile.hpp"
#include "railwright/simulation/run/run.hpp"
#include "transfer.hpp"

namespace railwright::simulation {

/// The local tier of a job. Each node's tier is a link of capacity 1; a byte takes 1 / read rate or
/// 1 / write rate of it. `first_link` belongs to the first node of the cluster. Each process writes
/// and reads its own part, on its own node.
class LocalTier {
 public:
  LocalTier(const RunJob& job, std::span<const models::CheckpointFile> files,
            core::LinkId first_link);

  /// time = bytes of the largest writer / serialization_rate
  ///        + max(bytes of the largest writer / writer_rate,
  ///              bytes of the fullest node, copies of others included / write rate,
  ///              bytes of the fullest node * copies elsewhere / payload rate of its NICs)
  Transfer checkpoint(CheckpointResult& result) const;
  /// time = max(bytes of the largest reader / reader_rate, bytes of the fullest node / read rate)
  Transfer restore(RestoreResult& result) const;
  /// Returns restore() where the fullest node takes its part from another one:
  /// time = max(time of restore(), bytes of the fullest node / payload rate of its NICs)
  Transfer peer_restore(core::Duration& time) const;
  /// Returns the link uses of a checkpoint's byte while it is copied to storage.
  [[nodiscard]] std::vector<core::LinkUse> drain_uses() const {
    return uses(models::read_rate(plan_.tier, node_));
  }

 private:
  [[nodiscard]] core::Bandwidth writer_rate() const;
  [[nodiscard]] core::Bandwidth reader_rate() const;
  /// Returns the seconds to send the part of the fullest node to another one.
  [[nodiscard]] double seconds_to_peer() const;
  [[nodiscard]] std::vector<core::LinkUse> uses(core::Bandwidth rate) const;

  const LocalCheckpoints& plan_;
  const models::CheckpointFormat& format_;
  const core::ComputeNode& node_;
  core::LinkId first_link_;
  std::vector<double> of_node_;  // bytes, by node of the job
  std::int64_t bytes_ = 0;
  double largest_ = 0.0;  // bytes of a process
  int num_parts_ = 1;     // of the fullest node
  int num_writers_ = 0;
  std::int64_t num_files_ = 0;
};

/// Returns the bytes of one checkpoint that its writers leave on the fullest node.
double bytes_of_fullest(std::span<const models::CheckpointFile> files);

/// Returns how many nodes' parts the fullest node of a job holds, copies of others included, if
/// the parts are spread evenly over its nodes.
int parts_of_fullest(std::span<const models::CheckpointFile> files, int copies, int num_nodes);

}  // namespace railwright::simulation
