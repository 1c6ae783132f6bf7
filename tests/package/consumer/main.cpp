// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "railwright/core/units/quantity.hpp"

int main() {
  using railwright::core::Bandwidth;
  using railwright::core::DataSize;
  const auto time = DataSize::from_base(1e12) / Bandwidth::from_base(50e9);
  std::printf("1 TB at 50 GB/s: %g s\n", time.base());
  return time.base() == 20.0 ? 0 : 1;
}
