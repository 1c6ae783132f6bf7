// SPDX-License-Identifier: Apache-2.0
// A cluster wired again after another of the same graph, against one that is built.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "../../support/source_tree.hpp"
#include "railwright/core/config/reader.hpp"
#include "railwright/core/config/writer.hpp"
#include "railwright/core/error.hpp"
#include "railwright/core/units/text.hpp"
#include "railwright/simulation/closed_form/estimate.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/scenario_keys.hpp"
#include "railwright/simulation/scenario/scenario_source.hpp"
#include "railwright/simulation/step/fold.hpp"
#include "railwright/simulation/step/known_steps.hpp"
#include "railwright/simulation/step/step_structure.hpp"
#include "railwright/topologies/cluster/built_cluster.hpp"
#include "railwright/topologies/topology.hpp"

namespace railwright::test {
namespace {

using simulation::CheckedScenario;

bool are_same(const core::Fabric& one, const core::Fabric& other) {
  const auto same_link = [](const core::Link& a, const core::Link& b) {
    return a.from == b.from && a.to == b.to && a.tier == b.tier && a.bandwidth == b.bandwidth &&
           a.latency == b.latency && a.num_parallel == b.num_parallel && a.line_rate == b.line_rate;
  };
  const auto same_device = [](const core::Vertex& a, const core::Vertex& b) {
    return a.role == b.role && a.node == b.node && a.local_index == b.local_index &&
           a.label == b.label && a.level == b.level && a.reduces == b.reduces;
  };
  return std::ranges::equal(one.links(), other.links(), same_link) &&
         std::ranges::equal(one.vertices(), other.vertices(), same_device) &&
         one.routing().routing == other.routing().routing &&
         one.message_cost().half_size == other.message_cost().half_size &&
         one.message_cost().host_time == other.message_cost().host_time;
}

/// Whether routes between some accelerators are the same, link by link.
bool have_same_routes(const core::Fabric& one, const core::Fabric& other) {
  for (int to = 1; to < one.num_accelerators(); to += 5) {
    std::vector<core::LinkUse> here;
    std::vector<core::LinkUse> there;
    one.append_route(0, to, 1, here);
    other.append_route(0, to, 1, there);
    const auto same = [](const core::LinkUse& a, const core::LinkUse& b) {
      return a.link == b.link && a.coefficient == b.coefficient;
    };
    if (!std::ranges::equal(here, there, same)) return false;
  }
  return true;
}

/// Changes a value to another one of its kind; false for words.
bool flip(core::Node& node) {
  if (!node.is_scalar() || node.quoted) return false;
  if (node.text == "true" || node.text == "false") {
    node.text = node.text == "true" ? "false" : "true";
    return true;
  }
  core::QuantityError ignored;
  const auto parsed = core::parse_quantity(node.text, ignored);
  if (!parsed) return false;
  const bool is_count = parsed->exponents == core::Exponents{} &&
                        parsed->base == static_cast<double>(static_cast<long>(parsed->base));
  node.text =
      core::format_exact(is_count ? parsed->base + 1.0 : parsed->base * 1.01, parsed->exponents);
  return true;
}

/// Calls `visit` with the tree once for each value below `node`, that value flipped.
template <class Visit>
void for_each_flip(core::Node& tree, core::Node& node, const std::string& path,
                   const Visit& visit) {
  const core::Node before = node;
  if (flip(node)) visit(path);
  node.text = before.text;
  for (core::Entry& entry : node.entries) {
    if (entry.key == "kernels" || entry.key == "source") continue;
    for_each_flip(tree, entry.value, path + "." + entry.key, visit);
  }
  for (core::Node& item : node.items) for_each_flip(tree, item, path + ".item", visit);
}

/// Each key of cluster, software and installation flipped: what is taken from the first scenario
/// gives the numbers of what is made anew, bit by bit where the estimate reads them.
TEST(WiredAgain, IsWhatIsBuiltWhicheverKeyChanges) {
  int num_again = 0;
  int num_anew = 0;
  for (const char* example :
       {"neutral-llama-2-7b.yaml", "rail-optimized-256.yaml", "mi300x-fine-tuning.yaml"}) {
    const core::Node source = simulation::load_scenario_tree(kSource + "/examples/" + example, {});
    const core::Catalogue catalogue = source_catalogue();
    core::Node tree = core::to_node(
        simulation::ScenarioSource(source, catalogue).checked_without_basis().scenario);
    const CheckedScenario base =
        simulation::ScenarioSource(tree, catalogue).checked_without_basis();
    const auto built = base.topology->build(base.scenario.cluster);
    const simulation::StepStructure structure(base, built.fabric);
    for (const char* section : {"cluster", "software", "installation"}) {
      for_each_flip(tree, *tree.find(section), section, [&](const std::string& path) {
        SCOPED_TRACE(std::string(example) + " " + path);
        CheckedScenario changed;
        topologies::BuiltCluster anew;
        try {
          changed = simulation::ScenarioSource(tree, catalogue).checked_without_basis();
          anew = changed.topology->build(changed.scenario.cluster);
        } catch (const core::Error&) {
          return;  // the key has no such value
        }
        const auto again = changed.topology->wired_again(changed.scenario.cluster, built.fabric);
        ++(again ? num_again : num_anew);
        if (!again) return;
        EXPECT_TRUE(are_same(*again, anew.fabric));
        EXPECT_TRUE(have_same_routes(*again, anew.fabric));
        if (path.find("software.") == 0 && path.find("collectives") == std::string::npos) return;
        EXPECT_EQ(content_of(structure.costs(changed, *again)),
                  content_of(structure.costs(changed, anew.fabric)));
        const core::Duration fresh =
            estimate_step(fold(step_costs(changed, anew.fabric)).costs).total();
        EXPECT_NEAR(estimate_step(structure.costs(changed, *again)).total() / fresh, 1.0, 1e-12);
      });
    }
  }
  EXPECT_GT(num_again, 100);
  EXPECT_GT(num_anew, 5);
}

}  // namespace
}  // namespace railwright::test
