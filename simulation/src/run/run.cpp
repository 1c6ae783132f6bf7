// SPDX-License-Identifier: Apache-2.0
#include "railwright/simulation/run/run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

#include "build_run_model.hpp"
#include "load_series.hpp"
#include "railwright/core/parallel_for.hpp"
#include "railwright/models/storage/protection.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "replication.hpp"
#include "run_needs.hpp"

namespace railwright::simulation {

namespace {

double seconds(std::int64_t ticks) { return core::RunTime{ticks}.duration().base(); }

Spread spread_of(std::vector<double> values) {
  std::ranges::sort(values);
  double sum = 0.0;
  for (const double value : values) sum += value;
  const auto at = [&](double share) {
    return values[static_cast<std::size_t>(
        std::llround(share * static_cast<double>(values.size() - 1)))];
  };
  return {.mean = sum / static_cast<double>(values.size()), .low = at(0.05), .high = at(0.95)};
}

/// Sets the means over all replications, and the most that a node holds in any of them.
void summarize_local(std::span<const RunRecord> records, std::size_t j, double bytes_of_fullest,
                     LocalRun& run) {
  const double share = 1.0 / static_cast<double>(records.size());
  std::int64_t most = 0;
  for (const RunRecord& record : records) {
    const JobRecord& job = record.jobs[j];
    run.num_drained += static_cast<double>(job.num_drained) * share;
    run.num_restores += static_cast<double>(job.num_local_restores) * share;
    run.bytes_written += static_cast<double>(job.local_written) * share;
    run.bytes_read += static_cast<double>(job.local_read) * share;
    most = std::max(most, job.max_local);
  }
  run.max_used += core::DataSize::from_base(static_cast<double>(most) * bytes_of_fullest);
}

/// Sets the means of a job over all replications.
void summarize_job(std::span<const RunRecord> records, std::size_t j, core::RunTime start,
                   JobRun& run) {
  const double share = 1.0 / static_cast<double>(records.size());
  std::vector<double> times;
  std::vector<double> effective;
  for (const RunRecord& record : records) {
    const JobRecord& job = record.jobs[j];
    const double time = seconds((job.end - start).count);
    times.push_back(time);
    effective.push_back(time > 0.0 ? seconds(job.ticks[0]) / time : 1.0);
    for (std::size_t i = 0; i < kNumRunCauses; ++i) {
      run.time_s[i] += seconds(job.ticks[i]) * share;
    }
    for (std::size_t i = 0; i < models::kNumComponents; ++i) {
      run.failures[i] += static_cast<double>(job.failures[i]) * share;
    }
    run.num_given_up += job.gave_up ? 1 : 0;
    run.num_checkpoints += static_cast<double>(job.num_checkpoints) * share;
    run.num_interruptions += static_cast<double>(job.num_interruptions) * share;
    run.bytes_written += static_cast<double>(job.bytes_written) * share;
    run.bytes_read += (static_cast<double>(job.bytes_read) + job.sample_bytes) * share;
  }
  run.training_time_s = spread_of(std::move(times));
  run.effective_training_time = spread_of(std::move(effective));
}

/// Whether the job takes more than a century; the run clock ends after 292 years.
bool is_endless(const JobModel& job) {
  constexpr double kCentury = 100 * 365.25 * 86400;
  return job.start.duration().base() + static_cast<double>(job.num_steps) * job.step_seconds >
         kCentury;
}

/// Whether anything happens besides undisturbed steps and checkpoints.
bool needs_events(const RunModel& model) {
  return model.num_storage_nodes > 0 || model.reliability || !model.plan.incidents.empty();
}

/// Sets the time of the steps and of the checkpoints between them.
void without_events(const JobModel& job, JobRun& run) {
  const double steps = static_cast<double>(job.num_steps) * job.step_seconds;
  const std::int64_t interval = job.checkpoint.interval_steps;
  if (job.writes_checkpoints && interval > 0) {
    run.num_checkpoints = static_cast<double>(job.num_steps / interval);
  }
  const double written = run.num_checkpoints * run.first_checkpoint().time.base();
  run.time_s[static_cast<std::size_t>(RunCause::kSteps)] = steps;
  run.time_s[static_cast<std::size_t>(RunCause::kCheckpointStall)] = written;
  const double time = steps + written;
  run.training_time_s = {.mean = time, .low = time, .high = time};
  run.effective_training_time = {.mean = steps / time, .low = steps / time, .high = steps / time};
}

/// Whether replications differ: runs without failures or slow parts are identical.
bool has_chance(const RunModel& model) {
  return model.reliability &&
         (!model.reliability->failures.empty() || model.reliability->slow_nodes ||
          model.reliability->degraded_links || model.reliability->lemon_nodes);
}

void summarize_storage(const RunModel& model, const topologies::StorageCluster& storage,
                       const LoadSeries& series, const RunRecord& record, StorageRun& run) {
  run.num_nodes = storage.count;
  summarize(series, record.end, run);
  run.raw = models::raw_capacity(storage.node, storage.count);
  run.usable = models::usable_capacity(storage.node, storage.count, storage.data_reduction,
                                       storage.hot_spare);
  run.max_used = core::DataSize::from_base(record.max_used);
  for (std::size_t i = 0; i < kNumCopyDestinations; ++i) {
    const CopyRecord& copies = record.copies[i];
    const auto size = [](std::int64_t bytes) {
      return core::DataSize::from_base(static_cast<double>(bytes));
    };
    run.copies[i] = {.exists = model.copy_rates[i] > 0.0,
                     .bytes = size(copies.bytes),
                     .left = size(copies.left),
                     .max_backlog = size(copies.max_backlog),
                     .max_age = copies.max_age.duration()};
  }
  if (storage.archive) {
    run.max_archived = core::DataSize::from_base(record.max_archived);
    run.archive_usable = models::usable_capacity(storage.archive->node, storage.archive->count,
                                                 storage.data_reduction, storage.hot_spare);
  }
  if (storage.growth.base() == 0.0) return;
  const core::DataSize kept = core::DataSize::from_base(model.used_before + record.max_kept);
  run.full_after = std::max(core::Duration{}, (run.usable - kept) / storage.growth);
}

std::vector<RunRecord> simulate_replications(const RunModel& model, int num_replications,
                                             const RunOptions& options, RunNotes* notes) {
  std::vector<RunRecord> records(static_cast<std::size_t>(num_replications));
  std::mutex mutex;
  std::int64_t num_done = 0;
  if (options.tell) options.tell(0, num_replications);
  core::parallel_for(
      records.size(),
      [&](std::size_t i) {
        records[i] = simulate_replication(model, i, i == 0 ? notes : nullptr);
        if (!options.tell) return;
        const std::scoped_lock lock(mutex);
        options.tell(++num_done, num_replications);
      },
      options.num_threads);
  return records;
}

constexpr int kNumIntervals = 19;  // to almost seven times Young's

/// Returns the interval with the shortest mean time, from an eighth of Young's up in steps of 25 %.
/// All intervals see the same failures.
core::Duration best_interval(RunModel model, core::Duration young, int num_replicas,
                             const RunOptions& options) {
  core::Duration best;
  double least = std::numeric_limits<double>::infinity();
  double factor = 1.0 / 8;
  for (int i = 0; i < kNumIntervals; ++i, factor *= 1.25) {
    model.jobs.front().checkpoint.interval = young * factor;
    double sum = 0.0;
    for (const RunRecord& record : simulate_replications(model, num_replicas, options, nullptr)) {
      sum += seconds((record.jobs.front().end - model.jobs.front().start).count);
    }
    if (sum >= least) continue;
    least = sum;
    best = young * factor;
  }
  return best;
}

}  // namespace

int RunPart::accelerators_per_node() const {
  return checked->scenario.cluster.node.num_accelerators.value;
}

int RunJob::accelerators_per_node() const {
  return RunPart{.checked = checked}.accelerators_per_node();
}

RunResult simulate_run(std::span<const RunJob> jobs, const core::Fabric& fabric,
                       const RunPlan& plan, const RunOptions& options) {
  RunResult result;
  const RunModel model = run_model(jobs, fabric, plan, result);
  if (std::ranges::any_of(model.jobs, is_endless)) {
    for (std::size_t j = 0; j < jobs.size(); ++j) without_events(model.jobs[j], result.jobs[j]);
    if (model.num_storage_nodes > 0) result.storage.num_nodes = model.num_storage_nodes;
    result.is_beyond_clock = needs_events(model);
    return result;
  }
  result.num_replicas = has_chance(model) ? model.plan.replicas : 1;
  const auto& storage = jobs.front().checked->scenario.cluster.storage;
  RunNotes notes{.series = {}, .has_spans = options.trace, .spans = {}};
  if (storage) notes.series.emplace(storage->node, storage->count);
  const std::vector<RunRecord> records =
      simulate_replications(model, result.num_replicas, options, &notes);
  result.spans = std::move(notes.spans);
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    summarize_job(records, j, model.jobs[j].start, result.jobs[j]);
    if (result.jobs[j].local) {
      summarize_local(records, j, model.jobs[j].local_bytes, *result.jobs[j].local);
    }
  }
  JobRun& first = result.jobs.front();
  if (plan.optimize_interval && first.young_interval.base() > 0.0) {
    first.best_interval = best_interval(model, first.young_interval, result.num_replicas, options);
  }
  result.needs = run_needs(jobs.front(), plan);
  if (storage) summarize_storage(model, *storage, *notes.series, records.front(), result.storage);
  return result;
}

}  // namespace railwright::simulation
