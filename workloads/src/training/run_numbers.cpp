// SPDX-License-Identifier: Apache-2.0
// Numbers of the run of a job: its time by cause, and its failures.
#include <string>

#include "number_groups.hpp"
#include "railwright/workloads/training/simulate.hpp"

namespace railwright::simulation {

namespace {

using Format = NumberFormat;

/// Returns `time`, or nothing if nothing fails.
NumberValue of_failures(const JobRun& of, core::Duration time) {
  const bool any = of.mean_time_to_interruption < core::Duration::infinity();
  return any ? NumberValue(time) : NumberValue();
}

void add_causes(Numbers<JobRun>& all) {
  for (std::size_t i = 0; i < kNumRunCauses; ++i) {
    all.push_back({.path = "run." + std::string(kRunCauses[i].name) + "_s",
                   .word = std::string(kRunCauses[i].words),
                   .format = Format::kTime,
                   .color = kRunCauses[i].color,
                   .read = [i](const JobRun& of) { return of.time_s[i]; }});
  }
}

void add_failures(Numbers<JobRun>& all) {
  all.push_back({.path = "run.num_interruptions",
                 .word = "interruptions",
                 .read = [](const JobRun& of) { return of.num_interruptions; }});
  for (const auto& [name, component] : core::kWordsOf<models::Component>) {
    const auto i = static_cast<std::size_t>(component);
    all.push_back({.path = "run.failures." + std::string(name),
                   .read = [i](const JobRun& of) { return of.failures[i]; }});
  }
}

void add_intervals(Numbers<JobRun>& all) {
  all.push_back(
      {.path = "run.mean_time_to_interruption_s",
       .word = "mean time to an interruption",
       .format = Format::kTime,
       .read = [](const JobRun& of) { return of_failures(of, of.mean_time_to_interruption); }});
  all.push_back({.path = "run.young_interval_s",
                 .word = "best checkpoint interval, after Young",
                 .format = Format::kTime,
                 .read = [](const JobRun& of) { return of_failures(of, of.young_interval); }});
  all.push_back({.path = "run.daly_interval_s",
                 .word = "best checkpoint interval, after Daly",
                 .format = Format::kTime,
                 .read = [](const JobRun& of) { return of_failures(of, of.daly_interval); }});
  all.push_back({.path = "run.best_interval_s",
                 .word = "best checkpoint interval, by simulation",
                 .format = Format::kTime,
                 .read = [](const JobRun& of) {
                   const core::Duration best = of.best_interval;
                   return best > core::Duration{} ? of_failures(of, best) : NumberValue();
                 }});
}

}  // namespace

Numbers<JobRun> run_numbers() {
  Numbers<JobRun> all = {
      {.path = "training_time_s",
       .word = "training time",
       .format = Format::kTime,
       .column = "training_time_s",
       .read = [](const JobRun& of) { return of.training_time(); }},
      {.path = "training_time_low_s",
       .format = Format::kTime,
       .read = [](const JobRun& of) { return of.training_time_s.low; }},
      {.path = "training_time_high_s",
       .format = Format::kTime,
       .read = [](const JobRun& of) { return of.training_time_s.high; }},
      {.path = "effective_training_time",
       .format = Format::kShare,
       .column = "effective_training_time",
       .read = [](const JobRun& of) { return of.effective_training_time.mean; }}};
  add_causes(all);
  add_failures(all);
  add_intervals(all);
  return all;
}

}  // namespace railwright::simulation
