// SPDX-License-Identifier: Apache-2.0
// Kind of scenario: several jobs on one cluster.
#pragma once

#include <algorithm>
#include <cstddef>

#include "railwright/workloads/jobs/jobs.hpp"
#include "railwright/workloads/jobs/jobs_scenario.hpp"
#include "railwright/workloads/jobs/jobs_scenario_fields.hpp"
#include "railwright/workloads/kind_facts.hpp"
#include "railwright/workloads/simulate_options.hpp"

namespace railwright::simulation {

/// Designs are ranked by their longest job, wherever the clock starts.
struct JobsKind {
  using Scenario = JobsScenario;
  using Result = JobsResult;

  static constexpr KindFacts kFacts{.key = "jobs",
                                    .says = "several jobs",
                                    .goals = {{{"shortest_makespan", "shortest until all are done",
                                                "makespan_s", NumberFormat::kTime, true},
                                               {"min_slowdown", "least slowdown of the worst job",
                                                "max_slowdown", NumberFormat::kPlain, true}}}};

  static auto read(const core::Node& tree, const core::Catalogue& catalogue) {
    return read_jobs(tree, catalogue);
  }
  static Result simulate(const CheckedJobs& checked, const SimulateOptions& how) {
    return simulation::simulate(checked, how);
  }
  static core::Node complete(const core::Node& tree, const core::Catalogue& catalogue) {
    return complete_jobs(tree, catalogue);
  }
  static const Numbers<Result>& numbers() { return jobs_numbers(); }
  static Number<Result> ranked_by() {
    return {.path = "longest_job_s",
            .format = NumberFormat::kTime,
            .beside = {"longest job"},
            .read = [](const Result& result) {
              core::Duration longest;
              core::Duration longest_training;
              for (std::size_t j = 0; j < result.run.jobs.size(); ++j) {
                const core::Duration time = result.run.jobs[j].training_time();
                longest = std::max(longest, time);
                if (!result.is_load(j)) longest_training = std::max(longest_training, time);
              }
              return NumberValue(longest_training.base() > 0.0 ? longest_training : longest);
            }};
  }
};

}  // namespace railwright::simulation
