// SPDX-License-Identifier: Apache-2.0
#include "background_flows.hpp"

#include <cmath>

namespace railwright::simulation::replication {

BackgroundFlows::BackgroundFlows(const RunModel& model, RunFlows& flows, EventTable& events)
    : model_(model),
      flows_(flows),
      events_(events),
      others_(model.num_storage_nodes > 0 ? 2 * model.plan.other_loads.size() : 0),
      copies_{CopyQueue(CopyDestination::kOtherSite, model, flows, events),
              CopyQueue(CopyDestination::kArchive, model, flows, events)} {}

void BackgroundFlows::start(std::size_t i) {
  const OtherLoad& load = model_.plan.other_loads[i / 2];
  const bool is_write = i % 2 == 1;
  const core::Bandwidth rate = is_write ? load.write : load.read;
  if (rate.base() == 0.0) return;
  others_[i].event = events_.add(EventKind::kOthersEnd, 0, static_cast<std::int32_t>(i));
  others_[i].is_write = is_write;
  move(i, std::llround((rate * load.duration).base()));
}

void BackgroundFlows::move(std::size_t i, std::int64_t bytes) {
  const OtherLoad& load = model_.plan.other_loads[i / 2];
  flows_.start(others_[i], bytes, loads_of(model_.outside[flows_.state()][i % 2]),
               (i % 2 == 1 ? load.write : load.read).base());
}

void BackgroundFlows::rebuild(std::int64_t bytes) {
  if (rebuild_.is_under_way()) bytes += flows_.stop(rebuild_);
  if (flows_.is_offline() || bytes == 0) return;
  rebuild_.event = events_.add(EventKind::kRebuilt, model_.jobs.size());
  rebuild_.is_write = true;
  const Transfer& transfer = model_.rebuilds[flows_.state()];
  flows_.start(rebuild_, bytes, loads_of(transfer), transfer.ceiling);
}

void BackgroundFlows::move_on() {
  rebuild(0);
  for (std::size_t i = 0; i < others_.size(); ++i) {
    if (others_[i].is_under_way()) move(i, flows_.pause(others_[i]));
  }
  for (CopyQueue& queue : copies_) queue.move_on();
}

}  // namespace railwright::simulation::replication
