// SPDX-License-Identifier: Apache-2.0
// A program under construction.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "railwright/simulation/step/program.hpp"

namespace railwright::simulation {

inline constexpr OpId kNoOp = ~OpId{0};

/// Collects operations and the edges between them.
class Graph {
 public:
  explicit Graph(std::size_t num_groups) { program_.streams.resize(num_groups); }

  OpId add(Op op);
  /// Marks the operations that are added from here on as part of a pass.
  void mark(PassMark mark) { mark_ = mark; }
  /// Adds a transfer along `flow`, with `latency` in front.
  OpId add_transfer(OpKind kind, std::size_t group, const models::CollectiveFlow& flow,
                    core::Duration latency, std::int64_t bytes);
  /// Appends an operation to a group's compute stream.
  void append_to_stream(std::size_t group, OpId op);
  /// Keeps groups that call together; add_merged keeps the flow that moves the parts of all.
  std::int32_t add_circle(std::vector<std::int32_t> groups);
  const models::CollectiveFlow& add_merged(models::CollectiveFlow flow);
  void set_circle(OpId op, std::int32_t circle) { program_.ops[op].circle = circle; }
  /// `to` waits for `from`; kNoOp on either side is no edge.
  void add_edge(OpId from, OpId to) {
    if (from != kNoOp && to != kNoOp) edges_.emplace_back(from, to);
  }
  std::int32_t add_compute_cost(const models::ComputeCost& cost);
  [[nodiscard]] OpId last_of_stream(std::size_t group) const {
    return program_.streams[group].back();
  }

  /// Returns the program with its edges indexed; the graph must not be used afterwards.
  Program finish();

 private:
  std::int32_t flow_index(const models::CollectiveFlow& flow);

  Program program_;
  PassMark mark_;
  std::vector<std::pair<OpId, OpId>> edges_;
  std::map<const models::CollectiveFlow*, std::int32_t> flow_indices_;
};

}  // namespace railwright::simulation
