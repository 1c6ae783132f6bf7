// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "job_list.hpp"
#include "railwright/core/config/reader.hpp"
#include "railwright/core/config/writer.hpp"
#include "railwright/simulation/scenario/power_checks.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/scenario_keys.hpp"
#include "railwright/workloads/queue/queue.hpp"
#include "railwright/workloads/queue/queue_fields.hpp"

namespace railwright::simulation {

namespace {

/// Checks that jobs come from one source, and reads those of a trace.
std::vector<QueuedJob> jobs_of(const core::Node& queue, const JobQueue& asked,
                               core::Reader& reader) {
  if (asked.trace.empty() == !asked.drawn) {
    reader.report(queue.where, "queue", "needs either 'trace' or 'drawn'");
    return {};
  }
  if (asked.drawn) {
    if (asked.drawn->sizes.empty()) {
      reader.report(queue.find("drawn")->where, "queue.drawn.sizes", "has no size");
      return {};
    }
    return draw_jobs(*asked.drawn);
  }
  std::vector<core::Diagnostic> problems;
  std::vector<QueuedJob> jobs = read_trace(asked.trace, queue.find("trace")->where, problems);
  for (core::Diagnostic& one : problems) {
    reader.report(one.where, one.path, std::move(one.message), std::move(one.hint));
  }
  return jobs;
}

/// Whether all nodes may fail at once.
bool fails_as_a_whole(const models::Reliability& reliability) {
  return std::ranges::any_of(reliability.failures, [](const models::FailureRate& rate) {
    return rate.component == models::Component::kPower;
  });
}

/// A scenario with the jobs of its trace or its draw.
struct ReadQueue {
  QueueScenario scenario;
  std::vector<QueuedJob> jobs;
};

ReadQueue read_queue_fields(const core::Node& tree, const core::Catalogue& catalogue) {
  core::Reader reader(&catalogue);
  ReadQueue read;
  QueueScenario& scenario = read.scenario;
  reader.read(tree, "", scenario);
  if (reader.diagnostics().empty()) {
    read.jobs = jobs_of(*tree.find("queue"), scenario.queue, reader);
    check_power(scenario.cluster.node, scenario.power, {tree, reader});
    if (scenario.reliability && fails_as_a_whole(*scenario.reliability)) {
      reader.report(tree.find("reliability")->where, "reliability.failures",
                    "a loss of power stops all jobs, a queue has failures of single nodes alone",
                    "`jobs` simulates a few jobs that lose power together");
    }
    if (scenario.reliability &&
        (scenario.reliability->slow_nodes || scenario.reliability->degraded_links)) {
      reader.report(tree.find("reliability")->where, "reliability",
                    "slow nodes and degraded links have no effect: jobs of a queue are "
                    "accelerators and time alone",
                    "`simulate` of a training job says what they cost it");
    }
    if (scenario.cluster.storage) {
      reader.report(tree.find("cluster")->find("storage")->where, "cluster.storage",
                    "has no effect: jobs of a queue are accelerators and time alone",
                    "`jobs` simulates a few jobs that share storage");
    }
  }
  reader.throw_if_any();
  return read;
}

}  // namespace

CheckedQueue read_queue(const core::Node& tree, const core::Catalogue& catalogue) {
  ReadQueue read = read_queue_fields(tree, catalogue);
  return {.queue = std::move(read.scenario.queue),
          .jobs = std::move(read.jobs),
          .cluster = read_cluster(tree, catalogue),
          .reliability = std::move(read.scenario.reliability),
          .power = read.scenario.power};
}

core::Node complete_queue(const core::Node& tree, const core::Catalogue& catalogue) {
  return core::to_node(read_queue_fields(tree, catalogue).scenario);
}

}  // namespace railwright::simulation
