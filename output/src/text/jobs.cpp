// SPDX-License-Identifier: Apache-2.0
#include "railwright/workloads/jobs/jobs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "../words/number_text.hpp"
#include "../words/phrases.hpp"
#include "../words/ranges_text.hpp"
#include "power_text.hpp"
#include "railwright/core/units/text.hpp"
#include "railwright/output/text/text.hpp"
#include "railwright/output/text/verdict.hpp"
#include "railwright/output/words/table.hpp"
#include "railwright/workloads/training/outputs.hpp"
#include "storage_text.hpp"
#include "training_text.hpp"
#include "verdict_lines.hpp"

namespace railwright::output {

namespace {

using core::Duration;
using core::to_text;

std::string share(double part, double whole) {
  return whole > 0.0 ? fmt::format("{:.1f} %", 100.0 * part / whole) : "";
}

constexpr double kNoDelay = 1.001;
/// A load that gets less of its reads than this is behind them.
constexpr double kFewReads = 0.99;

/// Returns the ratio of a job's step beside the others to that alone.
double step_slowdown(const simulation::JobsResult& result, std::size_t job) {
  return result.step_times[job] / result.step_times_alone[job];
}

/// Returns "shared storage", "shared fabric" or both, for a job that takes `ratio` of its time
/// alone.
std::string_view what_is_shared(double ratio, double step_ratio) {
  if (step_ratio < kNoDelay) return "shared storage";
  return ratio > step_ratio * kNoDelay ? "shared fabric and storage" : "shared fabric";
}

std::string delay_text(const simulation::JobsResult& result) {
  const std::vector<double> ratios = slowdowns(result);
  const auto worst = std::ranges::max_element(ratios);
  if (*worst < kNoDelay) return "nothing: no job takes longer than alone";
  const auto job = static_cast<std::size_t>(worst - ratios.begin());
  const simulation::JobRun& run = result.run.jobs[job];
  return fmt::format("{}: {} takes {}, {} longer than alone",
                     what_is_shared(*worst, step_slowdown(result, job)), run.name,
                     to_text(run.training_time()), percent(*worst - 1.0));
}

double time_of(const simulation::JobRun& run, simulation::RunCause cause) {
  return run.time_s[static_cast<std::size_t>(cause)];
}

/// Returns the mean time of a load's writes.
std::string write_time(const simulation::JobRun& load) {
  if (load.num_checkpoints == 0.0) return "none";
  return to_text(Duration::from_base(time_of(load, simulation::RunCause::kCheckpointStall) /
                                     load.num_checkpoints));
}

/// Returns the table of loads; empty if there are none.
std::string loads_text(const simulation::JobsResult& result, const TextStyle& style) {
  if (!result.has_load()) return {};
  Table table(
      {"load", "writes", "every", "written in", "reads", "gets", "busy", "longer than alone"});
  for (std::size_t j = 0; j < result.run.jobs.size(); ++j) {
    if (!result.is_load(j)) continue;
    const simulation::JobRun& run = result.run.jobs[j];
    const simulation::StorageLoad& load = *result.loads[j];
    const bool reads = load.read.base() > 0.0;
    table.add_row({run.name, load.every ? to_text(load.write) : "",
                   load.every ? to_text(*load.every) : "", load.every ? write_time(run) : "",
                   reads ? to_text(load.read) : "",
                   reads ? to_text(load.read * share_read(run)) : "", percent(busy_share(run)),
                   percent(slowdowns(result)[j] - 1.0)});
  }
  return table.text(style);
}

/// Returns the lines of the load that writes for the largest part of its time, and of the one that
/// is the furthest behind its reads.
std::string load_lines(const simulation::JobsResult& result) {
  std::optional<std::size_t> writes;
  std::optional<std::size_t> reads;
  double most = 0.0;
  double least = kFewReads;
  for (std::size_t j = 0; j < result.run.jobs.size(); ++j) {
    if (!result.is_load(j)) continue;
    const simulation::JobRun& run = result.run.jobs[j];
    const double share =
        time_of(run, simulation::RunCause::kCheckpointStall) / run.training_time_s.mean;
    if (run.num_checkpoints > 0.0 && share > most) {
      most = share;
      writes = j;
    }
    const double got = share_read(run);
    if (got < least) {
      least = got;
      reads = j;
    }
  }
  std::string text;
  if (writes) {
    const simulation::JobRun& run = result.run.jobs[*writes];
    const simulation::StorageLoad& load = *result.loads[*writes];
    text += fact("writes", fmt::format("{}: {} every {} take {}, {} of its time", run.name,
                                       to_text(load.write), to_text(*load.every), write_time(run),
                                       percent(most)));
  }
  if (reads) {
    const core::Bandwidth asked = result.loads[*reads]->read;
    text +=
        fact("reads", fmt::format("{}: {} of the {} that it asks for", result.run.jobs[*reads].name,
                                  to_text(asked * least), to_text(asked)));
  }
  return text;
}

/// Whether a load is behind the reads that it asks for.
bool lacks_reads(const simulation::JobsResult& result) {
  for (std::size_t j = 0; j < result.run.jobs.size(); ++j) {
    if (result.is_load(j) && share_read(result.run.jobs[j]) < kFewReads) return true;
  }
  return false;
}

/// Returns the lines of the training that takes the longest; empty if all jobs are loads.
std::string training_lines(const simulation::JobsResult& result, const TextStyle& style) {
  const simulation::JobRun* longest = nullptr;
  std::size_t place = 0;
  for (std::size_t j = 0; j < result.run.jobs.size(); ++j) {
    const simulation::JobRun& run = result.run.jobs[j];
    if (result.is_load(j)) continue;
    if (longest != nullptr && run.training_time() <= longest->training_time()) continue;
    longest = &run;
    place = j;
  }
  if (longest == nullptr) return {};
  return fact("training time", fmt::format("{} of {}, the longest",
                                           strong(to_text(longest->training_time()), style, "1;32"),
                                           longest->name)) +
         fact("80 % interval", training_interval(*longest, result.step_intervals[place]));
}

/// Returns the table of the steps that others slow; empty if there are none.
std::string steps_text(const simulation::JobsResult& result, const TextStyle& style) {
  Table table({"job", "step", "alone", "slower"});
  bool is_empty = true;
  for (std::size_t j = 0; j < result.run.jobs.size(); ++j) {
    const double ratio = step_slowdown(result, j);
    if (ratio < kNoDelay) continue;
    is_empty = false;
    table.add_row({result.run.jobs[j].name, to_text(result.step_times[j]),
                   to_text(result.step_times_alone[j]), percent(ratio - 1.0)});
  }
  return is_empty ? std::string() : "\n" + table.text(style);
}

std::string power_text(const simulation::JobsPower& power) {
  const models::PowerByPart& mean = power.mean;
  std::string text =
      "\n" + fact("power", fmt::format("{} in the mean, {} at the peak, {} idle",
                                       to_text(power.mean_power()), to_text(power.peak_power()),
                                       to_text(power.idle_power())));
  text += fact("its nodes",
               fmt::format("{} in steps, {} waiting, {} without a job", to_text(power.in_steps),
                           to_text(power.waiting), to_text(power.without_job)));
  text += fact("all else",
               fmt::format("{} network, {} storage", to_text(mean.switches + mean.transceivers),
                           to_text(mean.storage_nodes)));
  if (power.pue > 1.0) {
    text +=
        fact("building", to_text(power.mean_power() - mean.equipment()) + " above its equipment");
  }
  return text + power_cap_text(power.clock);
}

std::string next_text(const planner::JobsChangesTried& changes) {
  if (changes.num_tried == 0) {
    return "nothing: the steps of all jobs are given, or no single change is legal and fits";
  }
  const std::string tried = plural(changes.num_tried, "change");
  if (!changes.best) {
    return fmt::format("none of {} tried shortens the mean training time by {:.0f} %", tried,
                       100.0 * planner::kMinSaving);
  }
  const planner::NextJobsChange& best = *changes.best;
  return fmt::format("--set {}: {} trains for {} ({}), the mean of all jobs {} ({}), of {} tried",
                     best.setting, best.job, to_text(best.training_time),
                     signed_percent(-best.saving), to_text(best.mean_training_time),
                     signed_percent(-best.mean_saving), tried);
}

/// Returns the storage nodes that all targets need together; 0 without targets.
int nodes_needed(const simulation::RunResult& run) {
  int needed = 0;
  for (const simulation::StorageNeed& need : run.needs) needed = std::max(needed, need.num_nodes);
  return needed;
}

/// Returns " (4 to 8: write_rate of powerscale-f710 is uncertain)"; empty where the storage nodes
/// hang on no number.
std::string uncertain_text(std::span<const planner::HangsOn> hangs_on) {
  const auto one =
      std::ranges::find(hangs_on, planner::RangedAnswer::kStorageNodes, &planner::HangsOn::answer);
  if (one == hangs_on.end() || std::isinf(one->most())) return {};
  const std::string of = one->number.entry.empty() ? "" : " of " + one->number.entry;
  return fmt::format(" ({:.0f} to {:.0f}: {}{} is uncertain)", one->least(), one->most(),
                     words(one->number.key()), of);
}

/// Returns "12 x powerscale-f710 carry 3 jobs; 5 would do", by the targets that the scenario has.
std::string jobs_text(const simulation::JobsResult& result,
                      std::span<const planner::HangsOn> hangs_on, const TextStyle& style) {
  const std::string jobs = plural(std::ssize(result.run.jobs), "job");
  const int count = result.run.storage.num_nodes;
  if (count == 0) return strong("fits", style, "1;32") + ": " + jobs;
  const std::string nodes = fmt::format("{} x {}", count, result.storage_node);
  const auto unmet = std::ranges::find(result.run.needs, 0, &simulation::StorageNeed::num_nodes);
  if (unmet != result.run.needs.end()) {
    return strong(fmt::format("{} miss the target of {} for {}", nodes, unmet->target, jobs), style,
                  "1;31") +
           "; no number of them meets it";
  }
  const int needed = nodes_needed(result.run);
  if (needed > count) {
    return strong(fmt::format("{} are too few for {}", nodes, jobs), style, "1;31") +
           fmt::format("; the targets need {}", needed) + uncertain_text(hangs_on);
  }
  if (lacks_reads(result)) {
    return strong(fmt::format("{} {} too few for {}", nodes, count == 1 ? "is" : "are", jobs),
                  style, "1;31") +
           uncertain_text(hangs_on);
  }
  std::string text =
      strong(fmt::format("{} carr{} {}", nodes, count == 1 ? "ies" : "y", jobs), style, "1;32");
  if (needed > 0 && needed < count) text += fmt::format("; {} would do", needed);
  return text + uncertain_text(hangs_on);
}

bool has_pools(const simulation::JobsResult& result) { return result.pools.size() > 1; }

/// Returns "16 x xe9680-h100: 52,100 tokens/s, 131 kW, 2.5 J a token, 0.43 USD a million tokens".
std::string pool_text(const simulation::PoolRun& pool) {
  std::string text = fmt::format("{} x {}: ", pool.num_nodes, pool.node);
  if (pool.tokens == 0.0) return text + to_text(pool.mean_power);
  text += fmt::format("{} tokens/s, {}, {} a token", grouped_value(pool.tokens_per_s),
                      to_text(pool.mean_power), to_text(pool.energy_per_token()));
  if (!pool.ownership) return text;
  return text + fmt::format(", {} a million tokens", money(pool.per_million_tokens));
}

/// Returns "5 and 9".
std::string counts_text(const simulation::Division& division) {
  return fmt::format("{} and {}", division.parts[0].micro_batches, division.parts[1].micro_batches);
}

std::string slowest_pool(const simulation::Division& division) {
  return std::ranges::max_element(division.parts, {}, &simulation::PartOfStep::time)->pool;
}

std::string divided_text(const simulation::DividedStep& step) {
  const std::string pools =
      fmt::format("{} and {}", step.even.parts[0].pool, step.even.parts[1].pool);
  const double saved = 1.0 - step.balanced.step_time / step.even.step_time;
  const std::string even =
      fmt::format("{} micro-batches for each replica of {}: a step of {}, at the pace of {}",
                  step.even.parts[0].micro_batches, pools, to_text(step.even.step_time),
                  slowest_pool(step.even));
  if (saved < kNoDelay - 1.0) return even + "; no other division is shorter";
  if (step.is_balanced) {
    return fmt::format("{} micro-batches for each replica of {}: a step of {}; {} for each take {}",
                       counts_text(step.balanced), pools, to_text(step.balanced.step_time),
                       step.even.parts[0].micro_batches, to_text(step.even.step_time));
  }
  return even + fmt::format("; division: balanced takes {}, {} ({})", counts_text(step.balanced),
                            to_text(step.balanced.step_time), signed_percent(-saved));
}

/// Returns a line for each pool and each job that runs on two.
std::string pools_text(const simulation::JobsResult& result) {
  std::string text;
  if (has_pools(result)) {
    for (const simulation::PoolRun& pool : result.pools) text += fact(pool.name, pool_text(pool));
  }
  for (const simulation::DividedStep& step : result.divided_steps) {
    text += fact("on two pools", fmt::format("{}: {}", step.job, divided_text(step)));
  }
  return text;
}

/// Returns the table of what pools cost; empty without prices.
std::string pool_costs_text(const simulation::JobsResult& result, const TextStyle& style) {
  if (result.pools.empty() || !result.pools.front().ownership) return {};
  Table table({"pool", "capital", "electricity", "to own", "a million tokens", "without a price"});
  for (const simulation::PoolRun& pool : result.pools) {
    const models::Ownership& own = *pool.ownership;
    table.add_row({pool.name.empty() ? "all nodes" : pool.name, money(own.capital),
                   money(own.electricity), money(own.total()),
                   pool.tokens > 0.0 ? money(pool.per_million_tokens) : "",
                   plural(std::ssize(own.unpriced), "part")});
  }
  if (result.shared_ownership) {
    const models::Ownership& own = *result.shared_ownership;
    table.add_row({"storage and shared networks", money(own.capital), money(own.electricity),
                   money(own.total()), "", plural(std::ssize(own.unpriced), "part")});
  }
  table.add_row({"all", "", "", money(total_cost(result)), "", ""});
  return "\n" + table.text(style) + (result.prices.empty() ? "" : fact("prices", result.prices));
}

}  // namespace

std::string verdict(const simulation::JobsResult& result,
                    const std::optional<planner::JobsChangesTried>& changes, const TextStyle& style,
                    std::span<const planner::HangsOn> hangs_on) {
  if (!result.feasible()) {
    std::vector<std::string> reasons;
    for (const simulation::Infeasibility& one : result.infeasible) reasons.push_back(one.what);
    return unfit_head(result.name, reasons, style);
  }
  std::string text =
      title(result.name, 1, style) + fact("verdict", jobs_text(result, hangs_on, style));
  const std::string trainings = training_lines(result, style);
  text += trainings + load_lines(result);
  text += fact("slowed by", delay_text(result)) + pools_text(result);
  const simulation::StorageRun& storage = result.run.storage;
  if (storage.num_nodes > 0) text += fact("storage", space_used(storage.max_used, storage.usable));
  if (changes && !trainings.empty()) text += fact("try next", next_text(*changes));
  return text + hangs_on_text(hangs_on);
}

std::string to_text(const simulation::JobsResult& result, const TextStyle& style) {
  if (!result.feasible()) return {};
  Table table({"job", "time", "alone", "in steps", "waits for data", "for checkpoints", "lost",
               "interruptions"});
  bool has_training = false;
  for (std::size_t j = 0; j < result.run.jobs.size(); ++j) {
    if (result.is_load(j)) continue;
    has_training = true;
    const simulation::JobRun& run = result.run.jobs[j];
    const double time = run.training_time_s.mean;
    const double lost = time_of(run, simulation::RunCause::kLostWork) +
                        time_of(run, simulation::RunCause::kRestart) +
                        time_of(run, simulation::RunCause::kRestore);
    table.add_row({run.name, to_text(run.training_time()), to_text(result.alone[j]),
                   share(time_of(run, simulation::RunCause::kSteps), time),
                   share(time_of(run, simulation::RunCause::kDataStall), time),
                   share(time_of(run, simulation::RunCause::kCheckpointStall), time),
                   share(lost, time), fmt::format("{:.1f}", run.num_interruptions)});
  }
  std::string text = has_training ? table.text(style) : "";
  const std::string loads = loads_text(result, style);
  if (has_training && !loads.empty()) text += "\n";
  text += loads + steps_text(result, style);
  if (!result.has_load()) text += power_text(result.power);
  text += pool_costs_text(result, style);
  if (result.run.storage.num_nodes > 0) text += "\n" + storage_text(result.run.storage);
  return text + needs_text(result.run.needs);
}

}  // namespace railwright::output
