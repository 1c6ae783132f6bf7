// SPDX-License-Identifier: Apache-2.0
// Meanings of the events of a replication's engine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "railwright/core/sim/engine.hpp"

namespace railwright::simulation::replication {

enum class EventKind : std::uint8_t {
  kStart,
  kPhaseEnd,
  kCopyEnd,
  kDrainEnd,
  kFailure,
  kLemonFailure,
  kSlowPart,
  kSlowPartFound,
  kNodeRepaired,
  kStorageRepaired,
  kRebuilt,
  kOthersStart,
  kOthersEnd,
  kIncident,
  kCopied,
};

/// Meaning of an event of the engine.
struct Event {
  EventKind kind = EventKind::kStart;
  std::int32_t owner = 0;  ///< job, if it is about one; storage fails as the one after the last
  std::int32_t which =
      0;  ///< failure rate, lemon, slow part, load of others, incident or destination
  bool is_live = false;  ///< somebody still waits for it
};

/// The events that the engine holds. A number is free for another event once the engine holds it no
/// longer, so the table has only as many places as events are pending at once.
class EventTable {
 public:
  /// Returns the number of a new live event.
  core::EventId add(EventKind kind, std::size_t owner, std::int32_t which = 0);

  /// Returns an event that the engine has delivered and frees its number.
  Event take(core::EventId id) {
    remove(id);
    return events_[id];
  }

  /// Frees the number of an event that the engine will not deliver.
  void remove(core::EventId id) { free_.push_back(id); }

  /// Marks an event that the engine will deliver although nobody waits for it any longer.
  void abandon(core::EventId id) { events_[id].is_live = false; }

  [[nodiscard]] std::size_t num_places() const { return events_.size(); }

 private:
  std::vector<Event> events_;
  std::vector<core::EventId> free_;
};

}  // namespace railwright::simulation::replication
