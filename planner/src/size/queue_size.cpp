// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/size/queue_size.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "fabric_room.hpp"
#include "nodes_setting.hpp"
#include "railwright/simulation/scenario/with_settings.hpp"

namespace railwright::planner {

namespace {

using simulation::CheckedQueue;
using simulation::QueuedJob;
using simulation::QueueResult;

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

/// Numbers of nodes around the one that is looked for.
struct Bracket {
  int too_few = 0;  ///< 0: none is known
  int enough = 0;   ///< unless `result` does not fit: then the most that there can be
  QueueResult less;
  QueueResult result;
  std::string beyond;  ///< why there cannot be more; empty if that is not known
};

/// Simulates the queue on numbers of nodes.
class QueueSizes {
 public:
  QueueSizes(const core::Node& tree, const core::Catalogue& catalogue, const SizeOptions& options)
      : tree_(tree),
        catalogue_(catalogue),
        options_(options),
        missing_(missing_of(tree, catalogue)) {}

  /// Goes up from `first` to a number on which jobs wait no longer than is wanted, or to the
  /// largest on which the queue runs.
  Bracket bracket(int first) {
    Bracket found{.too_few = 0, .enough = first, .less = {}, .result = on(first), .beyond = {}};
    while (!found.result.feasible() && found.result.has_run() && found.enough < kMaxNodes) {
      found.too_few = found.enough;
      found.less = std::move(found.result);
      found.enough = std::min(found.enough + (found.enough + 3) / 4, kMaxNodes);
      found.result = on(found.enough);
    }
    if (!found.result.has_run()) go_back(found);
    return found;
  }
  /// Halves what lies between too few and enough.
  void narrow(Bracket& found) {
    while (found.result.feasible() && found.enough - found.too_few > 1) {
      const int middle = found.too_few + (found.enough - found.too_few) / 2;
      QueueResult between = on(middle);
      if (between.feasible()) {
        found.enough = middle;
        found.result = std::move(between);
      } else {
        found.too_few = middle;
        found.less = std::move(between);
      }
    }
  }

  [[nodiscard]] core::Node with_nodes(int nodes) const {
    return simulation::with_settings(tree_, {nodes_setting(nodes)});
  }

 private:
  /// Goes back to the most nodes that can be plugged in or on which the queue runs: where it does
  /// not run on enough for its load, it does not on more.
  void go_back(Bracket& found) {
    const bool lacks_ports = !missing_(found.enough).empty();
    const int most = largest_below(found.too_few, found.enough, [&](int n) {
      return lacks_ports ? missing_(n).empty() : on(n).has_run();
    });
    if (most == 0) return;
    const std::string lacks = lacks_ports ? missing_(most + 1) : on(most + 1).infeasible.front();
    found.beyond = fmt::format("{} node{} the most that {}: {}", most, most == 1 ? " is" : "s are",
                               lacks_ports ? "the fabric takes" : "the queue runs on", lacks);
    found.enough = most;
    found.result = on(most);
  }
  QueueResult on(int nodes) {
    if (options_.progress) options_.progress("numbers of nodes", num_tried_, num_tried_ + 1);
    ++num_tried_;
    return simulate(simulation::read_queue(with_nodes(nodes), catalogue_));
  }

  const core::Node& tree_;
  const core::Catalogue& catalogue_;
  const SizeOptions& options_;
  MissingOn missing_;
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
  Bracket found = sizes.bracket(std::min(fewest_nodes(queue), kMaxNodes));
  sizes.narrow(found);
  QueueResult& result = found.result;
  const bool has_less = result.feasible() && found.too_few > 0;
  if (!result.feasible() && !found.beyond.empty()) result.infeasible.push_back(found.beyond);
  return {.settings = {nodes_setting(found.enough)},
          .scenario = sizes.with_nodes(found.enough),
          .result = std::move(result),
          .smaller = has_less ? "one node less: " + found.less.infeasible.front() : ""};
}

}  // namespace railwright::planner
