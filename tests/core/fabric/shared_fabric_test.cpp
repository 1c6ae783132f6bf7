// SPDX-License-Identifier: Apache-2.0
// Threads that ask one fabric for routes while its tables are being made.
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "fat_tree.hpp"

namespace railwright::core {
namespace {

using testing::FatTree;

bool same(const std::vector<LinkUse>& a, const std::vector<LinkUse>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].link != b[i].link || a[i].coefficient != b[i].coefficient) return false;
  }
  return true;
}

TEST(SharedFabric, ThreadsFindTheSameRoutesInAnyOrder) {
  constexpr int kNumThreads = 4;
  for (const Routing routing : {Routing::kStatic, Routing::kEcmp, Routing::kAdaptive}) {
    FatTree shared(testing::three_tiers());
    FatTree reference(testing::three_tiers());
    for (FatTree* tree : {&shared, &reference}) {
      tree->fabric.set_routing({.routing = routing});
      tree->fabric.fail_vertex(tree->spines[2]);
    }
    std::vector<std::vector<LinkUse>> expected(64UL * 64UL);
    for (int pair = 0; pair < 64 * 64; ++pair) {
      reference.fabric.append_route(pair / 64, pair % 64, 0,
                                    expected[static_cast<std::size_t>(pair)]);
    }
    std::vector<int> num_different(kNumThreads);
    {
      std::vector<std::jthread> threads;
      for (int t = 0; t < kNumThreads; ++t) {
        threads.emplace_back([&, t] {
          std::vector<LinkUse> uses;
          for (int i = 0; i < 64 * 64; ++i) {
            const int pair = (i * (2 * t + 1) + 1024 * t) % (64 * 64);
            uses.clear();
            shared.fabric.append_route(pair / 64, pair % 64, 0, uses);
            if (!same(uses, expected[static_cast<std::size_t>(pair)])) {
              ++num_different[static_cast<std::size_t>(t)];
            }
          }
        });
      }
    }
    EXPECT_EQ(num_different, std::vector<int>(kNumThreads));
  }
}

}  // namespace
}  // namespace railwright::core
