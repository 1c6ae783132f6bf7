// SPDX-License-Identifier: Apache-2.0
// `search` beside every point of spaces that are small enough to try them all.
#include "railwright/planner/search/search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "../../support/source_tree.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/output/text/text.hpp"
#include "railwright/output/text/verdict.hpp"
#include "railwright/simulation/closed_form/configuration_rules.hpp"
#include "railwright/simulation/closed_form/estimate.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/simulation/scenario/with_settings.hpp"
#include "railwright/topologies/cluster/built_cluster.hpp"
#include "railwright/topologies/topology.hpp"
#include "railwright/workloads/training/run_cost.hpp"
#include "railwright/workloads/training/run_power.hpp"

namespace railwright::test {
namespace {

using planner::SearchEntry;
using planner::SearchResult;
using simulation::Configuration;

core::Node searched_tree(const std::string& example, const std::vector<std::string>& settings) {
  return simulation::load_scenario_tree(std::string(RAILWRIGHT_SOURCE_DIR "/examples/") + example,
                                        settings);
}

/// Llama 2 7B on two XE9680, or another model, with a space that the tests below can walk through.
core::Node small_tree(const std::vector<std::string>& settings = {}) {
  std::vector<std::string> all{
      "cluster.nodes=2",
      "workload.model=llama-2-7b",
      "workload.global_batch=64",
      "parallelism={tp: 2}",
      "software.overlap_gradient_reduce=false",
      "software.precision=fp8",
      ("search={rank_order: [tp-cp-ep-dp-pp], cp: [1, 2], zero_stage: [0, 3], "
       "recompute: [none, full]}")};
  all.insert(all.end(), settings.begin(), settings.end());
  return searched_tree("llama-2-70b-six-nodes.yaml", all);
}

struct Point {
  double step_time = 0.0;
  double memory = 0.0;
  double energy = 0.0;  ///< of a step, the building's
  double cost = 0.0;    ///< the same, where the scenario has prices
};

/// Every point of `small_tree`, each from the costs of its own step.
struct Exhaustive {
  explicit Exhaustive(const core::Node& tree) {
    const simulation::CheckedScenario base = simulation::read_scenario(tree, source_catalogue());
    const auto built = base.topology->build(base.scenario.cluster);
    const double capacity = base.scenario.cluster.node.accelerator.memory.value.base();
    for (const simulation::Configuration& c : configurations(base)) {
      const simulation::CheckedScenario checked = simulation::with_configuration(base, c);
      const auto& scenario = checked.scenario;
      models::Layout layout;
      if (!models::make_layout(scenario.workload, scenario.parallelism, scenario.num_accelerators(),
                               layout)
               .empty()) {
        continue;
      }
      ++num_legal;
      const double memory =
          models::largest_memory_use(scenario.workload, layout, scenario.software).total().base();
      min_memory = std::min(min_memory, memory);
      if (memory > capacity) continue;
      const auto breakdown =
          simulation::estimate_step(simulation::step_costs(checked, built.fabric));
      const auto power = simulation::power_of_steps(scenario, built.parts, breakdown);
      const auto steps = static_cast<double>(scenario.workload.steps);
      const bool has_prices = scenario.prices.has_value();
      const double cost =
          has_prices ? simulation::run_cost(scenario, built.parts, power).run.base() : 0.0;
      points.push_back(
          {breakdown.total().base(), memory, power.total_energy().base() / steps, cost / steps});
    }
    std::ranges::sort(points, {}, &Point::step_time);
  }

  static std::vector<simulation::Configuration> configurations(
      const simulation::CheckedScenario& base) {
    std::vector<simulation::Configuration> all;
    for (const int tp : {1, 2, 4, 8, 16}) {
      for (const int cp : {1, 2}) {
        for (const int pp : {1, 2, 4, 8, 16}) {
          for (const int v : {1, 2, 4, 8, 16, 32}) {
            if (pp == 1 && v > 1) continue;
            for (const int micro_batch : {1, 2, 4, 8, 16, 32, 64}) {
              for (const int zero_stage : {0, 3}) {
                if (pp > 1 && simulation::goes_by_layer(base.scenario.software, zero_stage)) {
                  continue;
                }
                for (const auto recompute : {models::Recompute::kNone, models::Recompute::kFull}) {
                  for (const bool sequence_parallel : {false, true}) {
                    if (tp == 1 && sequence_parallel) continue;
                    simulation::Configuration c = simulation::configuration_of(base);
                    c.tp = tp;
                    c.cp = cp;
                    c.pp = pp;
                    c.virtual_stages = v;
                    c.micro_batch = micro_batch;
                    c.zero_stage = zero_stage;
                    c.recompute = recompute;
                    c.sequence_parallel = sequence_parallel;
                    all.push_back(c);
                  }
                }
              }
            }
          }
        }
      }
    }
    return all;
  }

