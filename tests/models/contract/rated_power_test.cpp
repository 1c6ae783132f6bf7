// SPDX-License-Identifier: Apache-2.0
// What nodes of the catalogue draw, beside what their vendors rate them at.
#include <gtest/gtest.h>

#include <iostream>

#include "entries.hpp"
#include "railwright/core/hardware/node.hpp"
#include "railwright/core/hardware/node_fields.hpp"
#include "railwright/models/power/node_power.hpp"

namespace railwright::models {
namespace {

/// What vendors rate nodes at, beside what is predicted while they compute: fans at full speed,
/// processors too, and a margin. The ratio of the first is that of all air-cooled ones.
TEST(RatedPower, IsPredictedWithinEightPercentByOneRatio) {
  struct Rated {
    const char* node;
    double kilowatts;
  };
  const core::Catalogue catalogue = test::catalogue();
  const auto kilowatts = [&](const char* name) {
    const auto node = test::entry<core::ComputeNode>(catalogue, name);
    return node_power(node, {}).of(Activity::kCompute).base() / 1000.0;
  };
  const double ratio = 10.2 / kilowatts("dgx-h100");  // NVIDIA DGX H100 user guide
  EXPECT_NEAR(ratio, 1.23, 0.02);
  for (const Rated one : {Rated{"dgx-a100", 6.5}, Rated{"dgx-b200", 14.3}, Rated{"xe8640", 5.0}}) {
    const double predicted = ratio * kilowatts(one.node);
    std::cout << one.node << ": " << predicted << " kW, rated " << one.kilowatts << '\n';
    EXPECT_NEAR(predicted / one.kilowatts, 1.0, 0.08);
  }
  // Racks that liquid cools have hardly a fan to speed up: 120 to 132 and 132 to 142 kW.
  EXPECT_NEAR(kilowatts("gb200-nvl72") / 126.0, 1.0, 0.08);
  EXPECT_NEAR(kilowatts("gb300-nvl72") / 137.0, 1.0, 0.08);
}

}  // namespace
}  // namespace railwright::models
