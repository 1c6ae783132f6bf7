// SPDX-License-Identifier: Apache-2.0
// A switch of the scale-out fabric with the ports it has in use.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "railwright/core/fabric/fabric.hpp"
#include "railwright/core/hardware/devices.hpp"

namespace railwright::topologies {

enum class Level : std::uint8_t { kLeaf, kSpine, kCore };
inline constexpr int kNumLevels = 3;

/// A placed switch and its used ports.
struct PlacedSwitch {
  core::VertexId vertex = -1;
  const core::Switch* model = nullptr;
  Level level = Level::kLeaf;
  int ports_down = 0;        ///< towards hosts and storage nodes
  int ports_up = 0;          ///< towards other switches of its level or above
  int ports_of_storage = 0;  ///< ports among ports_down that storage nodes use
  core::Bandwidth down;
  core::Bandwidth up;

  [[nodiscard]] int ports_used() const { return ports_down + ports_up; }
};

constexpr std::string_view to_string(Level level) {
  constexpr std::array<std::string_view, kNumLevels> kNames{"leaf", "spine", "core"};
  return kNames.at(static_cast<std::size_t>(level));
}

}  // namespace railwright::topologies
