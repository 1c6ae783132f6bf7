// SPDX-License-Identifier: Apache-2.0
// The calls within passes: of a group alone, or of groups that call each other.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "graph.hpp"

namespace railwright::simulation {

/// Adds calls to the graph. Groups of a circle go through the same passes in the same order, so the
/// n-th call of one is the n-th call of all: one operation that waits for each group and that each
/// group waits for.
class CallBuilder {
 public:
  CallBuilder(const StepCosts& costs, Graph& graph);

  /// Adds a group's next call, of `count` times its buffer, after `previous`.
  OpId add(std::size_t group, std::size_t call, double count, OpId previous);

 private:
  struct Circle {
    std::int32_t index = -1;  ///< in the program
    const models::CollectiveFlow* flow = nullptr;
    std::vector<OpId> ops;
  };
  struct Calls {
    std::vector<Circle> circles;
    std::vector<std::int32_t> circle_of;  ///< index by group; -1: it calls alone
    std::vector<std::size_t> num_made;    ///< calls made by each group
  };
  void find_circles(std::size_t call);

  const StepCosts& costs_;
  Graph& graph_;
  std::array<Calls, kNumLayerCalls> calls_;
};

}  // namespace railwright::simulation
