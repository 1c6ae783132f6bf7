// SPDX-License-Identifier: Apache-2.0
#include "placed_jobs.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <string>
#include <string_view>

#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/workloads/jobs/jobs_scenario.hpp"

namespace railwright::simulation {

namespace {

/// Nodes of a job among those of the cluster.
struct NodeRange {
  int first = 0;
  int count = 0;

  [[nodiscard]] std::optional<int> index_of(int node) const {
    if (node < first || node >= first + count) return std::nullopt;
    return node - first;
  }
};

/// Returns the label of a device as the job's own fabric has it; nothing if it is another's.
std::optional<std::string> own_label(const std::string& label, const NodeRange& nodes) {
  constexpr std::string_view kNode = "node ";
  if (!label.starts_with(kNode)) return label;
  int node = 0;
  const char* const end = label.data() + label.size();
  const auto [rest, error] = std::from_chars(label.data() + kNode.size(), end, node);
  const std::optional<int> index = nodes.index_of(node);
  if (error != std::errc{} || !index) return std::nullopt;
  return fmt::format("{}{}{}", kNode, *index, std::string_view(rest, end));
}

/// Returns the faults that a job feels, in the words of its own fabric.
topologies::Faults own_faults(const topologies::Faults& of_all, const NodeRange& nodes) {
  topologies::Faults own{.nics = {}, .switches = of_all.switches, .links = {}, .nodes_slow = {}};
  for (topologies::FailedNic failed : of_all.nics) {
    const std::optional<int> index = nodes.index_of(failed.node);
    if (!index) continue;
    failed.node = *index;
    own.nics.push_back(failed);
  }
  for (const topologies::FailedLink& link : of_all.links) {
    const auto from = own_label(link.from, nodes);
    const auto to = own_label(link.to, nodes);
    if (from && to) own.links.push_back({.from = *from, .to = *to});
  }
  for (topologies::SlowNode slow : of_all.nodes_slow) {
    const std::optional<int> index = nodes.index_of(slow.node);
    if (!index) continue;
    slow.node = *index;
    own.nodes_slow.push_back(slow);
  }
  return own;
}

}  // namespace

std::vector<PlacedJob> placed_jobs(const CheckedJobs& checked) {
  std::vector<PlacedJob> jobs;
  std::vector<int> first_free(checked.pools.size());
  std::size_t job = 0;
  for (std::size_t entry = 0; entry < checked.jobs.size(); ++entry) {
    for (int i = 0; i < checked.jobs[entry].count; ++i, ++job) {
      for (std::size_t part = 0; part <= checked.jobs[entry].others.size(); ++part) {
        PlacedJob placed{.entry = entry, .job = job, .part = part};
        int& first_node = first_free[pool_of(checked, placed)];
        placed.first_node = first_node;
        first_node += scenario_of(checked, placed).scenario.cluster.num_nodes;
        jobs.push_back(placed);
      }
    }
  }
  return jobs;
}

const CheckedScenario& scenario_of(const CheckedJobs& checked, const PlacedJob& part) {
  const CheckedJob& job = checked.jobs[part.entry];
  return part.part == 0 ? job.checked : job.others[part.part - 1].checked;
}

std::size_t pool_of(const CheckedJobs& checked, const PlacedJob& part) {
  const CheckedJob& job = checked.jobs[part.entry];
  return part.part == 0 ? job.pool : job.others[part.part - 1].pool;
}

CheckedScenario scenario_in_place(const CheckedJobs& checked, const PlacedJob& job) {
  const topologies::Cluster& whole = checked.pools[pool_of(checked, job)].cluster;
  CheckedScenario scenario = scenario_of(checked, job);
  topologies::Cluster& cluster = scenario.scenario.cluster;
  cluster.placement.part_of_nodes = whole.num_nodes;
  cluster.placement.first_node = job.first_node;
  cluster.faults = own_faults(whole.faults, {.first = job.first_node, .count = cluster.num_nodes});
  return scenario;
}

}  // namespace railwright::simulation
