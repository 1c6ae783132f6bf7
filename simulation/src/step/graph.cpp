// SPDX-License-Identifier: Apache-2.0
#include "graph.hpp"

namespace railwright::simulation {

OpId Graph::add(Op op) {
  program_.ops.push_back(op);
  program_.marks.push_back(mark_);
  return static_cast<OpId>(program_.ops.size() - 1);
}

OpId Graph::add_transfer(OpKind kind, std::size_t group, const models::CollectiveFlow& flow,
                         core::Duration latency, std::int64_t bytes) {
  return add({.kind = kind,
              .group = static_cast<std::int32_t>(group),
              .flow = flow_index(flow),
              .delay = core::ticks_at_or_after<core::StepTime>(latency),
              .bytes = bytes});
}

void Graph::append_to_stream(std::size_t group, OpId op) { program_.streams[group].push_back(op); }

std::int32_t Graph::add_circle(std::vector<std::int32_t> groups) {
  program_.circles.push_back(std::move(groups));
  return static_cast<std::int32_t>(program_.circles.size() - 1);
}

const models::CollectiveFlow& Graph::add_merged(models::CollectiveFlow flow) {
  return program_.merged.emplace_back(std::move(flow));
}

std::int32_t Graph::add_compute_cost(const models::ComputeCost& cost) {
  program_.compute_costs.push_back(cost);
  return static_cast<std::int32_t>(program_.compute_costs.size() - 1);
}

std::int32_t Graph::flow_index(const models::CollectiveFlow& flow) {
  const auto [it, is_new] =
      flow_indices_.try_emplace(&flow, static_cast<std::int32_t>(program_.flows.size()));
  if (is_new) program_.flows.push_back(&flow);
  return it->second;
}

Program Graph::finish() {
  const std::size_t num_ops = program_.ops.size();
  program_.first_successor.assign(num_ops + 1, 0);
  program_.num_predecessors.assign(num_ops, 0);
  for (const auto& [from, to] : edges_) {
    ++program_.first_successor[from + 1];
    ++program_.num_predecessors[to];
  }
  for (std::size_t i = 0; i < num_ops; ++i) {
    program_.first_successor[i + 1] += program_.first_successor[i];
  }
  program_.successors.resize(edges_.size());
  std::vector<std::uint32_t> next(program_.first_successor.begin(),
                                  program_.first_successor.end() - 1);
  for (const auto& [from, to] : edges_) program_.successors[next[from]++] = to;
  return std::move(program_);
}

}  // namespace railwright::simulation
