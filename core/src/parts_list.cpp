// SPDX-License-Identifier: Apache-2.0
#include "railwright/core/parts_list.hpp"

#include <algorithm>

namespace railwright::core {

namespace {

bool is_scale_out(const SwitchTier& tier) { return tier.name != kFrontEndTier; }

}  // namespace

int PartsList::rack_units() const {
  int sum = fabric.rack_units;
  for (const Part& part : parts) sum += part.rack_units;
  return sum;
}

Power PartsList::power() const {
  Power sum = fabric.power;
  for (const Part& part : parts) sum += part.power;
  return sum;
}

int FabricBill::num_switches() const {
  int sum = 0;
  for (const SwitchTier& tier : switches) sum += is_scale_out(tier) ? tier.count : 0;
  return sum;
}

double FabricBill::oversubscription() const {
  double most = 0.0;
  for (const SwitchTier& tier : switches) {
    if (is_scale_out(tier)) most = std::max(most, tier.oversubscription);
  }
  return most;
}

}  // namespace railwright::core
