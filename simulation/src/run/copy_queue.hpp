// SPDX-License-Identifier: Apache-2.0
// Checkpoints on their way from the first pool of storage, behind the jobs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

#include "active_flow.hpp"
#include "event_table.hpp"
#include "replication.hpp"
#include "run_flows.hpp"

namespace railwright::simulation::replication {

/// A complete checkpoint that has to be elsewhere too.
struct Copy {
  std::size_t job = 0;
  std::int64_t bytes = 0;
  core::RunTime since;  ///< when it was complete
};

/// Copies to one destination, one after another in the order of their checkpoints. Each is read
/// from all storage nodes alike, at most at the rate of the destination.
class CopyQueue {
 public:
  CopyQueue(CopyDestination destination, const RunModel& model, RunFlows& flows,
            EventTable& events);

  [[nodiscard]] bool exists() const { return rate_ > 0.0; }
  void add(const Copy& copy);
  /// Notes that the first copy has arrived, starts the next one and returns the first.
  Copy end(core::RunTime now);
  /// Restarts the rest of the copy under way over the storage nodes that are up now.
  void move_on();
  /// Returns the flow of the copy under way.
  [[nodiscard]] ActiveFlow& flow() { return flow_; }
  /// Returns the record up to `now`, with the age of what has not arrived.
  [[nodiscard]] CopyRecord record(core::RunTime now) const;

 private:
  void start_first();
  void start(std::int64_t bytes);
  void note_age(core::RunTime now, CopyRecord& record) const;

  CopyDestination destination_;
  double rate_;
  const RunModel& model_;
  RunFlows& flows_;
  EventTable& events_;
  ActiveFlow flow_;
  std::deque<Copy> waiting_;  // the first one is under way
  std::int64_t backlog_ = 0;  // bytes of all that wait
  CopyRecord record_;
};

}  // namespace railwright::simulation::replication
