// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/size/queue_size.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "nodes_setting.hpp"
#include "railwright/simulation/scenario/with_settings.hpp"

namespace railwright::planner {

namespace {

using simulation::CheckedQueue;
using simulation::QueuedJob;
using simulation::QueueResult;

constexpr int kMostNodes = 65536;

/// Returns the nodes that the largest job and the mean load take.
int fewest_nodes(const CheckedQueue& queue) {
  const double per_node = queue.cluster.cluster.node.num_accelerators.value;
  const double window = queue.jobs.back().submit - queue.jobs.front().submit;
  double largest = 1.0;
  double time = 0.0;
  for (const QueuedJob& job : queue.jobs) {
    largest = std::max(largest, job.accelerators / per_node);
    time += job.duration * job.accelerators;
  }
  // Jobs that are long for the window run on after it.
  const double longest = std::ranges::max(queue.jobs, {}, &QueuedJob::duration).duration;
  const double load = time / (window + longest) / per_node;
  return std::max(static_cast<int>(std::ceil(std::max(largest, std::min(load, 1e6)))), 1);
}

/// Simulates the queue on numbers of nodes.
class QueueSizes {
 public:
  QueueSizes(const core::Node& tree, const core::Catalogue& catalogue, const SizeOptions& options)
      : tree_(tree), catalogue_(catalogue), options_(options) {}

  QueueResult on(int nodes) {
    if (options_.progress) options_.progress("numbers of nodes", num_tried_, num_tried_ + 1);
    ++num_tried_;
    return simulate(simulation::read_queue(with_nodes(nodes), catalogue_));
  }
  [[nodiscard]] core::Node with_nodes(int nodes) const {
    return simulation::with_settings(tree_, {nodes_setting(nodes)});
  }

 private:
  const core::Node& tree_;
  const core::Catalogue& catalogue_;
  const SizeOptions& options_;
  std::int64_t num_tried_ = 0;
};

}  // namespace

SizedScenario size_queue(const core::Node& tree, const core::Catalogue& catalogue,
                         const SizeOptions& options) {
  const CheckedQueue queue = simulation::read_queue(tree, catalogue);
  if (!queue.queue.max_wait) {
    throw core::ConfigError({{tree.find("queue")->where,
                              "queue.max_wait",
                              "missing: `size` needs to know how long jobs may wait",
                              {}}});
  }
  QueueSizes sizes(tree, catalogue, options);
  int enough = std::min(fewest_nodes(queue), kMostNodes);
  int too_few = 0;
  QueueResult result = sizes.on(enough);
  QueueResult less;
  while (!result.feasible() && enough < kMostNodes) {
    too_few = enough;
    less = std::move(result);
    enough = std::min(enough + (enough + 3) / 4, kMostNodes);
    result = sizes.on(enough);
  }
  while (result.feasible() && enough - too_few > 1) {
    const int middle = too_few + (enough - too_few) / 2;
    QueueResult between = sizes.on(middle);
    if (between.feasible()) {
      enough = middle;
      result = std::move(between);
    } else {
      too_few = middle;
      less = std::move(between);
    }
  }
  const bool has_less = result.feasible() && too_few > 0;
  return {.settings = {nodes_setting(enough)},
          .scenario = sizes.with_nodes(enough),
          .result = std::move(result),
          .smaller = has_less ? "one node less: " + less.infeasible.front() : ""};
}

}  // namespace railwright::planner
