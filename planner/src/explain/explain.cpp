// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/explain/explain.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "railwright/core/config/describe.hpp"
#include "railwright/core/config/reader.hpp"
#include "railwright/core/config/writer.hpp"
#include "railwright/core/error.hpp"
#include "railwright/core/parallel_for.hpp"
#include "railwright/simulation/closed_form/estimate.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/scenario_keys.hpp"
#include "railwright/topologies/wirings/topology_kinds.hpp"
#include "railwright/workloads/kinds.hpp"
#include "sensitivities.hpp"

namespace railwright::planner {

namespace {

constexpr double kPercent = 1.01;
constexpr double kLifted = 1000.0;
constexpr double kNothing = 1e-7;  // share of a step that rounding may change in an estimate
constexpr double kHidden = 1e-5;   // share of a step: an elasticity of a thousandth

/// Replaces catalogue names in a fabric by the entries, since switches have rates too. The keys
/// that name entries are those of the topology.
void write_out(core::Node& fabric, core::Reader& reader) {
  const core::Node* name = fabric.find("topology");
  const topologies::TopologyKind* kind =
      name == nullptr ? nullptr : topologies::find_topology(name->text);
  if (kind == nullptr) return;
  const core::Description& keys = kind->keys();
  for (core::Entry& entry : fabric.entries) {
    if (entry.key == "plane") write_out(entry.value, reader);
    const core::Description* key = keys.find(entry.key);
    if (key == nullptr || key->catalogue.empty()) continue;
    core::Node storage;
    const core::Node* whole = reader.resolve(entry.value, entry.key, {key->catalogue}, storage);
    if (whole != nullptr && whole != &entry.value) entry.value = core::Node(*whole);
  }
}

/// Returns the complete scenario without `search` and `compare`, which would be read again for
/// every rate, and without front-end keys if storage has no front end.
core::Node complete_tree(const simulation::CheckedScenario& checked,
                         const core::Catalogue& catalogue) {
  simulation::Scenario scenario = checked.scenario;
  scenario.comparison.reset();
  scenario.search.reset();
  core::Reader reader(&catalogue);
  write_out(scenario.cluster.fabric, reader);
  core::Node tree = core::to_node(scenario);
  const auto& storage = scenario.cluster.storage;
  if (storage && storage->network == topologies::StorageAttachment::kScaleOut) {
    std::erase_if(tree.find("cluster")->find("storage")->entries, [](const core::Entry& entry) {
      return entry.key == "num_switches" || entry.key == "peer_links";
    });
  }
  return tree;
}

class Explainer {
 public:
  Explainer(core::Node complete, const core::Catalogue& catalogue, simulation::Method method,
            int num_threads, const ProgressFunction& progress)
      : complete_(std::move(complete)),
        catalogue_(catalogue),
        method_(method),
        num_threads_(num_threads),
        progress_(progress),
        rates_(rates_of(complete_)) {}

  [[nodiscard]] std::vector<Elasticity> elasticities() const {
    std::vector<Elasticity> found = elasticities_of(rates_, simulation::Method::kEstimate);
    std::vector<Rate> matter;
    std::vector<Rate> rest;
    for (std::size_t i = 0; i < rates_.size(); ++i) {
      const bool matters = std::max(std::abs(found[i].gain), std::abs(found[i].loss)) > kNothing;
      (matters ? matter : rest).push_back(rates_[i]);
    }
    if (method_ == simulation::Method::kSimulate) {
      const core::Duration now = step_time(complete_, method_);
      add_hidden(rest, now, matter);
    }
    found = elasticities_of(matter, method_);
    std::ranges::stable_sort(found, std::greater{}, &Elasticity::elasticity);
    return found;
  }

  [[nodiscard]] NextLimit next_limit(const std::vector<Elasticity>& found) const {
    NextLimit next;
    std::vector<Rate> lifted;
    for (const Elasticity& one : found) {
      if (!ties(found.front(), one)) continue;
      next.lifted.push_back(one.path);
      const auto same = [&](const Rate& rate) { return rate.path == one.path; };
      std::ranges::copy_if(rates_, std::back_inserter(lifted), same);
    }
    const Explainer rest(with_faster(complete_, lifted, kLifted), catalogue_, method_, num_threads_,
                         progress_);
    next.step_time = rest.step_time(rest.complete_, method_);
    const std::vector<Elasticity> then = rest.elasticities();
    if (!then.empty()) {
      next.next = then.front().path;
      next.elasticity = then.front().elasticity;
    }
    return next;
  }

 private:
  /// Whether two rates bound the same transfer: neither gains alone, and both lose as much.
  static bool ties(const Elasticity& top, const Elasticity& other) {
    if (top.path == other.path) return true;
    const auto gains = [](const Elasticity& one) { return one.gain > 0.01 * one.loss; };
    return !gains(top) && !gains(other) && std::abs(top.loss - other.loss) < 1e-3 * top.loss;
  }

  /// Adds those of `rates` that change the events, though not the closed form. Tries all of them
  /// together, then halves, since few are hidden.
  void add_hidden(std::span<const Rate> rates, core::Duration now,
                  std::vector<Rate>& matter) const {
    if (rates.empty()) return;
    const auto faster = step_time(with_faster(complete_, rates, kPercent), method_);
    const auto slower = step_time(with_faster(complete_, rates, 1.0 / kPercent), method_);
    if (std::max(std::abs(1.0 - faster / now), std::abs(slower / now - 1.0)) <= kHidden) return;
    if (rates.size() == 1) {
      matter.push_back(rates.front());
      return;
    }
    add_hidden(rates.first(rates.size() / 2), now, matter);
    add_hidden(rates.subspan(rates.size() / 2), now, matter);
  }

