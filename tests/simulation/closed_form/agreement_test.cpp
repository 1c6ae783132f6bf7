// SPDX-License-Identifier: Apache-2.0
// Estimate against simulation over the grid, by how much the transfers of a step meet.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "../step/grid.hpp"
#include "railwright/simulation/closed_form/estimate.hpp"
#include "railwright/simulation/step/step.hpp"

namespace railwright::simulation {
namespace {

enum Meeting : std::size_t {
  kNothing,  ///< no overlap, one switch, tensor groups within nodes, stages with NICs of their own
  kOneOverlap,    ///< the same with overlaps, without pipeline
  kSharedNics,    ///< stages share the NICs of a node, or tensor groups span nodes
  kAsynchronous,  ///< pipeline sends that overlap with everything else
  kThinBundle,    ///< all of that, squeezed between two switches
  kNumMeetings,
};

/// Largest difference that each class may show. What the estimate leaves out: transfers of one kind
/// that meet those of another, except for the total on the busiest link.
constexpr std::array<double, kNumMeetings> kBounds{0.005, 0.01, 0.03, 0.05, 0.30};

Meeting meeting_of(const test::BuiltScenario& built, bool overlap, bool dual) {
  const models::Layout& layout = built.checked.layout;
  if (dual) return kThinBundle;
  if (layout.pp == 1 && layout.tp <= 8) return overlap ? kOneOverlap : kNothing;
  if (overlap) return kAsynchronous;
  const bool own_nics = layout.dp * layout.tp % 4 == 0 && layout.tp <= 8;
  return own_nics ? kNothing : kSharedNics;
}

TEST(EstimateAgrees, WithSimulationByHowMuchTransfersMeet) {
  auto points = test::grid();
  for (const char* nodes : {"2", "4", "6"}) {
    for (const char* nics : {"8", "4"}) {
      points.push_back({std::string("7B, single, nodes ") + nodes,
                        {std::string("cluster.nodes=") + nodes,
                         std::string("cluster.node.nics.count=") + nics}});
    }
  }
  points.push_back({"70B, single, 8 NICs", test::llama_2_70b()});
  points.push_back(
      {"70B, single, 4 NICs", test::join(test::llama_2_70b(), {"cluster.node.nics.count=4"})});
  std::array<double, kNumMeetings> worst{};
  for (const auto& point : points) {
    for (const bool overlap : {false, true}) {
      const test::BuiltScenario built(test::join(point.settings, test::overlaps(overlap)));
      const bool dual = point.name.find("dual") != std::string::npos;
      const Meeting meeting = meeting_of(built, overlap, dual);
      const double difference =
          std::abs(estimate_step(built.costs).total() / simulate_step(built.costs).step_time - 1);
      EXPECT_LE(difference, kBounds[meeting]) << point.name << " overlap " << overlap;
      worst[meeting] = std::max(worst[meeting], difference);
    }
  }
  // Bounds that nothing comes near to would say nothing.
  for (std::size_t i = 0; i < kNumMeetings; ++i) EXPECT_GT(worst[i], kBounds[i] / 3) << i;
}

}  // namespace
}  // namespace railwright::simulation
