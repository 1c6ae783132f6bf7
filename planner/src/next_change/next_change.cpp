// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/next_change/next_change.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "railwright/core/error.hpp"
#include "railwright/core/parallel_for.hpp"
#include "railwright/models/collective/communicator.hpp"
#include "railwright/simulation/closed_form/estimate.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/step/step.hpp"
#include "railwright/simulation/training/fit_checks.hpp"
#include "railwright/simulation/training/mean_step.hpp"
#include "railwright/topologies/topology.hpp"

namespace railwright::planner {

namespace {

using models::Recompute;
using simulation::CheckedScenario;
using simulation::Scenario;

/// Most changes to simulate, if the closed form was wrong about the first.
constexpr std::size_t kMaxSimulated = 3;

struct Change {
  std::string setting;
  std::function<void(Scenario&)> apply;
};

/// Changes to try; some may be illegal.
class Changes {
 public:
  explicit Changes(const Scenario& scenario) : scenario_(scenario) {
    add_factors("workload.micro_batch", scenario.workload.micro_batch,
                [](Scenario& s, int value) { s.workload.micro_batch = value; });
    for (const auto& [name, size] : models::kDimensions<models::Parallelism>) {
      add_dimension(name, size);
    }
    add_dimension("virtual_stages", &models::Parallelism::virtual_stages);
    add_zero_stages();
    add_recompute();
    add_switches();
    add_nics();
  }
  [[nodiscard]] const std::vector<Change>& all() const { return all_; }

 private:
  template <class Apply>
  void add_factors(const std::string& key, int value, const Apply& apply) {
    std::vector<int> values{2 * value};
    if (value % 2 == 0) values.push_back(value / 2);
    for (const int other : values) {
      all_.push_back({fmt::format("{}={}", key, other),
                      [apply, other](Scenario& scenario) { apply(scenario, other); }});
    }
  }
  void add_dimension(std::string_view name, int models::Parallelism::* dimension) {
    add_factors(
        fmt::format("parallelism.{}", name), scenario_.parallelism.*dimension,
        [dimension](Scenario& scenario, int value) { scenario.parallelism.*dimension = value; });
  }
  void add_zero_stages() {
    for (int stage = 0; stage <= 3; ++stage) {
      if (stage == scenario_.software.zero_stage.value) continue;
      all_.push_back({fmt::format("software.zero_stage={}", stage),
                      [stage](Scenario& scenario) { scenario.software.zero_stage.value = stage; }});
    }
  }
  void add_recompute() {
    for (const Recompute recompute : {Recompute::kNone, Recompute::kSelective}) {
      if (recompute >= scenario_.software.recompute.value) continue;
      all_.push_back(
          {fmt::format("software.recompute={}", core::to_string(recompute)),
           [recompute](Scenario& scenario) { scenario.software.recompute.value = recompute; }});
    }
  }
  void add_switch(const char* name, core::Sourced<bool> models::SoftwareProfile::* is_on) {
    if ((scenario_.software.*is_on).value) return;
    all_.push_back({fmt::format("software.{}=true", name),
                    [is_on](Scenario& scenario) { (scenario.software.*is_on).value = true; }});
  }
  void add_switches() {
    using Software = models::SoftwareProfile;
    add_switch("overlap_gradient_reduce", &Software::overlap_gradient_reduce);
    add_switch("overlap_parameter_gather", &Software::overlap_parameter_gather);
    add_switch("overlap_pipeline", &Software::overlap_pipeline);
    add_switch("overlap_tensor_parallel", &Software::overlap_tensor_parallel);
    if (scenario_.parallelism.sequence_parallel) return;
    all_.push_back({"parallelism.sequence_parallel=true",
                    [](Scenario& scenario) { scenario.parallelism.sequence_parallel = true; }});
  }
  void add_nics() {
    const topologies::Cluster& cluster = scenario_.cluster;
    const int num_nics = 2 * cluster.node.nics.count;
    if (cluster.num_nodes == 1 || num_nics > cluster.node.num_accelerators.value) return;
    all_.push_back(
        {fmt::format("cluster.node.nics.count={}", num_nics),
         [num_nics](Scenario& scenario) { scenario.cluster.node.nics.count = num_nics; }});
  }

  const Scenario& scenario_;
  std::vector<Change> all_;
};

bool fits(const CheckedScenario& checked) {
  const Scenario& scenario = checked.scenario;
  std::vector<simulation::Infeasibility> reasons;
  simulation::check_memory(
      models::largest_memory_use(scenario.workload, checked.layout, scenario.software),
      scenario.cluster.node.accelerator.memory.value, reasons);
  simulation::check_tiers(
      models::node_tier_uses(scenario.workload, checked.layout, scenario.software,
                             scenario.cluster.node.num_accelerators.value),
      reasons);
  return reasons.empty();
}

/// Whether the switches have enough ports, and the fabric what the collective library needs.
bool can_be_built(const CheckedScenario& checked, const topologies::BuiltCluster& built) {
  return built.parts.shortfalls.empty() &&
         models::missing_reduction(built.fabric, checked.scenario.software.collectives).empty();
}

class ChangeTrials {
 public:
  ChangeTrials(const core::Node& tree, const core::Catalogue& catalogue)
      : tree_(tree),
        catalogue_(catalogue),
        own_(simulation::read_scenario(tree, catalogue)),
        built_(own_.topology->build(own_.scenario.cluster)) {}

