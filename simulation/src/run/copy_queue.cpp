// SPDX-License-Identifier: Apache-2.0
#include "copy_queue.hpp"

#include <algorithm>

namespace railwright::simulation::replication {

CopyQueue::CopyQueue(CopyDestination destination, double rate, const RunModel& model,
                     RunFlows& flows, EventTable& events)
    : destination_(destination), rate_(rate), model_(model), flows_(flows), events_(events) {}

void CopyQueue::start(std::int64_t bytes) {
  constexpr std::size_t kReads = 0;
  flows_.start(flow_, bytes, model_.outside[flows_.state()][kReads].uses, rate_);
}

void CopyQueue::add(const Copy& copy) {
  waiting_.push_back(copy);
  backlog_ += copy.bytes;
  record_.max_backlog = std::max(record_.max_backlog, backlog_);
  if (waiting_.size() > 1) return;
  flow_.event = events_.add(EventKind::kCopied, copy.job, static_cast<std::int32_t>(destination_));
  start(copy.bytes);
}

Copy CopyQueue::end(core::RunTime now) {
  flow_.end();
  note_age(now, record_);
  const Copy copy = waiting_.front();
  waiting_.pop_front();
  backlog_ -= copy.bytes;
  record_.bytes += copy.bytes;
  if (!waiting_.empty()) {
    flow_.event = events_.add(EventKind::kCopied, waiting_.front().job,
                              static_cast<std::int32_t>(destination_));
    start(waiting_.front().bytes);
  }
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
