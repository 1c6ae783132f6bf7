// SPDX-License-Identifier: Apache-2.0
// Reads of samples by the data loaders of one job.
#pragma once

#include <vector>

#include "railwright/models/storage/storage.hpp"
#include "run_model.hpp"
#include "ways.hpp"

namespace railwright::simulation {

struct Scenario;

/// The reads of one job's steps. `ways` must have a network.
class SampleReads {
 public:
  SampleReads(const RunJob& job, const Ways& ways);

  [[nodiscard]] StepReads first_epoch() const { return reads(1.0); }
  /// Returns the reads of later epochs. The first epoch fills the nodes' page cache; later a node
  /// finds the samples there that it keeps of the dataset, or of its own part with fixed shards.
  [[nodiscard]] StepReads later_epochs() const;

  /// Returns the time of cores that the node with the most readers takes for the samples of a step,
  /// all from storage: to move and decode them.
  [[nodiscard]] core::Duration core_time() const;

  /// Returns the mean time that a step waits for a batch that is ready.
  [[nodiscard]] core::Duration hand_over() const;

 private:
  /// Returns the reads if `share` of the samples come from storage.
  [[nodiscard]] StepReads reads(double share) const;
  [[nodiscard]] models::DataLoader loader(double share) const;
  [[nodiscard]] core::DataSize request() const;
  [[nodiscard]] double stream_rate() const;
  [[nodiscard]] double decode_seconds() const;
  [[nodiscard]] double core_seconds(double share) const;
  [[nodiscard]] double largest_part() const;
  [[nodiscard]] int most_readers() const;

  const RunJob& job_;
  const Scenario& scenario_;
  const Ways& ways_;
  std::vector<models::StorageStream> readers_;
  models::TransferLoads loads_;  // of a step, all from storage
  double stream_rate_;           // bytes/s of one worker while nothing else reads
  int most_readers_;             // of a node
};

}  // namespace railwright::simulation
