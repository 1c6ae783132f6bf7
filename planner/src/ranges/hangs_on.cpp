// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/ranges/hangs_on.hpp"

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

#include "railwright/simulation/run/storage_needs.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/workloads/jobs/jobs_scenario.hpp"
#include "railwright/workloads/jobs/jobs_storage_needs.hpp"
#include "railwright/workloads/training/spares.hpp"
#include "railwright/workloads/training/step_range.hpp"

namespace railwright::planner {

namespace {

using simulation::CheckedScenario;
using simulation::JobRun;
using simulation::RangedNumber;
using simulation::StorageNeed;

constexpr double kNone = std::numeric_limits<double>::infinity();

std::vector<RangedNumber> numbers_of(const std::vector<RangedNumber>& all, std::string_view entry) {
  std::vector<RangedNumber> some;
  std::ranges::copy_if(all, std::back_inserter(some),
                       [&](const RangedNumber& one) { return one.path.starts_with(entry); });
  return some;
}

void add(std::optional<HangsOn> one, std::vector<HangsOn>& all) {
  if (one) all.push_back(std::move(*one));
}

/// Returns the storage nodes that meet all targets; infinity if no number does.
double most_of(std::span<const StorageNeed> needs) {
  double most = 0.0;
  for (const StorageNeed& need : needs) {
    most = std::max(most, need.num_nodes > 0 ? need.num_nodes : kNone);
  }
  return most;
}

/// Lets no burst be slower than what a node writes without end.
void raise_burst(core::StorageNode& node) {
  node.burst_write_rate.value = std::max(node.burst_write_rate.value, node.write_rate.value);
}

std::optional<HangsOn> storage_nodes(const core::Node& tree, const core::Catalogue& catalogue,
                                     std::span<const RangedNumber> numbers,
                                     const simulation::SimulationResult& result) {
  const std::vector<StorageNeed>& needs = result.run.needs;
  if (needs.empty()) return {};
  const simulation::KnownNeeds known{
      needs, simulation::read_scenario(tree, catalogue).scenario.cluster.storage->node};
  simulation::BuiltByCount built;
  const auto evaluate = [&](const core::Node& changed) {
    CheckedScenario checked = simulation::read_scenario(changed, catalogue);
    raise_burst(checked.scenario.cluster.storage->node);
    const simulation::RunPlan& plan = checked.scenario.run;
    const simulation::RunJob job{.checked = &checked,
                                 .step_time = plan.step_time.value_or(result.step_time)};
    // `size` sets targets where the scenario has none.
    const simulation::StorageTargets targets = plan.targets.value_or(simulation::StorageTargets{});
    return most_of(simulation::storage_needs(job, targets, known, built));
  };
  return deciding_number(RangedAnswer::kStorageNodes, most_of(needs), tree, numbers, evaluate);
}

std::optional<HangsOn> storage_nodes(const core::Node& tree, const core::Catalogue& catalogue,
                                     std::span<const RangedNumber> numbers,
                                     const simulation::JobsResult& result) {
  if (result.run.needs.empty()) return {};
  const simulation::KnownNeeds known{result.run.needs,
                                     simulation::read_jobs(tree, catalogue).storage()->node};
  const auto evaluate = [&](const core::Node& changed) {
    simulation::CheckedJobs checked = simulation::read_jobs(changed, catalogue);
    checked.change_storage([](topologies::StorageCluster& storage) { raise_burst(storage.node); });
    return most_of(simulation::jobs_storage_needs(checked, result, known));
  };
  return deciding_number(RangedAnswer::kStorageNodes, most_of(result.run.needs), tree, numbers,
                         evaluate);
}

std::optional<HangsOn> spares(const core::Node& tree, const core::Catalogue& catalogue,
                              std::span<const RangedNumber> numbers, const JobRun& run) {
  const auto evaluate = [&](const core::Node& changed) {
    const simulation::Scenario scenario = simulation::read_scenario(changed, catalogue).scenario;
    return static_cast<double>(simulation::spares_for(scenario, run));
  };
  return deciding_number(RangedAnswer::kSpares, evaluate(tree), tree, numbers, evaluate);
}

/// Runs again with the same steps: repairs change when nodes come back, readers what steps wait.
std::optional<HangsOn> training_time(const core::Node& tree, const core::Catalogue& catalogue,
                                     std::span<const RangedNumber> numbers,
                                     const simulation::SimulationResult& result) {
  if (numbers.empty()) return {};
  const auto evaluate = [&](const core::Node& changed) {
    CheckedScenario checked = simulation::read_scenario(changed, catalogue);
    simulation::RunPlan& plan = checked.scenario.run;
    plan.step_time = plan.step_time.value_or(result.step_time);
    plan.targets.reset();
    plan.optimize_interval = false;
    const simulation::SimulationResult again =
        simulation::simulate(checked, {.method = simulation::Method::kEstimate});
    return again.feasible() ? again.run.job().training_time_s.mean : kNone;
  };
  return deciding_number(RangedAnswer::kTrainingTime, result.run.job().training_time_s.mean, tree,
                         numbers, evaluate);
}

/// Detection and restart add to every interruption of the run.
std::optional<HangsOn> outages(const core::Node& tree, const core::Catalogue& catalogue,
                               const std::vector<RangedNumber>& all, const JobRun& run) {
  std::vector<RangedNumber> numbers = numbers_of(all, "reliability.");
  std::erase_if(numbers, [](const RangedNumber& one) { return one.key() == "repair"; });
  if (numbers.empty() || run.num_interruptions == 0.0) return {};
  const auto of_one = [&](const core::Node& changed) {
    const auto fleet = *simulation::read_scenario(changed, catalogue).scenario.reliability;
    return fleet.detection.value + fleet.replacement.value + fleet.restart.value;
  };
  const core::Duration known = of_one(tree);
  const auto evaluate = [&](const core::Node& changed) {
    return run.training_time_s.mean + run.num_interruptions * (of_one(changed) - known).base();
  };
  return deciding_number(RangedAnswer::kTrainingTime, run.training_time_s.mean, tree, numbers,
                         evaluate);
}

std::optional<HangsOn> larger(std::optional<HangsOn> a, std::optional<HangsOn> b) {
  if (!a || !b) return a ? std::move(a) : std::move(b);
  return a->ratio() >= b->ratio() ? std::move(a) : std::move(b);
}

/// Adds the spares that repairs need, and the training time: by repairs too, if those of the run do
/// not do.
void add_failures(const core::Node& tree, const core::Catalogue& catalogue,
                  const std::vector<RangedNumber>& all, const simulation::SimulationResult& result,
                  std::vector<HangsOn>& answers) {
  if (numbers_of(all, "reliability.").empty() || result.run.jobs.empty()) return;
  const JobRun& run = result.run.job();
  std::optional<HangsOn> time = outages(tree, catalogue, all, run);
  const std::vector<RangedNumber> repair = numbers_of(all, "reliability.repair");
  if (auto needed = spares(tree, catalogue, repair, run)) {
    const int given = simulation::read_scenario(tree, catalogue).scenario.run.num_spares;
    if (needed->most() > given) {
      time = larger(std::move(time), training_time(tree, catalogue, repair, result));
    }
    add(std::move(needed), answers);
  }
  add(std::move(time), answers);
}

void add_step(const core::Node& tree, const core::Catalogue& catalogue,
              const simulation::SimulationResult& result, std::vector<HangsOn>& answers) {
  std::optional<HangsOn> most;
  const CheckedScenario checked = simulation::read_scenario(tree, catalogue);
  for (simulation::StepRange& one : simulation::step_ranges(tree, catalogue, checked, result)) {
    HangsOn made{.answer = RangedAnswer::kStepTime,
                 .number = std::move(one.number),
                 .at_low = result.step_time.base() * one.at_low,
                 .at_value = result.step_time.base(),
                 .at_high = result.step_time.base() * one.at_high};
    most = larger(std::move(most), std::move(made));
  }
  if (most && most->ratio() >= kMinRangeRatio) add(std::move(most), answers);
}

/// Names the reader that a scenario took since nobody stated one.
core::Node with_assumed_reader(core::Node tree, const simulation::SimulationResult& result) {
  if (result.run.jobs.empty() || !result.run.job().assumes_reader) return tree;
  core::set_path(tree, "data.reader=" + result.run.job().reader);
  return tree;
}

void sort_by_effect(std::vector<HangsOn>& answers) {
  std::ranges::stable_sort(answers, std::ranges::greater{}, &HangsOn::ratio);
}

/// Answers of a service with full batches.
std::optional<HangsOn> tokens(const core::Node& tree, const core::Catalogue& catalogue,
                              std::span<const RangedNumber> numbers) {
  const auto evaluate = [&](const core::Node& changed) {
    simulation::CheckedInference checked = simulation::read_inference(changed, catalogue);
    checked.inference.load.reset();
    const simulation::InferenceResult again =
        simulation::simulate(checked, checked.cluster.topology->build(checked.cluster.cluster));
    return again.feasible() ? again.accelerator_tokens_per_s : 0.0;
  };
  if (numbers.empty()) return {};
  return deciding_number(RangedAnswer::kTokensPerAccelerator, evaluate(tree), tree, numbers,
                         evaluate);
}

}  // namespace

std::vector<HangsOn> hangs_on(const core::Node& tree, const core::Catalogue& catalogue,
                              const simulation::SimulationResult& result) {
  std::vector<HangsOn> answers;
  if (!result.feasible()) return answers;
  const core::Node named = with_assumed_reader(tree, result);
  const std::vector<RangedNumber> all = simulation::ranged_numbers(named, catalogue);
  if (all.empty()) return answers;
  add(storage_nodes(tree, catalogue, numbers_of(all, "cluster.storage.node."), result), answers);
  add(training_time(named, catalogue, numbers_of(all, "data.reader."), result), answers);
  add_failures(tree, catalogue, all, result, answers);
  add_step(tree, catalogue, result, answers);
  sort_by_effect(answers);
  return answers;
}

std::vector<HangsOn> hangs_on(const core::Node& tree, const core::Catalogue& catalogue,
                              const simulation::AnyResult& result) {
  if (const auto* training = std::get_if<simulation::SimulationResult>(&result)) {
    return hangs_on(tree, catalogue, *training);
  }
  std::vector<HangsOn> answers;
  if (!simulation::is_feasible(result)) return answers;
  const std::vector<RangedNumber> all = simulation::ranged_numbers(tree, catalogue);
  if (all.empty()) return answers;
  if (const auto* jobs = std::get_if<simulation::JobsResult>(&result)) {
    add(storage_nodes(tree, catalogue, numbers_of(all, "cluster.storage.node."), *jobs), answers);
  }
  if (std::holds_alternative<simulation::InferenceResult>(result)) {
    std::vector<RangedNumber> numbers = numbers_of(all, "cluster.node.accelerator.");
    std::ranges::move(numbers_of(all, "inference."), std::back_inserter(numbers));
    add(tokens(tree, catalogue, numbers), answers);
  }
  return answers;
}

}  // namespace railwright::planner
