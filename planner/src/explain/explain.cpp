// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/explain/explain.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "railwright/core/config/describe.hpp"
#include "railwright/core/config/reader.hpp"
#include "railwright/core/config/writer.hpp"
#include "railwright/core/error.hpp"
#include "railwright/core/parallel_for.hpp"
#include "railwright/simulation/closed_form/estimate.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/scenario_keys.hpp"
#include "railwright/simulation/scenario/scenario_source.hpp"
#include "railwright/simulation/step/known_steps.hpp"
#include "railwright/simulation/step/step_structure.hpp"
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

/// Whether the fabric is built from a rate: all of the cluster's are taken for that, but for what
/// an accelerator does by itself.
bool shapes_fabric(const Rate& rate) {
  constexpr std::string_view kAccelerator = "cluster.node.accelerator.";
  if (!rate.path.starts_with("cluster.")) return false;
  if (!rate.path.starts_with(kAccelerator)) return true;
  const std::string_view key = std::string_view(rate.path).substr(kAccelerator.size());
  return key.starts_with("scale_up") || key.starts_with("pcie");
}

/// The first so many keys of a path.
std::string_view prefix(std::string_view path, std::size_t num_keys) {
  std::size_t end = 0;
  for (std::size_t key = 0; key < num_keys; ++key) {
    end = path.find('.', end);
    if (end == std::string_view::npos) return path;
    ++end;
  }
  return path.substr(0, end);
}

/// Rates of one part of the scenario, next to each other in it.
struct RateGroup {
  std::span<const Rate> rates;
  std::size_t num_keys = 0;  ///< that their paths have in common
};

/// Splits a group at the first key that differs, and into single rates at the last; a single one
/// has no parts.
std::vector<RateGroup> parts_of(RateGroup group) {
  std::vector<RateGroup> parts;
  while (parts.size() < 2 && group.rates.size() > 1) {
    ++group.num_keys;
    parts.clear();
    for (std::size_t first = 0; first < group.rates.size();) {
      const std::string_view own = prefix(group.rates[first].path, group.num_keys);
      std::size_t end = first + 1;
      const bool is_whole = own == group.rates[first].path;
      while (!is_whole && end < group.rates.size() &&
             prefix(group.rates[end].path, group.num_keys) == own) {
        ++end;
      }
      parts.push_back({group.rates.subspan(first, end - first), group.num_keys});
      first = end;
    }
  }
  return parts;
}

struct StepTimes {
  core::Duration estimate;
  core::Duration events;  ///< only if asked for

  [[nodiscard]] core::Duration by(simulation::Method method) const {
    return method == simulation::Method::kEstimate ? estimate : events;
  }
};

/// A step with some rates faster and slower.
struct Tried {
  StepTimes slower;
  StepTimes faster;
  bool matters = false;
};

class Explainer {
 public:
  Explainer(core::Node complete, const core::Catalogue& catalogue, simulation::Method method,
            int num_threads, const ProgressFunction& progress)
      : complete_(std::move(complete)),
        catalogue_(catalogue),
        method_(method),
        num_threads_(num_threads),
        progress_(progress),
        rates_(rates_of(complete_)),
        checked_(simulation::ScenarioSource(complete_, catalogue_).checked_without_basis()),
        built_(checked_.topology->build(checked_.scenario.cluster)),
        structure_(checked_, built_.fabric) {
    const simulation::StepCosts costs = structure_.costs(checked_, built_.fabric);
    content_ = content_of(costs);
    now_.estimate = estimate_step(costs).total();
    add_events(costs, method_, now_);
  }

  [[nodiscard]] core::Duration step_time() const { return now_.by(method_); }
  [[nodiscard]] const core::Fabric& fabric() const { return built_.fabric; }

