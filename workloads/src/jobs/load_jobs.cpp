// SPDX-License-Identifier: Apache-2.0
#include "load_jobs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "railwright/models/workload/training.hpp"
#include "railwright/workloads/jobs/storage_load.hpp"

namespace railwright::simulation {

namespace {

using core::Bandwidth;
using core::DataSize;
using core::Duration;

/// Keys of an entry of `jobs` that is a load.
constexpr std::array<std::string_view, 6> kOfLoad{"name",  "start", "pool",
                                                  "nodes", "count", "load"};

/// Reads are spread over steps of about this time.
constexpr Duration kLoadStep = Duration::from_base(1.0);
/// A load that does not say how long it lasts lasts a day, and at least so many of its writes.
constexpr Duration kLoadTime = Duration::from_base(86400.0);
constexpr double kFewestWrites = 10.0;
/// Samples of a load are about a megabyte, so that whole ones make up its rate.
constexpr double kSampleBytes = 1 << 20;
/// The most that the keys of a training take: samples or bytes of one, and steps.
constexpr double kMostInt = 1e9;
constexpr double kMostSteps = 1e12;

bool is_of_load(std::string_view key) { return std::ranges::find(kOfLoad, key) != kOfLoad.end(); }

Duration load_time(const StorageLoad& load) {
  if (load.duration) return *load.duration;
  return load.every ? std::max(kLoadTime, *load.every * kFewestWrites) : kLoadTime;
}

/// Returns the time of a step: a whole number of them is the time from write to write.
Duration load_step(const StorageLoad& load) {
  if (!load.every) return kLoadStep;
  return *load.every / std::max(1.0, std::round(*load.every / kLoadStep));
}

double part_of_time(const JobRun& run, std::initializer_list<RunCause> causes) {
  double part = 0.0;
  for (const RunCause cause : causes) part += run.time_s[static_cast<std::size_t>(cause)];
  return part / run.training_time_s.mean;
}

}  // namespace

double busy_share(const JobRun& load) {
  return part_of_time(load, {RunCause::kCheckpointStall, RunCause::kDataStall});
}

double share_read(const JobRun& load) {
  const double steps = part_of_time(load, {RunCause::kSteps, RunCause::kSlowSteps});
  return steps / (steps + part_of_time(load, {RunCause::kDataStall}));
}

void check_load(const core::Node& entry, const JobOfMany& job, const std::string& path,
                core::Reader& reader) {
  for (const core::Entry& key : entry.entries) {
    if (is_of_load(key.key)) continue;
    reader.report(key.where, fmt::format("{}.{}", path, key.key),
                  "has no place beside `load`, which stands for all that the job does",
                  "leave it out, or leave `load` out");
  }
  const StorageLoad& load = *job.load;
  const core::Node& given = *entry.find("load");
  const std::string own = path + ".load";
  if (load.write.base() > 0.0 && !load.every) {
    reader.report(given.where, own, "missing key 'every'; it gives: the time from write to write",
                  "for example every: 30 min");
  }
  if (load.every && load.write.base() == 0.0) {
    reader.report(given.where, own, "missing key 'write'; it gives: the bytes of each write",
                  "for example write: 1 TB");
  }
  if (!load.every && load.write.base() == 0.0 && load.read.base() == 0.0) {
    reader.report(given.where, own, "neither writes nor reads",
                  "for example {write: 1 TB, every: 30 min, read: 3 GB/s}");
  }
  if (load.every && load.duration && *load.duration <= *load.every) {
    reader.report(given.where, own + ".duration", "ends with the first write: make it longer");
  }
}

core::Node as_training(const core::Node& entry, int num_accelerators) {
  core::Node training =
      core::parse_yaml(fmt::format("workload: {{model: resnet-50, global_batch: {}, steps: 1}}\n"
                                   "software: mxnet\n"
                                   "data: {{hand_over: 0 s, jitter: 0}}\n"
                                   "run: {{step_time: 1 s}}\n",
                                   num_accelerators),
                       "a load as a training");
  for (const core::Entry& key : entry.entries) {
    if (key.key != "load") training.entries.push_back(key);
  }
  training.where = entry.where;
  return training;
}

void shape_load(const StorageLoad& load, CheckedScenario& checked) {
  Scenario& scenario = checked.scenario;
  const Duration step = load_step(load);
  scenario.run.step_time = step;
  scenario.workload.steps = std::max<std::int64_t>(
      1, std::llround(std::min(kMostSteps, std::ceil(load_time(load) / step))));
  const double accelerators = scenario.num_accelerators();
  const double bytes = (load.read * step).base() / accelerators;
  const double samples =
      std::clamp(std::ceil(bytes / kSampleBytes), 1.0, std::floor(kMostInt / accelerators));
  scenario.workload.global_batch = static_cast<int>(accelerators * samples);
  scenario.workload.bytes_per_image =
      static_cast<int>(std::clamp(std::round(bytes / samples), 1.0, kMostInt));
  scenario.data.shuffled = false;
  scenario.data.size = load.files;
  if (!load.every) return;
  models::CheckpointFormat& format = scenario.software.checkpoint;
  format.bytes_per_parameter.value =
      load.write.base() / static_cast<double>(models::num_trained_parameters(scenario.workload));
  format.sharding.value = models::CheckpointSharding::kAllRanks;
  format.writer_rate.value = Bandwidth::infinity();
  format.serialization_rate.value = Bandwidth::infinity();
  format.reader_rate.reset();
  scenario.checkpoint.interval = load.every;
  scenario.checkpoint.retention = load.retention;
  scenario.checkpoint.restore = Restore::kBroadcast;
}

void keep_load_alone(core::Node& entry) {
  std::erase_if(entry.entries, [](const core::Entry& key) { return !is_of_load(key.key); });
}

}  // namespace railwright::simulation