  std::int64_t num_legal = 0;
  double min_memory = 1e30;
  std::vector<Point> points;  ///< that fit, the fastest first
};

constexpr double kRounding = 1e-9;

TEST(Search, FindsTheBestOfAllPoints) {
  const core::Node tree = small_tree();
  const Exhaustive exhaustive(tree);
  const SearchResult result =
      planner::search(tree, source_catalogue(), {.num_best = 20, .num_simulated = 0});
  EXPECT_GT(exhaustive.points.size(), 300U);
  EXPECT_EQ(result.counts.legal, exhaustive.num_legal);
  EXPECT_EQ(result.counts.fitting, static_cast<std::int64_t>(exhaustive.points.size()));
  EXPECT_LT(result.counts.estimated, result.counts.fitting);
  ASSERT_EQ(result.best.size(), 20U);
  for (std::size_t i = 0; i < result.best.size(); ++i) {
    const double expected = exhaustive.points[i].step_time;
    EXPECT_NEAR(result.best[i].estimate.step_time.base() / expected, 1.0, kRounding) << i;
  }
}

TEST(Search, FrontIsWhatNothingBeatsInBothTimeAndMemory) {
  const core::Node tree = small_tree();
  const Exhaustive exhaustive(tree);
  std::map<double, double> front;  // the least memory by time, rounded so that equals are
  double least = 1e30;
  for (const Point& point : exhaustive.points) {
    if (point.memory >= least * (1.0 - kRounding)) continue;
    least = point.memory;
    front[point.step_time] = point.memory;
  }
  const SearchResult result =
      planner::search(tree, source_catalogue(), {.num_best = 1, .num_simulated = 0, .front = true});
  ASSERT_GT(front.size(), 3U);
  ASSERT_EQ(result.front.size(), front.size());
  std::size_t i = 0;
  for (const auto& [time, memory] : front) {
    EXPECT_NEAR(result.front[i].estimate.step_time.base() / time, 1.0, kRounding) << i;
    EXPECT_NEAR(result.front[i].estimate.memory.base() / memory, 1.0, kRounding) << i;
    ++i;
  }
}

TEST(Search, ByMemoryFindsTheLeast) {
  const core::Node tree = small_tree({"search.objective=memory"});
  const Exhaustive exhaustive(tree);
  const SearchResult result =
      planner::search(tree, source_catalogue(), {.num_best = 3, .num_simulated = 0});
  ASSERT_FALSE(result.best.empty());
  EXPECT_NEAR(result.best[0].estimate.memory.base() / exhaustive.min_memory, 1.0, kRounding);
}

/// Energy and cost of all points, each from its own step, beside what the rates by cause make of
/// them.
TEST(Search, ByEnergyAndByCostFindsTheLeast) {
  const std::string prices = "prices=" + kSource + "/examples/prices/fictitious.yaml";
  for (const bool by_energy : {true, false}) {
    const core::Node tree =
        small_tree({std::string("search.objective=") + (by_energy ? "energy" : "cost"), prices});
    Exhaustive exhaustive(tree);
    const auto measure = by_energy ? &Point::energy : &Point::cost;
    std::ranges::sort(exhaustive.points, {}, measure);
    const SearchResult result =
        planner::search(tree, source_catalogue(), {.num_best = 10, .num_simulated = 0});
    ASSERT_EQ(result.best.size(), 10U);
    for (std::size_t i = 0; i < result.best.size(); ++i) {
      const double expected = exhaustive.points[i].*measure / 64.0;
      EXPECT_NEAR(result.best[i].value_per_sample / expected, 1.0, kRounding) << by_energy << i;
    }
  }
}

TEST(Search, CostNeedsPrices) {
  EXPECT_THROW(planner::search(small_tree({"search.objective=cost"}), source_catalogue()),
               core::ConfigError);
}

TEST(Search, SettingsMakeTheConfigurationAgain) {
  const core::Node tree = small_tree({"search.rank_order=[tp-cp-ep-dp-pp, tp-cp-ep-pp-dp]"});
  const SearchResult result = planner::search(tree, source_catalogue(), {.num_best = 12});
  ASSERT_EQ(result.best.size(), 12U);
  for (const SearchEntry& entry : result.best) {
    core::Node set = tree;
    for (const std::string& setting : entry.settings) core::set_path(set, setting);
    const simulation::CheckedScenario checked = simulation::read_scenario(set, source_catalogue());
    const auto built = checked.topology->build(checked.scenario.cluster);
    const auto time =
        simulation::estimate_step(simulation::step_costs(checked, built.fabric)).total();
    EXPECT_NEAR(entry.estimate.step_time / time, 1.0, kRounding);
  }
}

TEST(Search, TriesNoLayoutTwiceUnderTwoOrders) {
  const auto counted = [](const char* setting) {
    const auto result = planner::search(small_tree({setting}), source_catalogue(), {});
    std::map<int, std::int64_t> of_pp;
    for (const SearchEntry& entry : result.best) ++of_pp[entry.configuration.pp];
    return std::pair(result.counts.legal, of_pp);
  };
  // Without a pipeline the ranks of `dp` are the last, wherever `pp` stands.
  const auto one = counted("search={rank_order: [tp-cp-ep-dp-pp], pp: [1], zero_stage: [0]}");
  const auto two =
      counted("search={rank_order: [tp-cp-ep-dp-pp, tp-cp-ep-pp-dp], pp: [1], zero_stage: [0]}");
  EXPECT_GT(one.first, 0);
  EXPECT_EQ(one, two);
  const auto piped =
      counted("search={rank_order: [tp-cp-ep-dp-pp], pp: [2], tp: [2], cp: [1], zero_stage: [0]}");
  const auto both = counted(
      "search={rank_order: [tp-cp-ep-dp-pp, tp-cp-ep-pp-dp], pp: [2], tp: [2], cp: [1], "
      "zero_stage: "
      "[0]}");
  EXPECT_EQ(both.first, 2 * piped.first);
}

TEST(Search, SimulatesTheFirstFewAndTheScenarioItself) {
  const core::Node tree = small_tree();
  const SearchResult result =
      planner::search(tree, source_catalogue(), {.num_best = 4, .num_simulated = 2});
  ASSERT_EQ(result.best.size(), 4U);
  EXPECT_TRUE(result.best[0].simulated && result.best[1].simulated);
  EXPECT_FALSE(result.best[2].simulated || result.best[3].simulated);
  EXPECT_GE(result.best[0].samples_per_s(), result.best[1].samples_per_s());
  ASSERT_TRUE(result.own);
  const auto own = simulation::simulate(simulation::read_scenario(tree, source_catalogue()));
  EXPECT_EQ(*result.own->simulated, own.step_time);
}

TEST(Search, SaysHowMuchIsMissingWhereNothingFits) {
  const core::Node tree = small_tree({"workload.model=llama-3.1-405b", "search.pp=[1]"});
  const Exhaustive exhaustive(small_tree({"workload.model=llama-3.1-405b"}));
  const SearchResult result = planner::search(tree, source_catalogue());
  EXPECT_FALSE(result.feasible());
  ASSERT_TRUE(result.min_memory);
  EXPECT_GE(result.min_memory->estimate.memory.base(), exhaustive.min_memory * (1.0 - kRounding));
  const std::string text = output::verdict(result);
  EXPECT_NE(text.find("nothing fits: the least memory"), std::string::npos) << text;
}

TEST(Search, LooksForNothingSlowerThanItIsAskedFor) {
  const core::Node tree = small_tree();
  const auto within = [&](std::optional<core::Duration> most) {
    return planner::search(tree, source_catalogue(),
                           {.num_simulated = 0, .max_time_per_sample = most, .progress = {}});
  };
  const SearchResult all = within({});
  ASSERT_TRUE(all.feasible());
  EXPECT_FALSE(all.min_time_per_sample);
  const core::Duration best = core::Duration::from_base(1.0 / all.best[0].samples_per_s());
  const SearchResult enough = within(best);
  ASSERT_TRUE(enough.feasible());
  EXPECT_EQ(enough.best[0].settings, all.best[0].settings);
  EXPECT_EQ(enough.counts.fitting, all.counts.fitting);
  const SearchResult none = within(best / 100.0);
  EXPECT_FALSE(none.feasible());
  EXPECT_FALSE(none.min_memory);
  ASSERT_TRUE(none.min_time_per_sample);
  EXPECT_GT(*none.min_time_per_sample, best / 100.0);
  EXPECT_LE(*none.min_time_per_sample, best);
}

TEST(Search, TakesTheLargestBatchThatDivides) {
  const core::Node tree = small_tree({"search.max_global_batch=100", "search.tp=[2]",
                                      "search.cp=[1]", "search.pp=[1]", "search.micro_batch=[3]"});
  const SearchResult result = planner::search(tree, source_catalogue(), {.num_simulated = 0});
  ASSERT_FALSE(result.best.empty());
  for (const SearchEntry& entry : result.best) {
    EXPECT_EQ(entry.configuration.global_batch, 96);  // 4 x (dp 8 x micro-batch 3)
  }
}

TEST(Search, TriesVariantsAsWell) {
  const core::Node tree = small_tree(
      {"search={tp: [2], cp: [1], pp: [1], micro_batch: [1], zero_stage: [1], recompute: [none], "
       "rank_order: [tp-cp-ep-dp-pp], variants: [{name: as it is, set: []}, {name: offload, set: "
       "[software.offload.optimizer=dgx-a100-memory]}]}"});
  const SearchResult result = planner::search(tree, source_catalogue(), {.num_simulated = 4});
  ASSERT_EQ(result.best.size(), 4U);
  EXPECT_EQ(std::ranges::count(result.best, "offload", &SearchEntry::variant), 2);
  const auto of = [&](const char* variant) {
    return *std::ranges::find(result.best, variant, &SearchEntry::variant);
  };
  EXPECT_LT(of("offload").estimate.memory, of("as it is").estimate.memory);
  EXPECT_GT(of("offload").estimate.step_time, of("as it is").estimate.step_time);
}

TEST(Search, SharesOutExpertsWhereTheModelHasThem) {
  const core::Node tree =
      small_tree({"workload.model=mixtral-8x7b", "workload.sequence_length=2048",
                  "search={zero_stage: [1], recompute: [full], cp: [1], micro_batch: [1]}"});
  const SearchResult result = planner::search(tree, source_catalogue(), {.num_best = 1000});
  ASSERT_TRUE(result.feasible());
  EXPECT_TRUE(std::ranges::any_of(result.best, [](const SearchEntry& entry) {
    return entry.configuration.ep == 8 && entry.configuration.etp == 1;
  }));
}

/// Without `etp` it is tp, also in a scenario whose tp is 1.
TEST(Search, SettingsOfAMixtureSayHowAnExpertIsDivided) {
  for (const char* parallelism : {"parallelism={tp: 1}", "parallelism={tp: 2}",
                                  "parallelism={tp: 2, etp: 2}", "parallelism={tp: 1, etp: 1}"}) {
    const core::Node tree = small_tree(
        {"workload.model=mixtral-8x7b", parallelism,
         "search={rank_order: [tp-cp-ep-dp-pp], cp: [1], zero_stage: [1], tp: [1, 2, 4], "
         "ep: [1, 2, 4], recompute: [full], sequence_parallel: true}"});
    const SearchResult result = planner::search(
        tree, source_catalogue(), {.num_best = 30, .num_simulated = 0, .front = true});
    ASSERT_GT(result.best.size(), 10U) << parallelism;
    bool has_whole_experts = false;
    for (const SearchEntry& entry : result.best) {
      has_whole_experts |= entry.configuration.tp > 1 && entry.configuration.etp == 1;
      const auto checked = simulation::read_scenario(
          simulation::with_settings(tree, entry.settings), source_catalogue());
      EXPECT_EQ(checked.layout.etp, entry.configuration.etp) << parallelism;
      EXPECT_EQ(checked.layout.tp, entry.configuration.tp) << parallelism;
      EXPECT_EQ(checked.layout.ep, entry.configuration.ep) << parallelism;
    }
    EXPECT_TRUE(has_whole_experts) << parallelism;
  }
}

TEST(Search, RefusesABadSpaceAtItsPlace) {
  const auto message = [](const std::string& setting) -> std::string {
    try {
      planner::search(small_tree({setting}), source_catalogue());
    } catch (const core::ConfigError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_NE(message("search.tp=[0]").find("search.tp"), std::string::npos);
  EXPECT_NE(message("search.tpp=[1]").find("did you mean 'tp'"), std::string::npos);
  EXPECT_NE(message("search.rank_order=[tp-pp]").find("expected tp, cp, ep, dp and pp once each"),
            std::string::npos);
  EXPECT_NE(message("search.recompute=[some]").find("search.recompute"), std::string::npos);
}

}  // namespace
}  // namespace railwright::test
