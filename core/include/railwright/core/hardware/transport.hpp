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

  static constexpr auto fields();
};

}  // namespace railwright::core
