// SPDX-License-Identifier: Apache-2.0
// Kind of scenario: a queue of jobs.
#pragma once

#include "railwright/workloads/kind_facts.hpp"
#include "railwright/workloads/queue/queue.hpp"
#include "railwright/workloads/queue/queue_fields.hpp"
#include "railwright/workloads/simulate_options.hpp"

namespace railwright::simulation {

struct QueueKind {
  using Scenario = QueueScenario;
  using Result = QueueResult;

  static constexpr KindFacts kFacts{
      .key = "queue",
      .says = "a queue of jobs",
      .goals = {{{"shortest_wait", "shortest mean wait", "wait_mean_s", NumberFormat::kTime, true},
                 {"max_useful", "most useful accelerator time", "useful_fraction",
                  NumberFormat::kShare, false}}}};

  static auto read(const core::Node& tree, const core::Catalogue& catalogue) {
    return read_queue(tree, catalogue);
  }
  static Result simulate(const CheckedQueue& checked, const SimulateOptions&) {
    return simulation::simulate(checked);
  }
  static core::Node complete(const core::Node& tree, const core::Catalogue& catalogue) {
    return complete_queue(tree, catalogue);
  }
  static const Numbers<Result>& numbers() { return queue_numbers(); }
};

}  // namespace railwright::simulation