  [[nodiscard]] const Scenario& scenario() const { return own_.scenario; }
  [[nodiscard]] core::Duration own_estimate() const {
    return estimate_step(step_costs(own_, built_.fabric)).total();
  }

  /// Estimates the step with a change; nothing if it does not divide or fit, which is checked first
  /// because it is fast, or if another rule forbids it.
  [[nodiscard]] std::optional<core::Duration> estimate(const Change& change) const {
    CheckedScenario changed{.scenario = own_.scenario, .layout = {}, .topology = own_.topology};
    change.apply(changed.scenario);
    const Scenario& scenario = changed.scenario;
    const auto problems = models::make_layout(scenario.workload, scenario.parallelism,
                                              scenario.num_accelerators(), changed.layout);
    if (!problems.empty() || !fits(changed)) return {};
    return step_time(change.setting, [](const CheckedScenario& checked, const BuiltCluster& built) {
      return estimate_step(step_costs(checked, built.fabric)).total();
    });
  }

  /// Computes the step of the scenario with a setting as simulate() does; nothing if a rule forbids
  /// it.
  [[nodiscard]] std::optional<core::Duration> step_time(const std::string& setting,
                                                        simulation::Method method) const {
    return step_time(setting, [method](const CheckedScenario& checked, const BuiltCluster& built) {
      return mean_step_time(checked, built, {.method = method});
    });
  }

 private:
  using BuiltCluster = topologies::BuiltCluster;

  template <class Step>
  [[nodiscard]] std::optional<core::Duration> step_time(const std::string& setting,
                                                        const Step& step) const {
    core::Node tree = tree_;
    try {
      core::set_path(tree, setting);
      const CheckedScenario checked = simulation::read_scenario(tree, catalogue_);
      if (!has_other_cluster(checked.scenario)) return time_if_fits(checked, built_, step);
      return time_if_fits(checked, checked.topology->build(checked.scenario.cluster), step);
    } catch (const core::ConfigError&) {
      return {};
    } catch (const core::SimulationError&) {
      return {};
    }
  }

  /// Whether a change needs another fabric: it changes only the NICs of a cluster.
  [[nodiscard]] bool has_other_cluster(const Scenario& scenario) const {
    return scenario.cluster.node.nics.count != own_.scenario.cluster.node.nics.count;
  }
  template <class Step>
  static std::optional<core::Duration> time_if_fits(const CheckedScenario& checked,
                                                    const BuiltCluster& built, const Step& step) {
    if (!fits(checked) || !can_be_built(checked, built)) return {};
    return step(checked, built);
  }

  const core::Node& tree_;
  const core::Catalogue& catalogue_;
  CheckedScenario own_;
  topologies::BuiltCluster built_;
};

/// A change with a shorter step in the closed form.
struct FasterChange {
  std::string setting;
  core::Duration estimate;
};

/// Returns the faster changes, the fastest first, and counts those tried.
std::vector<FasterChange> faster_changes(const ChangeTrials& trials,
                                         const ProgressFunction& progress, int& num_tried) {
  const Changes all(trials.scenario());
  const std::vector<Change>& changes = all.all();
  std::vector<std::optional<core::Duration>> estimates(changes.size());
  PiecesDone tried(progress, "changes", changes.size());
  core::parallel_for(changes.size(), [&](std::size_t i) {
    estimates[i] = trials.estimate(changes[i]);
    tried.one_more();
  });
  const core::Duration now = trials.own_estimate();
  std::vector<FasterChange> faster;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    if (!estimates[i]) continue;
    ++num_tried;
    if (*estimates[i] < now) faster.push_back({changes[i].setting, *estimates[i]});
  }
  std::ranges::stable_sort(faster, {}, &FasterChange::estimate);
  return faster;
}

}  // namespace

ChangesTried next_change(const core::Node& tree, const core::Catalogue& catalogue,
                         const simulation::SimulationResult& result,
                         const ProgressFunction& progress) {
  ChangesTried changes{.method = result.method, .best = {}};
  if (!result.feasible()) return changes;
  const ChangeTrials trials(tree, catalogue);
  changes.is_step_given = trials.scenario().run.step_time.has_value();
  if (changes.is_step_given) return changes;
  std::size_t num_asked = 0;
  for (const FasterChange& one : faster_changes(trials, progress, changes.num_tried)) {
    const auto time = trials.step_time(one.setting, result.method);
    if (!time) continue;
    const double saving = 1.0 - *time / result.step_time;
    if (saving >= kMinSaving) {
      changes.best = {.setting = one.setting, .step_time = *time, .saving = saving};
      break;
    }
    if (++num_asked == kMaxSimulated) break;
  }
  return changes;
}

}  // namespace railwright::planner
