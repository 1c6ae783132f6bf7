// SPDX-License-Identifier: Apache-2.0
// What threads share: a finished fabric, a catalogue, and the pieces of a comparison.
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "../../support/scenario.hpp"
#include "../verbs/support.hpp"
#include "railwright/planner/out/json.hpp"
#include "railwright/planner/verbs/compare.hpp"
#include "railwright/planner/verbs/simulate.hpp"

namespace railwright::test {
namespace {

constexpr int kNumThreads = 4;

TEST(Threads, ShareAFabricWhoseRoutesAreFoundOnTheWay) {
  const BuiltScenario fresh({"cluster.nodes=4"});
  const BuiltScenario reference({"cluster.nodes=4"});
  const core::Fabric& fabric = fresh.built.fabric;
  std::vector<int> num_different(kNumThreads);
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < kNumThreads; ++t) {
      threads.emplace_back([&, t] {
        for (int from = 0; from < fabric.num_accelerators(); ++from) {
          const int to = (from + 5 + t) % fabric.num_accelerators();
          if (fabric.accelerator_route(from, to) !=
              reference.built.fabric.accelerator_route(from, to)) {
            ++num_different[static_cast<std::size_t>(t)];
          }
        }
      });
    }
  }
  EXPECT_EQ(num_different, std::vector<int>(kNumThreads));
}

TEST(Threads, SimulateAtTheSameTimeWithOneCatalogue) {
  const core::Catalogue catalogue = source_catalogue();
  const core::Node tree = nics_example();
  std::vector<std::string> results(kNumThreads);
  {
    std::vector<std::jthread> threads;
    for (std::string& result : results) {
      threads.emplace_back([&] {
        result = planner::to_json(planner::simulate(planner::read_scenario(tree, catalogue)));
      });
    }
  }
  for (const std::string& result : results) EXPECT_EQ(result, results.front());
}

TEST(Threads, CompareGivesTheSameBytesEveryTime) {
  core::Node tree = nics_example();
  core::Node* cases = tree.find("comparison")->find("cases");
  cases->items.resize(1);
  const auto run = [&] { return planner::to_json(planner::compare(tree, source_catalogue())); };
  const std::string first = run();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(run(), first);
}

}  // namespace
}  // namespace railwright::test
