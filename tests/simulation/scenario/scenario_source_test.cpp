// SPDX-License-Identifier: Apache-2.0
// Changes of typed fields against the same settings read as text.
#include "railwright/simulation/scenario/scenario_source.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "railwright/core/error.hpp"
#include "railwright/core/sim/random.hpp"
#include "railwright/simulation/estimator/knobs.hpp"
#include "railwright/simulation/estimator/moves.hpp"
#include "railwright/simulation/scenario/data_path.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/scenario_keys.hpp"
#include "railwright/simulation/scenario/with_settings.hpp"
#include "railwright/topologies/topology.hpp"
#include "railwright/workloads/training/simulate.hpp"

namespace railwright::simulation {
namespace {

const core::Catalogue& catalogue() {
  static const core::Catalogue kCatalogue(catalogue_roots());
  return kCatalogue;
}

/// Drops where values come from: a typed change leaves the profile's word for it.
void drop_sources(core::Node& node) {
  std::erase_if(node.entries, [](const core::Entry& entry) {
    return entry.key == "source" || entry.key == "estimate";
  });
  for (core::Entry& entry : node.entries) drop_sources(entry.value);
  for (core::Node& item : node.items) drop_sources(item);
}

/// All that a checked scenario holds, or the problems that it has.
template <class Make>
std::string text_of(const Make& make) {
  std::optional<CheckedScenario> made;
  try {
    made = make();
  } catch (const core::ConfigError& error) {
    std::string problems = "problems:";
    for (const core::Diagnostic& one : error.diagnostics()) {
      problems += "\n" + one.path + ": " + one.message + "; " + one.hint;
    }
    return problems;
  }
  core::Node fields = core::to_node(made->scenario);
  drop_sources(fields);
  std::string text = core::to_yaml(fields);
  for (const auto* words : {&made->traits.settings, &made->traits.stated, &made->traits.assumed}) {
    for (const std::string& word : *words) text += word + "\n";
  }
  text += made->traits.layout + (made->basis ? made->basis->says : "") + "\n";
  const auto built = made->topology->build(made->scenario.cluster);
  const SimulationResult result = simulate_without_run(*made, built, {.method = Method::kEstimate});
  return text + std::to_string(result.step_time.base() * 1e12) + " " +
         std::to_string(result.memory.total().base());
}

/// Some changes of each scenario: moves, knobs, nodes, storage nodes, steps, spares and ranks'
/// order.
std::vector<Change> some_changes(const Scenario& scenario) {
  std::vector<Change> all = moves_for_speed(scenario);
  std::ranges::move(moves_for_memory(scenario), std::back_inserter(all));
  for (const int nodes : {1, 2, 4, 512}) {
    all.push_back({"cluster.nodes=" + std::to_string(nodes),
                   [nodes](Scenario& s) { s.cluster.num_nodes = nodes; }});
  }
  for (const int batch : {64, 240, 1024}) {
    all.push_back({"workload.global_batch=" + std::to_string(batch),
                   [batch](Scenario& s) { s.workload.global_batch = batch; }});
  }
  all.push_back({"workload.steps=77", [](Scenario& s) { s.workload.steps = 77; }});
  all.push_back({"run.num_spares=3", [](Scenario& s) { s.run.num_spares = 3; }});
  all.push_back({"parallelism.rank_order=tp-cp-ep-pp-dp",
                 [](Scenario& s) { s.parallelism.rank_order = "tp-cp-ep-pp-dp"; }});
  if (!scenario.cluster.storage) return all;
  for (const int count : {2, 3, 5, 40}) {
    all.push_back({"cluster.storage.count=" + std::to_string(count),
                   [count](Scenario& s) { s.cluster.storage->count = count; }});
    all.push_back({"cluster.storage.num_switches=" + std::to_string(count),
                   [count](Scenario& s) { s.cluster.storage->num_switches = count; }});
  }
  return all;
}

TEST(ScenarioSource, IsWhatItsSettingsRead) {
  core::RandomStream random(7);
  int num_legal = 0;
  int num_refused = 0;
  for (const char* name : {"neutral-llama-2-7b", "llama-2-70b-cost", "mi300x-fine-tuning",
                           "zero-infinity-1t-dgx-2", "resnet50-f600p", "one-leaf-down",
                           "checkpoints-on-local-drives", "size-llama2-70b-30-days"}) {
    const core::Node tree =
        load_scenario_tree(std::string(RAILWRIGHT_SOURCE_DIR) + "/examples/" + name + ".yaml", {});
    const ScenarioSource source(tree, catalogue());
    const std::vector<Change> all = some_changes(source.fields());
    const auto compare = [&](const std::vector<Change>& changes) {
      std::vector<std::string> settings;
      std::string where = name;
      for (const Change& change : changes) where += " " + settings.emplace_back(change.setting);
      const std::string typed = text_of([&] { return source.with(changes).checked(); });
      const std::string read =
          text_of([&] { return read_scenario(with_settings(tree, settings), catalogue()); });
      EXPECT_EQ(typed, read) << where;
      ++(read.starts_with("problems:") ? num_refused : num_legal);
    };
    compare({});
    for (const Change& one : all) compare({one});
    for (int i = 0; i < 20; ++i) {
      std::vector<Change> some;
      for (int n = 0; n < 3; ++n) some.push_back(all[random.below(all.size())]);
      compare(some);
    }
  }
  EXPECT_GT(num_legal, 100);
  EXPECT_GT(num_refused, 50);
}

}  // namespace
}  // namespace railwright::simulation
