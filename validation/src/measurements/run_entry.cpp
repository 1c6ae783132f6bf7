// SPDX-License-Identifier: Apache-2.0
#include "run_entry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "railwright/core/config/include.hpp"
#include "railwright/core/config/text_file.hpp"
#include "railwright/core/units/text.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/with_settings.hpp"
#include "railwright/validation/measurements/training_log.hpp"
#include "railwright/workloads/kinds.hpp"
#include "railwright/workloads/training/step_facts.hpp"

namespace railwright::validation {

namespace {

constexpr std::size_t kMaxRunsOfAFit = 4096;

/// Finds the place of a problem in the file: set_path() places settings at "--set path=value".
core::Location place_of(const core::Diagnostic& problem, const RunEntry& entry) {
  for (const core::Node& setting : entry.set) {
    const std::string path = setting.text.substr(0, setting.text.find('='));
    if (problem.where.file == "--set " + setting.text ||
        (problem.where.line == 0 && !path.empty() && problem.path.starts_with(path))) {
      return setting.where;
    }
  }
  return problem.where.line == 0 ? entry.name.where : problem.where;
}

void take_problems(const core::ConfigError& error, const RunEntry& entry, core::Reader& reader) {
  for (const core::Diagnostic& problem : error.diagnostics()) {
    reader.report(place_of(problem, entry), problem.path, problem.message, problem.hint);
  }
}

/// Whether name, settings and log are text. They are kept as nodes for their places.
bool is_text(const RunEntry& entry, core::Reader& reader) {
  bool is_sound = true;
  const auto check = [&](const core::Node& node, const char* path) {
    if (node.is_scalar()) return;
    reader.report(node.where, path, "expected text");
    is_sound = false;
  };
  check(entry.name, "name");
  for (const core::Node& setting : entry.set) check(setting, "set");
  if (entry.log) check(*entry.log, "log");
  return is_sound;
}

std::optional<core::Node> tree_of(const RunEntry& entry, core::Node tree, core::Reader& reader) {
  bool is_sound = true;
  for (const core::Node& setting : entry.set) {
    try {
      core::set_path(tree, setting.text);
    } catch (const core::ConfigError& error) {
      take_problems(error, entry, reader);
      is_sound = false;
    }
  }
  if (!is_sound) return {};
  return tree;
}

void take_log(const RunEntry& entry, const RunsPlace& place, MeasuredRun& run,
              core::Reader& reader) {
  const std::string path =
      (std::filesystem::path(place.file).parent_path() / entry.log->text).string();
  const core::FileFolders folders(place.file, place.include_folders);
  if (const auto problem = folders.problem(*entry.log, "log", path)) {
    return reader.report(problem->where, problem->path, problem->message, problem->hint);
  }
  try {
    const LoggedSteps steps = read_training_log(core::read_text_file(path), path);
    run.step_time = steps.step_time;
    run.standard_error = steps.standard_error;
    run.source += fmt::format("{}{}, {} of {} lines of {}", run.source.empty() ? "" : ", ",
                              entry.log->text, steps.num_used, steps.num_lines, steps.format);
  } catch (const core::ConfigError& error) {
    for (const core::Diagnostic& problem : error.diagnostics()) {
      reader.report(entry.log->where, "log", problem.where.file + ": " + problem.message,
                    problem.hint);
    }
  }
}

/// Reports a step shorter than peak rates allow: its unit is wrong, or it is another run's.
void check_time(const RunEntry& entry, const MeasuredRun& run, core::Reader& reader) {
  const simulation::Scenario& scenario = run.scenario.scenario;
  const models::SoftwareProfile& software = scenario.software;
  const auto peak = scenario.cluster.node.accelerator.peak_rate(software.precision.value);
  if (!peak || !(run.step_time > core::Duration{})) return;
  const core::Work work =
      simulation::step_work(scenario.workload, run.scenario.layout, software).causal;
  const core::Duration least = work / (*peak * scenario.num_accelerators());
  if (run.step_time >= least) return;
  reader.report(entry.name.where, "step_time",
                fmt::format("{} of run '{}' is less than the {} that its products take at the peak "
                            "rate of {} accelerators",
                            core::to_text(run.step_time), run.name, core::to_text(least),
                            scenario.num_accelerators()),
                "check its unit");
}

}  // namespace

std::vector<MeasuredRun> measured_runs(const std::vector<RunEntry>& entries, const core::Node& base,
                                       const RunsPlace& place, const std::string& source,
                                       const core::Catalogue& catalogue, core::Reader& reader) {
  std::vector<MeasuredRun> runs;
  if (entries.size() > kMaxRunsOfAFit) {
    reader.report(entries[kMaxRunsOfAFit].name.where, "",
                  fmt::format("{} runs are more than the {} that a fit may have", entries.size(),
                              kMaxRunsOfAFit));
    return runs;
  }
  std::set<std::string> names;
  for (const RunEntry& entry : entries) {
    if (!is_text(entry, reader)) continue;
    MeasuredRun run{.name = entry.name.text,
                    .source = entry.source.empty() ? source : entry.source,
                    .tree = {},
                    .scenario = {},
                    .step_time = entry.step_time.value_or(core::Duration{}),
                    .standard_error = entry.standard_error};
    if (!names.insert(run.name).second) {
      reader.report(entry.name.where, "name", fmt::format("a second run '{}'", run.name));
    }
    if (entry.step_time.has_value() == entry.log.has_value()) {
      reader.report(entry.name.where, "step_time",
                    entry.log ? "a run has a step_time or a log, not both"
                              : "a run needs a step_time, or a log to take it from");
    } else if (entry.log) {
      take_log(entry, place, run, reader);
    }
    auto tree = tree_of(entry, base, reader);
    if (!tree) continue;
    try {
      run.scenario = simulation::read_training(*tree, catalogue);
      run.tree = std::move(*tree);
      check_time(entry, run, reader);
      runs.push_back(std::move(run));
    } catch (const core::ConfigError& error) {
      take_problems(error, entry, reader);
    }
  }
  return runs;
}

core::Node base_tree(const BaseScenario& base, const core::Node* named, const std::string& file) {
  if (base.tree) return simulation::with_settings(*base.tree, base.settings);
  if (named == nullptr) {
    throw core::ConfigError({{{file},
                              "scenario",
                              "which scenario was measured is not said",
                              "name it with --scenario, or as `scenario:` in a YAML file"}});
  }
  const auto path = std::filesystem::path(file).parent_path() / named->text;
  const core::FileFolders folders(file, base.include_folders);
  if (auto problem = folders.problem(*named, "scenario", path)) throw core::ConfigError({*problem});
  return simulation::load_scenario_tree(path.string(), base.settings, base.include_folders);
}

}  // namespace railwright::validation
