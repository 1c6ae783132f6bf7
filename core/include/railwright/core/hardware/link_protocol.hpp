// SPDX-License-Identifier: Apache-2.0
// The protocol that the ports of adapters and switches speak on a cable.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

#include "railwright/core/config/fields.hpp"

namespace railwright::core {

enum class LinkProtocol : std::uint8_t { kInfiniband, kEthernet };

template <>
struct EnumNames<LinkProtocol> {
  static constexpr std::array<std::pair<std::string_view, LinkProtocol>, 2> kNames{
      {{"infiniband", LinkProtocol::kInfiniband}, {"ethernet", LinkProtocol::kEthernet}}};
};

}  // namespace railwright::core
