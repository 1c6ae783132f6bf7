// SPDX-License-Identifier: Apache-2.0
// The keys of tier.hpp.
#pragma once

#include "railwright/core/config/fields.hpp"
#include "railwright/models/offload/tier.hpp"

namespace railwright::models {

constexpr auto OffloadTier::fields() {
  using core::field;
  using core::optional;
  using core::positive;
  return core::field_list(
      field("name", &OffloadTier::name, "Name in the catalogue."),
      field("description", &OffloadTier::description, "The tier in words."),
      field("medium", &OffloadTier::medium, "What it is made of.", optional),
      field("capacity", &OffloadTier::capacity, "What a node can keep there.", positive, optional),
      field("read_rate", &OffloadTier::read_rate,
            "What all accelerators of a node together can read of it.", positive),
      field("write_rate", &OffloadTier::write_rate,
            "What they can write to it; read_rate where absent.", positive),
      field("read_operations_per_s", &OffloadTier::read_operations_per_s,
            "Requests that it answers for reads; no limit of its own where absent.", positive),
      field("write_operations_per_s", &OffloadTier::write_operations_per_s, "The same of writes.",
            positive),
      field("latency", &OffloadTier::latency, "Of a request.", core::non_negative, optional),
      field("request", &OffloadTier::request, "Bytes that are asked for at a time.", positive,
            optional),
      field("num_requests", &OffloadTier::num_requests,
            "Requests that a node has under way: threads times queue depth of each.",
            core::between(1, 1e6), optional),
      field("update_rate", &OffloadTier::update_rate,
            "Memory traffic of the node's processors while they step an optimizer whose state lies "
            "here.",
            positive, optional));
}

}  // namespace railwright::models
