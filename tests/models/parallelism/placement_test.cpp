// SPDX-License-Identifier: Apache-2.0
// Where Megatron's order puts the data-parallel groups of Llama 2 70B on six nodes.
#include <gtest/gtest.h>

#include <set>

#include "../../support/scenario.hpp"
#include "railwright/models/parallelism/parallelism.hpp"

namespace railwright::models {
namespace {

std::set<int> nodes_of_group(const test::BuiltScenario& built, int tensor, int stage) {
  std::set<int> nodes;
  for (int data = 0; data < built.checked.layout.dp; ++data) {
    nodes.insert(
        built.built.fabric.endpoint(built.checked.layout.accelerator(tensor, data, stage)).node);
  }
  return nodes;
}

TEST(Placement, DataParallelGroupsOf70bSpanTwoNodes) {
  const test::BuiltScenario built(test::llama_2_70b());
  // Slots of four accelerators, 3 * stage + data: stage 0 fills node 0 and half of node 1, ...
  const std::set<int> expected[] = {{0, 1}, {1, 2}, {3, 4}, {4, 5}};
  for (int stage = 0; stage < 4; ++stage) {
    for (int tensor = 0; tensor < 4; ++tensor) {
      EXPECT_EQ(nodes_of_group(built, tensor, stage), expected[stage]) << stage << " " << tensor;
    }
  }
}

TEST(Placement, TensorGroupsStayInANode) {
  const test::BuiltScenario built(test::llama_2_70b());
  const Layout& layout = built.checked.layout;
  for (int stage = 0; stage < layout.pp; ++stage) {
    for (int data = 0; data < layout.dp; ++data) {
      const int node = built.built.fabric.endpoint(layout.accelerator(0, data, stage)).node;
      for (int tensor = 1; tensor < layout.tp; ++tensor) {
        EXPECT_EQ(built.built.fabric.endpoint(layout.accelerator(tensor, data, stage)).node, node);
      }
    }
  }
}

}  // namespace
}  // namespace railwright::models