  [[nodiscard]] core::Duration step_time(const core::Node& tree, simulation::Method method) const {
    const simulation::CheckedScenario checked = simulation::read_scenario(tree, catalogue_);
    const auto built = checked.topology->build(checked.scenario.cluster);
    const simulation::StepCosts costs = step_costs(checked, built.fabric);
    return method == simulation::Method::kEstimate
               ? estimate_step(costs).total()
               : simulate_step(costs, simulation::Symmetry::kFolded).step_time;
  }

  [[nodiscard]] std::vector<Elasticity> elasticities_of(std::span<const Rate> rates,
                                                        simulation::Method method) const {
    const core::Duration now = step_time(complete_, method);
    std::vector<Elasticity> found(rates.size());
    PiecesDone tried(
        progress_, method == simulation::Method::kEstimate ? "rates estimated" : "rates by events",
        rates.size());
    core::parallel_for(
        rates.size(),
        [&](std::size_t i) {
          const auto one = rates.subspan(i, 1);
          const auto faster = step_time(with_faster(complete_, one, kPercent), method);
          const auto slower = step_time(with_faster(complete_, one, 1.0 / kPercent), method);
          found[i] = {.path = one.front().path,
                      .is_time = one.front().is_time,
                      .gain = 1.0 - faster / now,
                      .loss = slower / now - 1.0,
                      .elasticity = std::log(slower / faster) / (2.0 * std::log(kPercent))};
          tried.one_more();
        },
        num_threads_);
    return found;
  }

  core::Node complete_;
  const core::Catalogue& catalogue_;
  simulation::Method method_;
  int num_threads_;
  const ProgressFunction& progress_;
  std::vector<Rate> rates_;
};

/// Settings that each take one piece of equipment away.
std::vector<std::pair<std::string, std::string>> outages_of(const simulation::Scenario& scenario,
                                                            const core::Fabric& fabric) {
  std::vector<std::pair<std::string, std::string>> outages;
  if (scenario.cluster.node.nics.count > 0) {
    outages.emplace_back("NIC 0 of node 0 down", "cluster.faults.nics=[{node: 0, nic: 0}]");
  }
  if (const auto switches = fabric.vertices_with(core::Role::kSwitch); !switches.empty()) {
    const std::string& label = fabric.vertices()[static_cast<std::size_t>(switches.front())].label;
    outages.emplace_back(label + " down", fmt::format("cluster.faults.switches=[\"{}\"]", label));
  }
  if (scenario.cluster.storage) {
    outages.emplace_back("a storage node down",
                         "run.incidents=[{time: 0 s, component: storage_node}]");
  }
  return outages;
}

Outage run_outage(core::Node tree, const core::Catalogue& catalogue, simulation::Method method,
                  const std::pair<std::string, std::string>& outage) {
  Outage made{.what = outage.first, .why_not = {}, .step_time = {}, .training_time = {}};
  try {
    core::set_path(tree, outage.second);
    const simulation::SimulationResult result =
        simulation::simulate(simulation::read_scenario(tree, catalogue), {.method = method});
    if (!result.feasible()) {
      made.why_not = result.infeasible.front().what;
    } else {
      made.step_time = result.step_time;
      made.training_time = result.run.job().training_time();
    }
  } catch (const core::ConfigError& error) {
    made.why_not = error.diagnostics().front().message;
  } catch (const core::SimulationError& error) {
    made.why_not = error.what();
  }
  return made;
}

}  // namespace

bool Elasticity::gains_nothing_alone() const { return loss > 0.0 && gain < 0.1 * loss; }

std::string Explanation::tie_note(double least) const {
  std::vector<std::string> tied;
  for (const Elasticity& one : elasticities) {
    if (one.elasticity >= least && one.gains_nothing_alone()) tied.push_back(one.path);
  }
  if (tied.empty()) return {};
  return fmt::format(
      "1 % more of {} alone saves nothing, since something else limits the same transfer as much; "
      "1 % less costs. Each has its share of the elasticity that they have together.",
      fmt::join(tied, " or of "));
}

std::string Explanation::sum_note() const {
  constexpr double kTolerance = 0.02;
  if (elasticities.empty() || std::abs(sum - 1.0) <= kTolerance) return {};
  return fmt::format(
      "The elasticities add up to {:.3f}, not 1: within 1 % of some of these rates the step "
      "changes by "
      "a jump, as where a library chooses another algorithm or events change their order.",
      sum);
}

Explanation explain(const core::Node& tree, const core::Catalogue& catalogue,
                    simulation::Method method, int num_threads, const ProgressFunction& progress) {
  const simulation::CheckedScenario checked = simulation::read_training(tree, catalogue);
  const simulation::SimulationResult now = simulate(checked, {.method = method});
  Explanation made{.name = now.name, .method = method};
  for (const simulation::Infeasibility& reason : now.infeasible)
    made.infeasible.push_back(reason.what);
  if (!made.feasible()) return made;
  made.limit = now.limit;
  made.step_time = now.step_time;
  made.training_time = now.run.job().training_time();
  made.breakdown = now.breakdown;

  const core::Node complete = complete_tree(checked, catalogue);
  const Explainer explainer(complete, catalogue, method, num_threads, progress);
  made.elasticities = explainer.elasticities();
  for (const Elasticity& one : made.elasticities) made.sum += one.elasticity;
  if (!made.elasticities.empty()) made.next = explainer.next_limit(made.elasticities);

  const auto built = checked.topology->build(checked.scenario.cluster);
  const auto outages = outages_of(checked.scenario, built.fabric);
  made.outages.resize(outages.size());
  core::parallel_for(
      outages.size(),
      [&](std::size_t i) { made.outages[i] = run_outage(complete, catalogue, method, outages[i]); },
      num_threads);
  return made;
}

}  // namespace railwright::planner
