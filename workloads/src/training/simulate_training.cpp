// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "placement_draws.hpp"
#include "railwright/core/parallel_for.hpp"
#include "railwright/core/parts_list.hpp"
#include "railwright/core/units/text.hpp"
#include "railwright/simulation/closed_form/estimate.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/simulation/step/fold.hpp"
#include "railwright/simulation/step/step_structure.hpp"
#include "railwright/workloads/training/fit_checks.hpp"
#include "railwright/workloads/training/run_cost.hpp"
#include "railwright/workloads/training/simulate.hpp"
#include "railwright/workloads/training/simulate_known.hpp"
#include "railwright/workloads/training/step_facts.hpp"
#include "railwright/workloads/training/unstated.hpp"
#include "smallest_change.hpp"

namespace railwright::simulation {

namespace {

/// Returns "matrix products take 71 % of a step, attention 6.1 %".
std::string limit_of(const Breakdown& breakdown) {
  const auto causes = causes_by_time(breakdown);
  const auto share = [&](Cause cause) { return 100.0 * (breakdown[cause] / breakdown.total()); };
  const CauseFacts& first = facts_of(causes[0]);
  return fmt::format("{} take{} {:.3g} % of a step, {} {:.3g} %", first.words,
                     first.is_plural ? "" : "s", share(causes[0]), facts_of(causes[1]).words,
                     share(causes[1]));
}

/// The cluster and the transfers of a step, kept for further questions about it.
struct MadeForStep {
  topologies::BuiltCluster built;
  std::optional<StepStructure> structure;  ///< only if asked for and the design can run
  bool asks_structure = false;
};

/// The method that gives steps.
struct StepOptions {
  SimulateOptions options;
  KnownSteps* known = nullptr;  ///< may be absent
  MadeForStep* made = nullptr;  ///< receives what was made; may be absent