  [[nodiscard]] std::vector<Elasticity> elasticities() const { return elasticities(method_); }

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
    next.step_time = rest.step_time();
    if (const auto largest = rest.largest()) {
      next.next = largest->path;
      next.elasticity = largest->elasticity;
    }
    return next;
  }

 private:
  /// Tries parts of the scenario as a whole, then the parts of those that matter.
  [[nodiscard]] std::vector<Elasticity> elasticities(simulation::Method method) const {
    std::vector<Elasticity> found;
    std::vector<RateGroup> groups{{.rates = rates_}};
    PiecesDone tried(
        progress_, method == simulation::Method::kEstimate ? "rates estimated" : "rates by events",
        rates_.size());
    while (!groups.empty()) {
      const std::vector<Tried> results = try_all(groups, method, tried);
      std::vector<RateGroup> parts;
      for (std::size_t i = 0; i < groups.size(); ++i) {
        if (!results[i].matters) continue;
        const std::vector<RateGroup> finer = parts_of(groups[i]);
        parts.insert(parts.end(), finer.begin(), finer.end());
        if (!finer.empty()) continue;
        found.push_back(elasticity_of(groups[i].rates.front(), results[i], method));
      }
      groups = std::move(parts);
    }
    sort_by_elasticity(found);
    return found;
  }

  /// Returns the largest elasticity. Events are asked in the order of the closed form, until all
  /// that are left have together less than half of the largest by it.
  [[nodiscard]] std::optional<Elasticity> largest() const {
    constexpr std::size_t kAtOnce = 4;
    constexpr double kFarLess = 0.5;
    std::vector<Elasticity> estimated = elasticities(simulation::Method::kEstimate);
    if (method_ == simulation::Method::kSimulate && estimated.empty()) estimated = elasticities();
    if (estimated.empty()) return {};
    if (method_ == simulation::Method::kEstimate) return estimated.front();
    double left = 0.0;
    for (const Elasticity& one : estimated) left += std::abs(one.elasticity);
    std::vector<Elasticity> found;
    PiecesDone tried(progress_, "rates by events", estimated.size());
    while (found.size() < estimated.size()) {
      const std::size_t first = found.size();
      found.resize(std::min(first + kAtOnce, estimated.size()));
      core::parallel_for(
          found.size() - first,
          [&](std::size_t i) {
            const std::string& path = estimated[first + i].path;
            const auto rate = std::ranges::find(rates_, path, &Rate::path);
            found[first + i] =
                elasticity_of(*rate, both_ways(std::span(rate, 1), method_), method_);
            tried.one_more();
          },
          num_threads_);
      for (std::size_t i = first; i < found.size(); ++i) left -= std::abs(estimated[i].elasticity);
      const auto most = std::ranges::max(found, {}, &Elasticity::elasticity);
      if (left < kFarLess * most.elasticity) break;
    }
    sort_by_elasticity(found);
    return found.front();
  }

  /// Sorts from the largest; equal ones keep the order of the scenario.
  void sort_by_elasticity(std::vector<Elasticity>& found) const {
    std::ranges::stable_sort(found, {}, [&](const Elasticity& one) {
      return std::ranges::find(rates_, one.path, &Rate::path) - rates_.begin();
    });
    std::ranges::stable_sort(found, std::greater{}, &Elasticity::elasticity);
  }

  /// Whether two rates bound the same transfer: neither gains alone, and both lose as much.
  static bool ties(const Elasticity& top, const Elasticity& other) {
    if (top.path == other.path) return true;
    const auto gains = [](const Elasticity& one) { return one.gain > 0.01 * one.loss; };
    return !gains(top) && !gains(other) && std::abs(top.loss - other.loss) < 1e-3 * top.loss;
  }

  [[nodiscard]] bool changes_estimate(const StepTimes& times) const {
    return std::abs(times.estimate / now_.estimate - 1.0) > kNothing;
  }

  /// Whether the closed form changes, or events do though it does not.
  [[nodiscard]] bool changes_step(const StepTimes& times, simulation::Method method) const {
    return changes_estimate(times) || (method == simulation::Method::kSimulate &&
                                       std::abs(times.events / now_.events - 1.0) > kHidden);
  }

  [[nodiscard]] Tried both_ways(std::span<const Rate> rates, simulation::Method method) const {
    return {.slower = times_with(rates, 1.0 / kPercent, method),
            .faster = times_with(rates, kPercent, method)};
  }

  /// Works out whether several rates matter together, and no more than that.
  [[nodiscard]] Tried try_one(std::span<const Rate> rates, simulation::Method method) const {
    Tried tried{.slower = times_with(rates, 1.0 / kPercent, method), .faster = {}};
    tried.matters = changes_step(tried.slower, method);
    if (tried.matters && rates.size() > 1) return tried;
    tried.faster = times_with(rates, kPercent, method);
    tried.matters = tried.matters || changes_step(tried.faster, method);
    return tried;
  }

  [[nodiscard]] std::vector<Tried> try_all(std::span<const RateGroup> groups,
                                           simulation::Method method, PiecesDone& done) const {
    std::vector<Tried> results(groups.size());
    core::parallel_for(
        groups.size(),
        [&](std::size_t i) {
          const std::span<const Rate> rates = groups[i].rates;
          results[i] = try_one(rates, method);
          if (results[i].matters && rates.size() > 1) return;  // its parts come next
          for (std::size_t n = 0; n < rates.size(); ++n) done.one_more();
        },
        num_threads_);
    return results;
  }

  static void add_events(const simulation::StepCosts& costs, simulation::Method method,
                         StepTimes& times) {
    if (method == simulation::Method::kEstimate) return;
    times.events = simulate_step(costs, simulation::Symmetry::kUnfolded).step_time;
  }

  /// Many rates do not enter a step at all. Events are left out where several rates together change
  /// the closed form: that they matter is known then.
  [[nodiscard]] StepTimes times_of(const simulation::CheckedScenario& checked,
                                   const core::Fabric& fabric, bool is_group,
                                   simulation::Method method) const {
    const simulation::StepCosts costs = structure_.costs(checked, fabric);
    if (content_of(costs) == content_) return now_;
    StepTimes times{.estimate = estimate_step(costs).total(), .events = {}};
    if (is_group && changes_estimate(times)) return times;
    add_events(costs, method, times);
    return times;
  }

  [[nodiscard]] StepTimes times_with(std::span<const Rate> rates, double factor,
                                     simulation::Method method) const {
    const simulation::CheckedScenario checked =
        simulation::ScenarioSource(with_faster(complete_, rates, factor), catalogue_)
            .checked_without_basis();
    const bool is_group = rates.size() > 1;
    if (std::ranges::none_of(rates, shapes_fabric)) {
      return times_of(checked, built_.fabric, is_group, method);
    }
    const std::optional<core::Fabric> again =
        checked.topology->wired_again(checked.scenario.cluster, built_.fabric);
    if (again) return times_of(checked, *again, is_group, method);
    return times_of(checked, checked.topology->build(checked.scenario.cluster).fabric, is_group,
                    method);
  }

  [[nodiscard]] Elasticity elasticity_of(const Rate& rate, const Tried& tried,
                                         simulation::Method method) const {
    const core::Duration faster = tried.faster.by(method);
    const core::Duration slower = tried.slower.by(method);
    const core::Duration now = now_.by(method);
    return {.path = rate.path,
            .is_time = rate.is_time,
            .gain = 1.0 - faster / now,
            .loss = slower / now - 1.0,
            .elasticity = std::log(slower / faster) / (2.0 * std::log(kPercent))};
  }

  core::Node complete_;
  const core::Catalogue& catalogue_;
  simulation::Method method_;
  int num_threads_;
  const ProgressFunction& progress_;
  std::vector<Rate> rates_;
  simulation::CheckedScenario checked_;
  topologies::BuiltCluster built_;
  simulation::StepStructure structure_;
  std::vector<std::uint64_t> content_;  ///< of the costs as they are
  StepTimes now_;
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

  const auto outages = outages_of(checked.scenario, explainer.fabric());
  made.outages.resize(outages.size());
  core::parallel_for(
      outages.size(),
      [&](std::size_t i) { made.outages[i] = run_outage(complete, catalogue, method, outages[i]); },
      num_threads);
  return made;
}

}  // namespace railwright::planner
