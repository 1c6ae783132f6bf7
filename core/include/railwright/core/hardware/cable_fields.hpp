// SPDX-License-Identifier: Apache-2.0
// The keys of cable.hpp.
#pragma once

#include "railwright/core/config/fields.hpp"
#include "railwright/core/hardware/cable.hpp"

namespace railwright::core {

constexpr auto Cable::fields() {
  return field_list(
      field("name", &Cable::name, "Name in the catalogue."),
      field("description", &Cable::description, "The cable in words."),
      field("medium", &Cable::medium, "Copper, passive or active, or fibre with transceivers."),
      field("rate", &Cable::rate,
            "What one far end carries, one direction; a link takes cables of its own rate.",
            positive),
      field("reach_metres", &Cable::reach_metres, "Longest length.", positive),
      field("far_ends", &Cable::far_ends,
            "Far ends of one cable: 4 of a breakout of a 400 Gb/s cage into four ports of 100 "
            "Gb/s.",
            between(1, 64), optional),
      field("ports_per_switch_transceiver", &Cable::ports_per_switch_transceiver,
            "Cables that one transceiver of a switch serves.", between(1, 64), optional),
      field("nic_end_power", &Cable::nic_end_power, "Power of a far end, in an adapter.",
            non_negative),
      field("switch_end_power", &Cable::switch_end_power,
            "Power of the end in a switch, a cable's share of the transceiver.", non_negative));
}

}  // namespace railwright::core
