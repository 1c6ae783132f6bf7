// SPDX-License-Identifier: Apache-2.0
#include "result_text.hpp"

#include <fmt/format.h>

#include "number_text.hpp"
#include "phrases.hpp"
#include "railwright/core/units/text.hpp"

namespace railwright::output {

std::string number_text(double value, simulation::NumberFormat format) {
  using simulation::NumberFormat;
  switch (format) {
    case NumberFormat::kCount:
      return fmt::format("{:.0f}", value);
    case NumberFormat::kLarge:
      return value >= 1e9 ? fmt::format("{:.1f} billion", value / 1e9)
                          : fmt::format("{:.1f} million", value / 1e6);
    case NumberFormat::kPlain:
      return fmt::format("{:.4g}", value);
    case NumberFormat::kShare:
      return percent(value);
    case NumberFormat::kTime:
      return core::to_text(core::Duration::from_base(value));
    case NumberFormat::kBytes:
      return core::to_text(core::DataSize::from_base(value));
    case NumberFormat::kMemory:
      return core::memory_text(core::DataSize::from_base(value));
    case NumberFormat::kBytesPerSecond:
      return core::to_text(core::Bandwidth::from_base(value));
    case NumberFormat::kPower:
      return core::to_text(core::Power::from_base(value));
    case NumberFormat::kPowerPerSecond:
      return core::to_text(core::Power::from_base(value)) + "/s";
    case NumberFormat::kMass:
      return fmt::format("{:.4g} kg", value);
    case NumberFormat::kEnergy:
      return core::to_text(core::Energy::from_base(value));
    case NumberFormat::kMoney:
      return money(core::Money::from_base(value));
  }
  return {};
}

}  // namespace railwright::output
