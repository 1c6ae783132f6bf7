// SPDX-License-Identifier: Apache-2.0
// The events of one replica against those of all.
#include "railwright/simulation/step/least_simulated_time.hpp"

#include <gtest/gtest.h>

#include "grid.hpp"
#include "railwright/simulation/step/costs.hpp"
#include "railwright/simulation/step/step.hpp"
#include "railwright/topologies/topology.hpp"

namespace railwright::simulation {
namespace {

TEST(LeastSimulatedTime, IsBelowTheEventsOfAllReplicasAndNear) {
  int num_near = 0;
  int num_points = 0;
  for (const test::GridPoint& point : test::grid()) {
    for (const bool overlap : {false, true}) {
      const CheckedScenario checked =
          test::scenario(test::join(point.settings, test::overlaps(overlap)));
      const auto built = checked.topology->build(checked.scenario.cluster);
      const double least = least_simulated_time(checked, built.fabric).base();
      const double all = simulate_step(step_costs(checked, built.fabric)).step_time.base();
      EXPECT_LE(least, all) << point.name << (overlap ? " overlapping" : "");
      EXPECT_GT(least, 0.5 * all) << point.name << (overlap ? " overlapping" : "");
      ++num_points;
      if (least > 0.97 * all) ++num_near;
    }
  }
  EXPECT_GT(num_near, num_points / 2);
}

}  // namespace
}  // namespace railwright::simulation
