// SPDX-License-Identifier: Apache-2.0
// The keys of cast_constants.hpp.
#pragma once

#include "railwright/core/config/fields.hpp"
#include "railwright/core/hardware/cast_constants.hpp"

namespace railwright::core {

constexpr auto StreamConstants::fields() {
  return field_list(
      field("launch", &StreamConstants::launch, "Time of the operation on a few elements.",
            non_negative),
      field("ramp", &StreamConstants::ramp,
            "Added once the grid fills the device: half of it at 2,048 elements a "
            "multiprocessor.",
            non_negative),
      field("memory_share", &StreamConstants::memory_share,
            "Share of the memory bandwidth that large tensors reach.", fraction),
      field("cache", &StreamConstants::cache, "Capacity of the last cache before memory.",
            positive),
      field("cache_share", &StreamConstants::cache_share,
            "Bytes moved, over that capacity, from which nothing is found in the cache again.",
            between(0.0, 2.0)),
      field("cache_edge", &StreamConstants::cache_edge,
            "Share of the bytes at cache_share over which hits fade from all to none.", fraction),
      field("cache_speedup", &StreamConstants::cache_speedup,
            "Bandwidth of the cache over the memory's, as the operation uses both.", at_least(1.0)),
      field("write_back_share", &StreamConstants::write_back_share,
            "Bytes written back from the cache beside the operation's own, over the smaller of "
            "these and the capacity.",
            between(0.0, 1.0)));
}

constexpr auto CastConstants::fields() {
  return field_list(
      field("amax", &CastConstants::amax, "The search of the largest element, for a scale."),
      field("cast", &CastConstants::cast, "The cast to a narrower format by a known scale."));
}

}  // namespace railwright::core
