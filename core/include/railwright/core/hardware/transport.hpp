// SPDX-License-Identifier: Apache-2.0
// A network protocol's effect on the adapters and switches it runs over.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "railwright/core/config/fields.hpp"
#include "railwright/core/units/quantity.hpp"

namespace railwright::core {

/// The protocol that the ports of adapters and switches speak on a cable.
enum class LinkProtocol : std::uint8_t { kInfiniband, kEthernet };

constexpr auto enum_words(LinkProtocol) {
  using enum LinkProtocol;
  return words<LinkProtocol>({{"infiniband", kInfiniband}, {"ethernet", kEthernet}});
}

/// Time per byte.
using TimePerByte = decltype(Duration{} / DataSize{});

/// A flow of messages of s bytes reaches `line rate x efficiency x s / (s + half_size)`: messages
/// are posted one after the other without waiting, and each costs as much as half_size extra bytes.
/// `latency` is a message's time beyond the adapters and switches. `host_cost` limits a flow driven
/// by one processor core to 1 / host_cost.
struct Transport {
  static constexpr std::string_view kKind = "transports";

  std::string name;
  std::string description;
  Sourced<double> efficiency{.value = 1.0, .source = {}};
  Sourced<DataSize> half_size;
  Sourced<Duration> latency;
  Sourced<TimePerByte> host_cost;
  bool rdma = true;
  std::vector<LinkProtocol> link_protocols;

  static constexpr auto fields() {
    return field_list(
        field("name", &Transport::name, "Name in the catalogue."),
        field("description", &Transport::description, "The protocol in words."),
        field("efficiency", &Transport::efficiency,
              "Share of the line rate that large transfers reach.", fraction),
        field("half_size", &Transport::half_size,
              "Message size at which a flow reaches half of what large messages do.", non_negative),
        field("latency", &Transport::latency,
              "One way, beyond what the adapters and switches take.", non_negative),
        field("host_cost", &Transport::host_cost,
              "Processor time a byte, at the end where it is larger.", non_negative),
        field("rdma", &Transport::rdma,
              "Whether adapters read and write memory by themselves. Without, data goes through "
              "host memory whatever `gpudirect` says.",
              optional),
        field("link_protocols", &Transport::link_protocols,
              "Link protocols that carry it; any where absent.", optional));
  }
};

}  // namespace railwright::core
