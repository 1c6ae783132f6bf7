// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/what_if/what_if.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "railwright/core/config/writer.hpp"
#include "railwright/models/money/prices_fields.hpp"
#include "railwright/models/workload/transformer_fields.hpp"
#include "railwright/models/workload/vision_fields.hpp"
#include "railwright/planner/size/time_spread.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/with_settings.hpp"
#include "railwright/topologies/topology.hpp"
#include "railwright/topologies/wirings/create_topology.hpp"
#include "railwright/workloads/kinds.hpp"
#include "railwright/workloads/pools_of_kinds.hpp"

namespace railwright::planner {

namespace {

using Problems = std::vector<core::Diagnostic>;

void add_problems(const core::ConfigError& error, Problems& problems) {
  problems.insert(problems.end(), error.diagnostics().begin(), error.diagnostics().end());
}

void throw_if_any(Problems problems) {
  if (!problems.empty()) throw core::ConfigError(std::move(problems));
}

/// Whether a key holds text for people, which is never looked up.
bool is_words(std::string_view key) {
  return key == "name" || key == "description" || key == "source";
}

void find_files(const core::Node& node, const std::string& path, Problems& problems) {
  if (node.is_scalar() && (node.text.ends_with(".yaml") || node.text.ends_with(".json"))) {
    problems.push_back({node.where, path, "names a file; here a scenario stands by itself",
                        "write what the file says in its place"});
  }
  for (const core::Entry& entry : node.entries) {
    if (is_words(entry.key)) continue;
    find_files(entry.value, path.empty() ? entry.key : path + "." + entry.key, problems);
  }
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    find_files(node.items[i], fmt::format("{}[{}]", path, i), problems);
  }
}

void check_kind(const core::Node& tree, Problems& problems) {
  const std::string_view kind = simulation::other_kind(tree);
  if (kind.empty()) return;
  problems.push_back(
      {tree.where, "",
       fmt::format("describes {}; what-if questions are about one training job", kind),
       "`railwright simulate` answers it"});
}

/// Replaces the value of `key`, if it is present.
void replace(core::Node& mapping, std::string_view key, core::Node value) {
  if (core::Node* old = mapping.find(key)) *old = std::move(value);
}

bool names_file(const core::Node* node) {
  Problems problems;
  if (node != nullptr) find_files(*node, "", problems);
  return !problems.empty();
}

/// Returns the catalogue name of the fabric, also if the scenario overrides some of its keys.
std::string fabric_name(const core::Node& scenario, const core::Catalogue& catalogue) {
  const core::Node* cluster = scenario.find("cluster");
  const core::Node* fabric = cluster != nullptr ? cluster->find("fabric") : nullptr;
  if (fabric != nullptr && fabric->is_mapping()) fabric = fabric->find("model");
  if (fabric == nullptr || !catalogue.contains(topologies::kFabricKind, fabric->text)) return {};
  return fabric->text;
}

struct Changed {
  core::Node tree;
  Problems problems;
  bool may_be_read = true;  ///< it is one training job that names no file
};

/// Leaves out prices, which name no other design.
std::vector<std::string> of_design(std::vector<std::string> settings) {
  std::erase_if(settings, [](const std::string& one) { return one.starts_with("prices."); });
  return settings;
}

Changed change(const core::Node& scenario, const std::vector<std::string>& settings) {
  Changed changed{.tree = scenario};
  for (const std::string& setting : settings) {
    try {
      core::set_path(changed.tree, setting);
    } catch (const core::ConfigError& error) {
      add_problems(error, changed.problems);
    }
  }
  if (changed.problems.empty()) simulation::name_settings(changed.tree, of_design(settings));
  Problems refused;
  check_kind(changed.tree, refused);
  find_files(changed.tree, "", refused);
  changed.may_be_read = refused.empty();
  changed.problems.insert(changed.problems.end(), refused.begin(), refused.end());
  return changed;
}

/// Evaluates a scenario as it is.
WhatIf evaluated(core::Node tree, const core::Catalogue& catalogue, simulation::Method method) {
  WhatIf answer{.checked = simulation::read_scenario(tree, catalogue)};
  answer.tree = std::move(tree);
  answer.result = simulate_with_unstated(answer.checked, catalogue, {.method = method});
  return answer;
}

/// Evaluates a scenario, with more front-end switches where only their ports do not suffice.
WhatIf completed(core::Node tree, const core::Catalogue& catalogue, simulation::Method method) {
  WhatIf answer = evaluated(std::move(tree), catalogue, method);
  const std::optional<simulation::FittingChange>& change = answer.result.smallest_change;
  if (!change || !change->setting.starts_with("cluster.storage.num_switches=")) return answer;
  const std::string setting = change->setting;
  core::set_path(answer.tree, setting);
  answer = evaluated(std::move(answer.tree), catalogue, method);
  answer.added.push_back(setting);
  return answer;
}

/// Evaluates a scenario with a division chosen for it; with its own if none divides.
WhatIf with_chosen_division(core::Node tree, const core::Catalogue& catalogue, Divisions& divisions,
                            const WhatIfOptions& options) {
  std::optional<Division> division = divisions.find(tree, catalogue, options.kept);
  if (division) tree = with_division(std::move(tree), *division);
  WhatIf answer = completed(std::move(tree), catalogue, options.method);
  answer.division = std::move(division);
  return answer;
}

/// Evaluates a scenario with the division that the options want.
WhatIf divided(core::Node tree, const core::Catalogue& catalogue, Divisions& divisions,
               const WhatIfOptions& options) {
  if (options.division == DivisionChoice::kAutomatic) {
    return with_chosen_division(std::move(tree), catalogue, divisions, options);
  }
  if (options.division == DivisionChoice::kOwn) {
    return evaluated(std::move(tree), catalogue, options.method);
  }
  std::optional<WhatIf> own;
  Problems problems;
  try {
    own = completed(tree, catalogue, options.method);
    if (own->result.feasible()) return std::move(*own);
  } catch (const core::ConfigError& error) {
    add_problems(error, problems);
  }
  std::optional<WhatIf> chosen;
  try {
    chosen = with_chosen_division(tree, catalogue, divisions, options);
  } catch (const core::ConfigError&) {
    chosen.reset();  // the scenario's own problems say more
  }
  // One that does not fit either says more than why the scenario's own is illegal.
  if (chosen && chosen->division && (chosen->result.feasible() || !own)) {
    chosen->own_division_fails =
        own ? own->result.infeasible.front().what : problems.front().message;
    return std::move(*chosen);
  }
  throw_if_any(std::move(problems));
  return std::move(*own);
}

}  // namespace

