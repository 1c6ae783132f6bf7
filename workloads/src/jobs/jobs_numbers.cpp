// SPDX-License-Identifier: Apache-2.0
// The table of numbers of several jobs on one cluster, and what they are made of.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "railwright/workloads/jobs/jobs.hpp"
#include "railwright/workloads/training/outputs.hpp"

namespace railwright::simulation {

namespace {

using Format = NumberFormat;

/// Makes a number of the jobs' result, which is a column of its own name too.
template <class Value>
Number<JobsResult> of_jobs(const std::string& path, std::string_view beside, Format format,
                           Value value_of, bool is_whole = false) {
  return {.path = path,
          .format = format,
          .column = path,
          .is_whole = is_whole,
          .beside = {beside},
          .read = [value_of](const JobsResult& of) { return NumberValue(value_of(of)); }};
}

/// Returns the mean over all trainings of a share of their time, weighted by node time; nothing if
/// all jobs are loads.
template <class Share>
NumberValue share_of_node_time(const JobsResult& result, Share share_of) {
  double part = 0.0;
  double whole = 0.0;
  for (std::size_t j = 0; j < result.run.jobs.size(); ++j) {
    if (result.is_load(j)) continue;
    const JobRun& job = result.run.jobs[j];
    const double node_time = job.training_time_s.mean * result.places[j].num_nodes;
    part += node_time * share_of(job);
    whole += node_time;
  }
  return whole > 0.0 ? NumberValue(part / whole) : NumberValue();
}

NumberValue share_of_cause(const JobsResult& result, RunCause cause) {
  return share_of_node_time(result, [cause](const JobRun& job) {
    const double all = job.training_time_s.mean;
    return all > 0.0 ? job.time_s[static_cast<std::size_t>(cause)] / all : 0.0;
  });
}

Numbers<JobsResult> jobs_size_numbers() {
  using J = JobsResult;
  return {
      of_jobs(
          "num_jobs", "jobs", Format::kCount, [](const J& jobs) { return jobs.num_jobs; }, true),
      of_jobs(
          "num_accelerators", "accelerators", Format::kCount,
          [](const J& jobs) { return jobs.num_accelerators; }, true)};
}

Numbers<JobsResult> jobs_run_numbers() {
  using J = JobsResult;
  return {of_jobs("makespan_s", "all done in", Format::kTime, makespan),
          of_jobs("mean_slowdown", "time over that alone, mean", Format::kPlain,
                  [](const J& jobs) {
                    double sum = 0.0;
                    for (const double one : slowdowns(jobs)) sum += one;
                    return sum / static_cast<double>(jobs.num_jobs);
                  }),
          of_jobs("max_slowdown", "time over that alone, worst", Format::kPlain,
                  [](const J& jobs) { return std::ranges::max(slowdowns(jobs)); }),
          of_jobs("effective_training_time", "effective training time", Format::kShare,
                  [](const J& jobs) {
                    return share_of_node_time(
                        jobs, [](const JobRun& job) { return job.effective_training_time.mean; });
                  }),
          of_jobs("checkpoint_stall_fraction", "waiting for checkpoints", Format::kShare,
                  [](const J& jobs) { return share_of_cause(jobs, RunCause::kCheckpointStall); }),
          of_jobs("data_stall_fraction", "waiting for data", Format::kShare,
                  [](const J& jobs) { return share_of_cause(jobs, RunCause::kDataStall); }),
          of_jobs("num_interruptions", "interruptions", Format::kPlain, [](const J& jobs) {
            double sum = 0.0;
            for (const JobRun& job : jobs.run.jobs) sum += job.num_interruptions;
            return sum;
          })};
}

template <class Value>
Number<JobsResult> of_jobs_power(std::string_view name, Value value_of) {
  return {.path = fmt::format("power.{}", name),
          .format = Format::kPower,
          .read = [value_of](const JobsResult& of) { return NumberValue(value_of(of.power)); }};
}

Numbers<JobsResult> jobs_power_numbers() {
  using P = JobsPower;
  Numbers<JobsResult> all{
      of_jobs_power("mean_power_w", [](const P& power) { return power.mean_power(); }),
      of_jobs_power("peak_power_w", [](const P& power) { return power.peak_power(); }),
      of_jobs_power("idle_power_w", [](const P& power) { return power.idle_power(); }),
      {.path = "power.clock",
       .format = Format::kShare,
       .read = [](const JobsResult& of) { return NumberValue(of.power.clock); }},
      of_jobs_power("mean.nodes_w", [](const P& power) { return power.mean.nodes.total(); }),
      of_jobs_power("mean.nodes_in_steps_w", [](const P& power) { return power.in_steps; }),
      of_jobs_power("mean.nodes_waiting_w", [](const P& power) { return power.waiting; }),
      of_jobs_power("mean.nodes_without_job_w", [](const P& power) { return power.without_job; }),
      of_jobs_power("mean.switches_w", [](const P& power) { return power.mean.switches; }),
      of_jobs_power("mean.transceivers_w", [](const P& power) { return power.mean.transceivers; }),
      of_jobs_power("mean.storage_nodes_w",
                    [](const P& power) { return power.mean.storage_nodes; }),
      of_jobs_power("mean.cpu_nodes_w", [](const P& power) { return power.mean.cpu_nodes; })};
  all[0].column = "mean_power_w";
  all[0].beside = {"mean power"};
  all[1].column = "peak_power_w";
  all[1].beside = {"peak power"};
  all.push_back({.path = "energy.energy_j",
                 .format = Format::kEnergy,
                 .column = "energy_j",
                 .beside = {"energy"},
                 .read = [](const JobsResult& of) { return NumberValue(of.power.energy()); }});
  all.push_back({.path = "energy.carbon_kg",
                 .format = Format::kMass,
                 .column = "carbon_kg",
                 .beside = {"CO2"},
                 .read = [](const JobsResult& of) {
                   const JobsPower& power = of.power;
                   return power.carbon_intensity > 0.0 ? NumberValue(power.carbon_kg())
                                                       : NumberValue();
                 }});
  return all;
}

/// Returns the numbers of the storage, those that say how busy it was with a column.
Numbers<StorageRun> shared_storage_numbers() {
  constexpr std::string_view kPrefix = "storage.";
  Numbers<StorageRun> all = storage_numbers();
  for (Number<StorageRun>& number : all) {
    const std::string name = number.path.substr(kPrefix.size());
    if (name == "run_peak_read_bytes_per_s" || name == "run_peak_write_bytes_per_s" ||
        name == "max_used_bytes") {
      number.column = name;
    }
  }
  return all;
}

constexpr PartOf<JobsResult, JobsResult> kAllJobs{[](const JobsResult& result) { return &result; }};
constexpr PartOf<JobsResult, JobsResult> kJobsRun{
    [](const JobsResult& result) { return result.feasible() ? &result : nullptr; }};
constexpr PartOf<JobsResult, JobsResult> kJobsPower{[](const JobsResult& result) {
  return result.feasible() && !result.has_load() ? &result : nullptr;
}};
constexpr PartOf<JobsResult, StorageRun> kSharedStorage{[](const JobsResult& result) {
  const bool has_storage = result.feasible() && result.run.storage.num_nodes > 0;
  return has_storage ? &result.run.storage : nullptr;
}};

}  // namespace

core::Duration makespan(const JobsResult& result) {
  core::Duration last;
  for (std::size_t j = 0; j < result.run.jobs.size(); ++j) {
    last = std::max(last, result.places[j].start + result.run.jobs[j].training_time());
  }
  return last;
}

core::Money total_cost(const JobsResult& result) {
  core::Money total;
  for (const PoolRun& pool : result.pools) {
    if (pool.ownership) total += pool.ownership->total();
  }
  if (result.shared_ownership) total += result.shared_ownership->total();
  return total;
}

std::vector<double> slowdowns(const JobsResult& result) {
  std::vector<double> all;
  for (std::size_t j = 0; j < result.alone.size(); ++j) {
    all.push_back(result.run.jobs[j].training_time() / result.alone[j]);
  }
  return all;
}

const Numbers<JobsResult>& jobs_numbers() {
  static const NumberGroup<JobsResult> kGroups[] = {{kAllJobs, jobs_size_numbers},
                                                    {kJobsRun, jobs_run_numbers},
                                                    {kJobsPower, jobs_power_numbers},
                                                    {kSharedStorage, shared_storage_numbers}};
  static const Numbers<JobsResult> kNumbers = table_of<JobsResult>(kGroups);
  return kNumbers;
}

std::vector<Output> outputs(const JobsResult& result) { return outputs(jobs_numbers(), result); }

}  // namespace railwright::simulation
