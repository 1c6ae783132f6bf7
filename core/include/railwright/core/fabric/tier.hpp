// SPDX-License-Identifier: Apache-2.0
// The tiers of links in a cluster.
#pragma once

#include <cstdint>
#include <string_view>

namespace railwright::core {

enum class Tier : std::uint8_t {
  kScaleUp,    ///< accelerator - NVSwitch
  kPcie,       ///< accelerator or NIC - PCIe switch
  kHost,       ///< PCIe switch - CPU, and CPU - CPU
  kInjection,  ///< NIC - leaf
  kFabric,     ///< switch - switch
  kFrontEnd,   ///< front-end NIC - switch, and between the front-end switches
  kStorage,    ///< switch - storage node
};
inline constexpr int kNumTiers = 7;
std::string_view to_string(Tier tier);

}  // namespace railwright::core