core::Node in_one_piece(core::Node scenario, const core::Catalogue& catalogue) {
  Problems problems;
  check_kind(scenario, problems);
  throw_if_any(std::move(problems));
  simulation::check_kind_has_pools(scenario);
  const simulation::CheckedScenario checked = simulation::read_scenario(scenario, catalogue);
  simulation::settle(scenario);
  core::Node* workload = scenario.find("workload");
  if (workload != nullptr && names_file(workload->find("model"))) {
    replace(*workload, "model", core::to_node(checked.scenario.workload.model));
  }
  if (checked.scenario.prices && names_file(scenario.find("prices"))) {
    replace(scenario, "prices", core::to_node(*checked.scenario.prices));
  }
  return scenario;
}

core::Node with_changes(const core::Node& scenario, const std::vector<std::string>& settings) {
  Changed changed = change(scenario, settings);
  throw_if_any(std::move(changed.problems));
  return std::move(changed.tree);
}

WhatIf what_if(const core::Node& scenario, const std::vector<std::string>& settings,
               const core::Catalogue& catalogue, Divisions& divisions,
               const WhatIfOptions& options) {
  Changed changed = change(scenario, settings);
  if (!changed.may_be_read) throw_if_any(std::move(changed.problems));
  WhatIf answer;
  try {
    answer = divided(std::move(changed.tree), catalogue, divisions, options);
  } catch (const core::ConfigError& error) {
    add_problems(error, changed.problems);
  }
  throw_if_any(std::move(changed.problems));
  answer.fabric_name = fabric_name(answer.tree, catalogue);
  if (!answer.result.feasible()) return answer;
  const TimeSpread spread(answer.result);
  answer.training_time_low = spread.below(0.1);
  answer.training_time_high = spread.below(0.9);
  answer.uncertainties = uncertainties_of(answer.checked, answer.result);
  return answer;
}

VariantOutcome variant_outcome(const core::Node& scenario, const std::vector<std::string>& settings,
                               const core::Catalogue& catalogue, Divisions& divisions,
                               const WhatIfOptions& options) {
  try {
    Changed changed = change(scenario, settings);
    throw_if_any(std::move(changed.problems));
    const WhatIf answer = divided(std::move(changed.tree), catalogue, divisions, options);
    if (!answer.result.feasible()) return {.fails = answer.result.infeasible.front().what};
    return {.fails = {},
            .training_time = answer.result.run.job().training_time(),
            .step_time = answer.result.step_time};
  } catch (const core::ConfigError& error) {
    return {.fails = error.diagnostics().front().message};
  }
}

}  // namespace railwright::planner
