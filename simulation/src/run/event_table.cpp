// SPDX-License-Identifier: Apache-2.0
#include "event_table.hpp"

namespace railwright::simulation::replication {

core::EventId EventTable::add(EventKind kind, std::size_t owner, std::int32_t which) {
  core::EventId id = 0;
  if (free_.empty()) {
    id = static_cast<core::EventId>(events_.size());
    events_.emplace_back();
  } else {
    id = free_.back();
    free_.pop_back();
  }
  events_[id] = {
      .kind = kind, .owner = static_cast<std::int32_t>(owner), .which = which, .is_live = true};
  return id;
}

}  // namespace railwright::simulation::replication
