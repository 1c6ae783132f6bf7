// SPDX-License-Identifier: Apache-2.0
#include "steps_together.hpp"

#include <algorithm>
#include <utility>

#include "../../../workloads/src/jobs/placed_jobs.hpp"
#include "../../../workloads/src/jobs/step_bytes.hpp"
#include "railwright/core/sim/time.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/simulation/step/step.hpp"
#include "railwright/topologies/cluster/built_cluster.hpp"
#include "railwright/topologies/topology.hpp"
#include "railwright/workloads/jobs/jobs_scenario.hpp"

namespace railwright::simulation::test_jobs {

namespace {

/// A program of the steps of all jobs, one after another, on links of one network.
class Together {
 public:
  /// Adds a job whose links between switches are those of the first job.
  void add(const CheckedScenario& job, core::Duration until) {
    const topologies::BuiltCluster built = job.topology->build(job.scenario.cluster);
    const StepCosts costs = step_costs(job, built.fabric);
    const Program step = make_program(costs);
    const std::vector<core::LinkId> links = add_links(built.fabric, costs.capacity);
    const auto first_flow = static_cast<std::int32_t>(all_.merged.size());
    for (const models::CollectiveFlow* flow : step.flows) {
      models::CollectiveFlow& own = all_.merged.emplace_back(*flow);
      for (core::LinkUse& use : own.route) use.link = links[static_cast<std::size_t>(use.link)];
      std::ranges::sort(own.route, {}, &core::LinkUse::link);
    }
    const auto first_circle = static_cast<std::int32_t>(all_.circles.size());
    const auto first_group = static_cast<std::int32_t>(all_.stage_of_group.size());
    const auto first_stage = static_cast<std::int32_t>(all_.partner_of_stage.size());
    all_.circles.insert(all_.circles.end(), step.circles.begin(), step.circles.end());
    for (const std::int32_t s : step.stage_of_group) all_.stage_of_group.push_back(first_stage + s);
    for (const std::int32_t s : step.partner_of_stage) {
      all_.partner_of_stage.push_back(first_stage + s);
    }
    all_.overlap_slowdown = step.overlap_slowdown;
    const core::Duration alone = simulate_step(costs).step_time;
    ends_.emplace_back();
    for (core::Duration at; at < until; at += alone) {
      const auto first_op = static_cast<OpId>(all_.ops.size());
      for (Op op : step.ops) {
        op.group += first_group;
        if (op.flow >= 0) op.flow += first_flow;
        if (op.circle >= 0) op.circle += first_circle;
        add_op(op);
      }
      add_edges(step, first_op);
      add_end(first_op, {.kind = OpKind::kBarrier,
                         .group = first_group,
                         .delay = core::ticks_at_or_after<core::StepTime>(costs.overhead)});
    }
  }

  std::vector<core::Duration> mean_steps() {
    flatten();
    const Execution run = execute(all_, capacity_);
    core::StepTime last = core::StepTime::never();
    for (const auto& ends : ends_) last = std::min(last, run.end[ends.back()]);
    std::vector<core::Duration> means;
    for (const auto& ends : ends_) {
      std::size_t count = 0;
      while (count < ends.size() && run.end[ends[count]] <= last) ++count;
      means.push_back(run.end[ends[count - 1]].duration() / static_cast<double>(count));
    }
    return means;
  }

 private:
  void add_op(const Op& op) {
    all_.ops.push_back(op);
    next_.emplace_back();
  }

  std::vector<core::LinkId> add_links(const core::Fabric& fabric,
                                      const std::vector<double>& rates) {
    std::vector<core::LinkId> links(rates.size(), -1);
    const std::vector<core::LinkId> between = links_between_switches(fabric);
    const bool is_first = shared_.empty();
    for (std::size_t i = 0; i < between.size(); ++i) {
      if (is_first) {
        shared_.push_back(static_cast<core::LinkId>(capacity_.size()));
        capacity_.push_back(rates[static_cast<std::size_t>(between[i])]);
      }
      links[static_cast<std::size_t>(between[i])] = shared_[i];
    }
    for (std::size_t l = 0; l < links.size(); ++l) {
      if (links[l] >= 0) continue;
      links[l] = static_cast<core::LinkId>(capacity_.size());
      capacity_.push_back(rates[l]);
    }
    return links;
  }

  void add_edges(const Program& step, OpId first_op) {
    for (OpId op = 0; op < step.ops.size(); ++op) {
      for (const OpId next : step.successors_of(op))
        next_[first_op + op].push_back(first_op + next);
      if (step.num_predecessors[op] == 0 && !ends_.back().empty()) {
        next_[ends_.back().back()].push_back(first_op + op);
      }
    }
  }

  void add_end(OpId first_op, const Op& end) {
    const auto id = static_cast<OpId>(all_.ops.size());
    for (OpId op = first_op; op < id; ++op) {
      if (next_[op].empty()) next_[op].push_back(id);
    }
    add_op(end);
    ends_.back().push_back(id);
  }

  void flatten() {
    for (const models::CollectiveFlow& flow : all_.merged) all_.flows.push_back(&flow);
    all_.num_predecessors.assign(all_.ops.size(), 0);
    for (const std::vector<OpId>& of_op : next_) {
      all_.first_successor.push_back(static_cast<std::uint32_t>(all_.successors.size()));
      for (const OpId next : of_op) {
        all_.successors.push_back(next);
        ++all_.num_predecessors[next];
      }
    }
    all_.first_successor.push_back(static_cast<std::uint32_t>(all_.successors.size()));
  }

  Program all_;
  std::vector<std::vector<OpId>> next_;  // successors of each operation
  std::vector<std::vector<OpId>> ends_;  // of the steps of each job
  std::vector<core::LinkId> shared_;     // between switches
  std::vector<double> capacity_;
};

}  // namespace

std::vector<core::Duration> steps_together(const CheckedJobs& checked, int num_steps) {
  const JobsResult alone = simulate(checked);
  const core::Duration until = *std::ranges::max_element(alone.step_times_alone) * num_steps;
  Together together;
  for (const PlacedJob& job : placed_jobs(checked)) {
    together.add(scenario_in_place(checked, job), until);
  }
  return together.mean_steps();
}

}  // namespace railwright::simulation::test_jobs
