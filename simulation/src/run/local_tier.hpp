// SPDX-License-Identifier: Apache-2.0
// Checkpoints on what the nodes have themselves: drives or memory.
#pragma once

#include <span>
#include <vector>

#include "railwright/models/checkpoint/checkpoint.hpp"
#include "railwright/simulation/run/run.hpp"
#include "transfer.hpp"

namespace railwright::simulation {

/// The tier of each node of a job is a link of capacity 1, `first_link` being that of the first
/// node of the cluster; a byte takes 1 / read rate or 1 / write rate of it. Each process writes
/// and reads what it holds, on its own node.
class LocalTier {
 public:
  LocalTier(const RunJob& job, std::span<const models::CheckpointFile> files,
            core::LinkId first_link);

  /// time = bytes of the largest writer / serialization_rate
  ///        + max(the same / writer_rate, bytes of the fullest node / write rate)
  Transfer checkpoint(CheckpointResult& result) const;
  /// time = max(bytes of the largest reader / reader_rate, bytes of the fullest node / read rate)
  Transfer restore(RestoreResult& result) const;
  /// What a byte of the checkpoint takes while it is copied to storage.
  [[nodiscard]] std::vector<core::LinkUse> drain_uses() const {
    return uses(models::read_rate(plan_.tier, node_));
  }

 private:
  [[nodiscard]] core::Bandwidth writer_rate() const;
  [[nodiscard]] core::Bandwidth reader_rate() const;
  [[nodiscard]] std::vector<core::LinkUse> uses(core::Bandwidth rate) const;

  const LocalCheckpoints& plan_;
  const models::CheckpointFormat& format_;
  const core::ComputeNode& node_;
  core::LinkId first_link_;
  std::vector<double> of_node_;  // bytes, by node of the job
  std::int64_t bytes_ = 0;
  double largest_ = 0.0;  // bytes of a process
  int num_writers_ = 0;
  std::int64_t num_files_ = 0;
};

/// Bytes of the fullest node for one checkpoint.
double bytes_of_fullest(std::span<const models::CheckpointFile> files);

}  // namespace railwright::simulation