  [[nodiscard]] bool is_estimate() const { return options.method == Method::kEstimate; }
  [[nodiscard]] StepResult simulate(const StepCosts& costs) const {
    return known == nullptr ? simulate_step(costs, options.symmetry) : known->simulate(costs);
  }
  /// `folded` are the costs, folded.
  [[nodiscard]] StepResult simulate(const StepCosts& costs, const FoldedCosts& folded) const {
    const bool is_folded = known == nullptr && options.symmetry == Symmetry::kFolded;
    return is_folded ? simulate_step(folded) : simulate(costs);
  }
};

/// A step on one fabric: its time, and what it puts on links.
struct StepOnFabric {
  Breakdown breakdown;
  core::Duration time;
  std::vector<TierLoad> loads;
  std::vector<LinkLoad> busiest_links;
  std::vector<double> link_bytes;
};

StepOnFabric step_on(const CheckedScenario& checked, const core::Fabric& fabric,
                     const StepOptions& asked) {
  StepCosts costs;
  std::optional<FoldedCosts> folded;
  if (asked.made != nullptr && asked.made->asks_structure && &asked.made->built.fabric == &fabric) {
    StructuredStep made = structured_step(checked, fabric);
    costs = std::move(made.costs);
    folded = std::move(made.folded);
    asked.made->structure = std::move(made.structure);
  } else {
    costs = step_costs(checked, fabric);
  }
  if (asked.is_estimate()) {
    const Breakdown breakdown = estimate_step(folded ? folded->costs : fold(costs).costs);
    return {.breakdown = breakdown, .time = breakdown.total()};
  }
  StepResult step = folded ? asked.simulate(costs, *folded) : asked.simulate(costs);
  StepOnFabric on{
      .breakdown = step.breakdown,
      .time = step.step_time,
      .loads = tier_loads(fabric, costs.capacity, step.link_bytes, step.step_time),
      .busiest_links = busiest_links(fabric, costs.capacity, step.link_bytes, step.step_time)};
  const auto& storage = checked.scenario.cluster.storage;
  if (storage && storage->network == topologies::StorageAttachment::kScaleOut) {
    on.link_bytes = std::move(step.link_bytes);
  }
  return on;
}

std::vector<StepOnFabric> steps_of_draws(const CheckedScenario& checked, const core::Fabric& fabric,
                                         const StepOptions& asked) {
  std::vector<StepOnFabric> steps(static_cast<std::size_t>(num_placement_draws(checked.scenario)));
  core::parallel_for(steps.size(), [&](std::size_t draw) {
    steps[draw] = draw == 0 ? step_on(checked, fabric, asked)
                            : step_on(checked, build_draw(checked, draw).fabric, asked);
  });
  return steps;
}

Breakdown mean_of(const std::vector<StepOnFabric>& steps) {
  Breakdown mean;
  for (const StepOnFabric& step : steps) {
    for (std::size_t i = 0; i < mean.time.size(); ++i) {
      mean.time[i] += step.breakdown.time[i] / static_cast<double>(steps.size());
    }
  }
  return mean;
}

/// Runs the step on the fabric, or on those of all draws of scattered places.
void run_step(const CheckedScenario& checked, const core::Fabric& fabric, const StepOptions& asked,
              SimulationResult& result) {
  std::vector<StepOnFabric> steps = steps_of_draws(checked, fabric, asked);
  std::size_t typical = 0;
  result.breakdown = steps.front().breakdown;
  result.step_time = steps.front().time;
  if (steps.size() > 1) {
    result.breakdown = mean_of(steps);
    result.step_time = result.breakdown.total();
    const auto off = [&](const StepOnFabric& step) {
      return std::abs((step.time - result.step_time).base());
    };
    const auto nearest = std::ranges::min_element(steps, {}, off);
    typical = static_cast<std::size_t>(nearest - steps.begin());
    const auto [low, high] = std::ranges::minmax_element(steps, {}, &StepOnFabric::time);
    result.placement = PlacementSpread{.num_draws = static_cast<int>(steps.size()),
                                       .low = low->time,
                                       .high = high->time,
                                       .typical_draw = typical,
                                       .typical_step = nearest->time};
  }
  if (asked.is_estimate()) {
    result.closed_form_error = closed_form_error(approximation_of(checked), result.breakdown);
  }
  result.loads = std::move(steps[typical].loads);
  result.busiest_links = std::move(steps[typical].busiest_links);
  result.link_bytes = std::move(steps[typical].link_bytes);
  if (!asked.options.trace || asked.is_estimate()) return;
  const auto trace_on = [&](const core::Fabric& of) {
    return trace_step(step_costs(checked, of), of, asked.options.symmetry);
  };
  result.trace = typical == 0 ? trace_on(fabric) : trace_on(build_draw(checked, typical).fabric);
}

bool lacks_front_end_ports_alone(const core::PartsList& parts, const SimulationResult& result) {
  return result.infeasible.size() == parts.shortfalls.size() &&
         std::ranges::all_of(parts.shortfalls, [](const core::Shortfall& one) {
           return one.tier == core::kFrontEndTier;
         });
}

double speed_of_degraded(const CheckedScenario& checked, const core::Fabric& fabric,
                         const StepOptions& asked, core::Duration step_time) {
  const auto& fleet = checked.scenario.reliability;
  const std::vector<core::VertexId> nics = fabric.vertices_with(core::Role::kNic, 0);
  if (!fleet || !fleet->degraded_links || nics.empty()) return 1.0;
  StepCosts costs = step_costs(checked, fabric);
  for (std::size_t l = 0; l < fabric.links().size(); ++l) {
    const core::Link& link = fabric.links()[l];
    const bool is_its_own = link.from == nics.front() || link.to == nics.front();
    if (!is_its_own || link.tier != core::Tier::kInjection) continue;
    costs.capacity[l] *= fleet->degraded_links->rate.value;
  }
  const core::Duration degraded = asked.is_estimate() ? estimate_step(fold(costs).costs).total()
                                                      : asked.simulate(costs).step_time;
  return std::min(1.0, step_time / degraded);
}

SimulationResult step_alone(const CheckedScenario& checked, const topologies::BuiltCluster& built,
                            const StepOptions& asked) {
  const Scenario& scenario = checked.scenario;
  SimulationResult result = check_design(checked, built);
  result.method = asked.options.method;
  result.bisection = built.fabric.bisection_bandwidth();
  if (!result.feasible()) return result;
  run_step(checked, built.fabric, asked, result);
  set_step_facts(scenario, step_work(scenario.workload, checked.layout, scenario.software), result);
  result.limit = limit_of(result.breakdown);
  return result;
}

SimulationResult step_and_run(const CheckedScenario& checked, const StepOptions& asked);

/// Withdraws a change with which the memory suffices where the run does not fit with it, and says
/// why not.
void check_smallest_change(const CheckedScenario& checked, SimulationResult& result) {
  if (!result.smallest_change) return;
  const auto changed = with_smallest_change(checked, *result.smallest_change);
  if (!changed) return;
  const SimulationResult run =
      step_and_run(*changed, {.options = {.method = Method::kEstimate}, .known = nullptr});
  if (run.feasible()) return;
  for (const Infeasibility& reason : run.infeasible) {
    result.infeasible.push_back({fmt::format("with {} the memory suffices, but {}",
                                             result.smallest_change->setting, reason.what)});
  }
  result.smallest_change.reset();
}

/// Runs the job again on nodes that are taken back, where spot nodes have a price.
void add_spot_run(const RunJob& job, const core::Fabric& fabric, SimulationResult& result) {
  auto spot = with_spot_nodes(job.checked->scenario);
  if (!spot || !result.cost || !result.feasible()) return;
  CheckedScenario checked = *job.checked;
  checked.scenario = std::move(*spot);
  checked.scenario.run.targets.reset();
  RunJob again = job;
  again.checked = &checked;
  const RunResult run = simulate_run(std::span(&again, 1), fabric, checked.scenario.run);
  add_spot(checked.scenario, run.job().training_time(), *result.cost);
}

SimulationResult step_and_run(const CheckedScenario& checked, const StepOptions& asked) {
  MadeForStep own;
  MadeForStep& made = asked.made == nullptr ? own : *asked.made;
  made.built = checked.topology->build(checked.scenario.cluster);
  SimulationResult result = step_alone(checked, made.built, asked);
  if (!result.feasible()) {
    check_smallest_change(checked, result);
    return result;
  }
  core::Duration step_on_links = result.step_time;
  std::optional<topologies::BuiltCluster> typical;
  if (result.placement) {
    typical = build_draw(checked, result.placement->typical_draw);
    step_on_links = result.placement->typical_step;
  }
  const topologies::BuiltCluster& built = typical ? *typical : made.built;
  const RunJob job{
      .checked = &checked,
      .step_time = checked.scenario.run.step_time.value_or(result.step_time),
      .start = {},
      .first_node = 0,
      .link_bytes = result.link_bytes,
      .degraded_link_speed = speed_of_degraded(checked, built.fabric, asked, step_on_links)};
  result.run = simulate_run(std::span(&job, 1), built.fabric, checked.scenario.run,
                            {.trace = asked.options.trace, .tell = asked.options.tell});
  finish_run(checked.scenario, built.parts, result);
  add_spot_run(job, built.fabric, result);
  return result;
}

}  // namespace

double degraded_link_speed(const CheckedScenario& checked, const core::Fabric& fabric,
                           const SimulateOptions& options, core::Duration step_time) {
  return speed_of_degraded(checked, fabric, {.options = options}, step_time);
}

SimulationResult check_design(const CheckedScenario& checked,
                              const topologies::BuiltCluster& built) {
  const Scenario& scenario = checked.scenario;
  const models::Training& training = scenario.workload;
  SimulationResult result = facts_of_design(checked, built);
  result.basis = checked.basis;
  result.memory = models::largest_memory_use(training, checked.layout, scenario.software);
  result.memory_reserved =
      models::reserved_memory(result.memory, scenario.software, result.memory_capacity);
  result.tiers = models::node_tier_uses(training, checked.layout, scenario.software,
                                        scenario.cluster.node.num_accelerators.value);
  check_tiers(result.tiers, result.infeasible);
  const bool rest_fits = result.feasible();
  check_memory(result.memory, result.memory_capacity, result.infeasible);
  if (!result.feasible()) {
    if (rest_fits) {
      result.smallest_change = smallest_change(checked, built.fabric);
    } else if (lacks_front_end_ports_alone(built.parts, result)) {
      result.smallest_change = more_front_end_switches(checked);
    }
  }
  return result;
}

SimulationResult simulate_without_run(const CheckedScenario& checked,
                                      const topologies::BuiltCluster& built,
                                      const SimulateOptions& options) {
  return step_alone(checked, built, {.options = options});
}

SimulationResult simulate_without_run(const CheckedScenario& checked,
                                      const topologies::BuiltCluster& built, KnownSteps& known) {
  return step_alone(checked, built, {.options = {}, .known = &known});
}

SimulationResult simulate(const CheckedScenario& checked, const SimulateOptions& options) {
  return step_and_run(checked, {.options = options});
}

SimulationResult simulate_with_unstated(const CheckedScenario& checked,
                                        const core::Catalogue& catalogue,
                                        const SimulateOptions& options) {
  MadeForStep made{.built = {}, .structure = {}, .asks_structure = leaves_unstated(checked)};
  SimulationResult result = step_and_run(checked, {.options = options, .made = &made});
  if (!result.feasible()) return result;
  std::vector<UnstatedSetting> settings;
  if (made.structure) {
    settings = unstated_settings(checked, made.built.fabric, *made.structure, catalogue);
  }
  add_settings(checked, std::move(settings), result);
  return result;
}

SimulationResult simulate(const CheckedScenario& checked, KnownSteps& known) {
  return step_and_run(checked, {.options = {}, .known = &known});
}

}  // namespace railwright::simulation
