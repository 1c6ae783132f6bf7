// SPDX-License-Identifier: Apache-2.0
// Unit literals, for .cpp files and tests only: 400.0_Gbps, 80.0_GB.
#pragma once

#include "railwright/core/units/quantity.hpp"

namespace railwright::core::literals {

constexpr Duration operator""_s(long double v) {
  return Duration::from_base(static_cast<double>(v));
}
constexpr Duration operator""_us(long double v) {
  return Duration::from_base(static_cast<double>(v) * 1e-6);
}
constexpr Duration operator""_min(long double v) {
  return Duration::from_base(static_cast<double>(v) * 60.0);
}
constexpr DataSize operator""_B(long double v) {
  return DataSize::from_base(static_cast<double>(v));
}
constexpr DataSize operator""_MB(long double v) {
  return DataSize::from_base(static_cast<double>(v) * 1e6);
}
constexpr DataSize operator""_GB(long double v) {
  return DataSize::from_base(static_cast<double>(v) * 1e9);
}
constexpr Bandwidth operator""_GBps(long double v) {
  return Bandwidth::from_base(static_cast<double>(v) * 1e9);
}
constexpr Bandwidth operator""_Gbps(long double v) {
  return Bandwidth::from_base(static_cast<double>(v) * 0.125e9);
}
constexpr Work operator""_TFLOP(long double v) {
  return Work::from_base(static_cast<double>(v) * 1e12);
}
constexpr ComputeRate operator""_TFLOPps(long double v) {
  return ComputeRate::from_base(static_cast<double>(v) * 1e12);
}
constexpr Power operator""_W(long double v) { return Power::from_base(static_cast<double>(v)); }

}  // namespace railwright::core::literals
