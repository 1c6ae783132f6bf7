// SPDX-License-Identifier: Apache-2.0
// A cable with the connectors or transceivers at its two ends.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "railwright/core/config/fields.hpp"
#include "railwright/core/units/quantity.hpp"

namespace railwright::core {

enum class CableMedium : std::uint8_t {
  kPassiveCopper,  ///< DAC: ends belong to the cable and take no power
  kActiveCopper,   ///< ACC or AEC: ends belong to the cable
  kMultimode,      ///< fibre between transceivers
  kSingleMode,     ///< fibre between transceivers
};

constexpr auto enum_words(CableMedium) {
  using enum CableMedium;
  return words<CableMedium>({{"passive_copper", kPassiveCopper},
                             {"active_copper", kActiveCopper},
                             {"multimode", kMultimode},
                             {"single_mode", kSingleMode}});
}

/// One length class of cable. A breakout joins one cage of a switch, split into several ports, to
/// as many far ends. A transceiver may serve several cables of a switch (a twin-port OSFP serves
/// two): `n` cables into a switch need ceil(n / ports_per_switch_transceiver) of them.
struct Cable {
  static constexpr std::string_view kKind = "cables";

  std::string name;
  std::string description;
  CableMedium medium = CableMedium::kPassiveCopper;
  Sourced<Bandwidth> rate;
  Sourced<double> reach_metres;
  int far_ends = 1;
  int ports_per_switch_transceiver = 1;
  Sourced<Power> nic_end_power;
  Sourced<Power> switch_end_power;

  [[nodiscard]] bool has_transceivers() const {
    return medium == CableMedium::kMultimode || medium == CableMedium::kSingleMode;
  }

  static constexpr auto fields();
};

}  // namespace railwright::core
