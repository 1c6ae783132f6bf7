// SPDX-License-Identifier: Apache-2.0
#include "copy_queue.hpp"

#include <algorithm>

namespace railwright::simulation::replication {

CopyQueue::CopyQueue(CopyDestination destination, const RunModel& model, RunFlows& flows,
                     EventTable& events)
    : destination_(destination),
      rate_(model.copy_rates[static_cast<std::size_t>(destination)]),
      model_(model),
      flows_(flows),
      events_(events) {}

void CopyQueue::start_first() {
  const Copy& first = waiting_.front();
  flow_.event = events_.add(EventKind::kCopied, first.job, static_cast<std::int32_t>(destination_));
  start(first.bytes);
}

void CopyQueue::start(std::int64_t bytes) {
  constexpr std::size_t kReads = 0;
  flows_.start(flow_, bytes, loads_of(model_.outside[flows_.state()][kReads]), rate_);
}

void CopyQueue::add(const Copy& copy) {
  waiting_.push_back(copy);
  backlog_ += copy.bytes;
  record_.max_backlog = std::max(record_.max_backlog, backlog_);
  if (waiting_.size() == 1) start_first();
}

Copy CopyQueue::end(core::RunTime now) {
  flow_.end();
  note_age(now, record_);
  const Copy copy = waiting_.front();
  waiting_.pop_front();
  backlog_ -= copy.bytes;
  record_.bytes += copy.bytes;
  if (!waiting_.empty()) start_first();
  return copy;
}

void CopyQueue::move_on() {
  if (flow_.is_under_way()) start(flows_.pause(flow_));
}

void CopyQueue::note_age(core::RunTime now, CopyRecord& record) const {
  if (!waiting_.empty()) record.max_age = std::max(record.max_age, now - waiting_.front().since);
}

CopyRecord CopyQueue::record(core::RunTime now) const {
  CopyRecord record = record_;
  note_age(now, record);
  record.left = backlog_;
  return record;
}

}  // namespace railwright::simulation::replication
