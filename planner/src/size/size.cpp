// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/size/size.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "railwright/core/units/text.hpp"
#include "railwright/models/money/comparable_costs.hpp"
#include "railwright/planner/so_far.hpp"
#include "railwright/simulation/scenario/with_settings.hpp"
#include "railwright/workloads/kinds.hpp"
#include "sizer.hpp"
#include "sought.hpp"

namespace railwright::planner {

namespace {

void check(const core::Node& tree, const simulation::Scenario& scenario) {
  if (!scenario.goals) {
    throw core::ConfigError({{tree.where, "goals", "missing: `size` needs to know them", {}}});
  }
  const simulation::Goals& goals = *scenario.goals;
  const core::Location where = tree.find("goals")->where;
  std::vector<core::Diagnostic> problems;
  if (goals.tokens && goals.tokens_per_parameter) {
    problems.push_back({where, "goals", "tokens and tokens_per_parameter exclude each other", {}});
  }
  if (models::vision_of(scenario.workload) != nullptr &&
      (goals.tokens || goals.tokens_per_parameter)) {
    problems.push_back({where,
                        "goals",
                        "token goals do not apply to a vision model; set workload.steps instead",
                        {}});
  }
  std::ranges::move(goal_problems(scenario, where), std::back_inserter(problems));
  if (goals.budget && !scenario.prices) {
    const core::Location& place = core::place_of(tree, "goals.budget");
    problems.push_back({place, "goals.budget", "needs `prices`",
                        "`railwright prices template` writes a file to fill in"});
  }
  if (!goals.parts.storage_nodes.empty() && !scenario.cluster.storage) {
    problems.push_back({where, "goals.parts.storage_nodes", "the cluster has no `storage`", {}});
  }
  if (!problems.empty()) throw core::ConfigError(std::move(problems));
}

std::string first_problem(const core::ConfigError& error) {
  const core::Diagnostic& problem = error.diagnostics().front();
  return fmt::format("{}: {}", problem.path, problem.message);
}

/// Returns the parts without a price that decide which cluster is cheapest.
std::vector<std::string> unpriced_of(const std::vector<Sized>& sized) {
  std::vector<const models::Ownership*> costs;
  for (const Sized& one : sized) {
    if (one.cluster.result.cost) costs.push_back(&one.cluster.result.cost->ownership);
  }
  return models::unpriced_that_decide(costs, models::CostBasis::kOwnership);
}

/// Returns the cost, or the number of nodes.
double rank_of(const SizedCluster& cluster, bool is_by_cost) {
  return is_by_cost ? cluster.result.cost->ownership.total().base()
                    : static_cast<double>(cluster.num_nodes + cluster.num_spares);
}

template <class Measure>
std::optional<std::size_t> least(const std::vector<Sized>& sized, const Measure& measure) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < sized.size(); ++i) {
    if (!best || measure(sized[i].cluster) < measure(sized[*best].cluster)) best = i;
  }
  return best;
}

/// Tells the best of the clusters found so far, the last of which was found just now.
void tell_best(std::vector<Sized> found, const Sized& last, bool has_cost,
               const SizeOptions& options) {
  found.push_back(last);
  const bool is_by_cost = has_cost && unpriced_of(found).empty();
  const auto best =
      least(found, [&](const SizedCluster& cluster) { return rank_of(cluster, is_by_cost); });
  const SizedCluster& cluster = found[*best].cluster;
  tell_so_far(options.progress, fmt::format("{} node{}, {} ({})", cluster.num_nodes,
                                            cluster.num_nodes == 1 ? "" : "s",
                                            core::to_text(cluster.training_time), cluster.option));
}

}  // namespace

SizingResult size(const core::Node& tree, const core::Catalogue& catalogue,
                  const SizeOptions& options) {
  const simulation::Scenario scenario = simulation::read_training(tree, catalogue).scenario;
  check(tree, scenario);
  SizingResult result{.name = scenario.name,
                      .find = sought(*scenario.goals),
                      .deadline = time_there_is(scenario).value_or(core::Duration{}),
                      .confidence = scenario.goals->confidence,
                      .budget = scenario.goals->budget,
                      .has_cost = scenario.prices.has_value(),
                      .has_failures = scenario.reliability.has_value(),
                      .sized = {},
                      .missed = {},
                      .unpriced = {},
                      .chosen = {},
                      .min_power = {},
                      .fastest = {},
                      .counts = {}};
  for (const SizeOption& option : size_options(scenario, catalogue)) {
    try {
      Trials trials(tree, catalogue, option, options, result.counts);
      if (options.progress && result.sized.empty()) trials.tell_by_estimate();
      Sizer sizer(trials);
      auto found = result.has_deadline() ? sizer.smallest() : sizer.best_within();
      if (auto* missed = std::get_if<Missed>(&found)) {
        result.missed.push_back(std::move(*missed));
        continue;
      }
      Sized& sized = std::get<Sized>(found);
      if (options.progress) tell_best(result.sized, sized, result.has_cost, options);
      sized.cluster.hangs_on = hangs_on(simulation::with_settings(tree, sized.cluster.settings),
                                        catalogue, sized.cluster.result);
      SizedCluster fastest =
          result.has_deadline() ? sizer.fastest(sized.cluster.num_nodes) : sized.cluster;
      if (!result.fastest || fastest.training_time < result.fastest->training_time) {
        result.fastest = std::move(fastest);
      }
      result.sized.push_back(std::move(sized));
    } catch (const core::ConfigError& error) {
      // The unchanged scenario could be read, so the problem comes with the option's parts.
      result.missed.push_back({option.name, first_problem(error)});
    }
  }
  result.unpriced = unpriced_of(result.sized);
  result.chosen = least(result.sized, [&](const SizedCluster& cluster) {
    return result.has_deadline() ? rank_of(cluster, result.is_by_cost()) : -speed_of(cluster);
  });
  result.min_power =
      least(result.sized, [](const SizedCluster& cluster) { return cluster.power().base(); });
  return result;
}

std::vector<simulation::Output> outputs(const SizingResult& result) {
  if (!result.chosen) return {};
  const SizedCluster& cluster = result.sized[*result.chosen].cluster;
  return {{"size.num_nodes", std::int64_t{cluster.num_nodes}},
          {"size.num_accelerators", std::int64_t{cluster.result.num_accelerators}},
          {"size.num_storage_nodes", std::int64_t{cluster.num_storage_nodes}}};
}

}  // namespace railwright::planner
