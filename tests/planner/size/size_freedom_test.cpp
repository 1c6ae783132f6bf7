// SPDX-License-Identifier: Apache-2.0
// `size` with storage targets against trying every configuration on every number of nodes; more
// freedom never takes more nodes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "../../support/source_tree.hpp"
#include "railwright/output/text/verdict.hpp"
#include "railwright/planner/size/size.hpp"
#include "railwright/planner/size/time_spread.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/simulation/scenario/with_settings.hpp"

namespace railwright::test {
namespace {

using Settings = std::vector<std::string>;

constexpr double kTokens = 5e9;
constexpr int kMaxNodes = 8;

/// A question about Llama 2 7B: when it has to be done, and how long training may wait for
/// checkpoints, which 4 writers of its 94 GB keep less well than 8.
struct Question {
  double deadline_h = 0.0;
  double stall = 0.0;
  std::string node;
  int nics = 0;
};

Question draw(std::mt19937& random) {
  const auto one_of = [&](auto... values) {
    const std::array all{values...};
    return all[random() % all.size()];
  };
  return {.deadline_h = one_of(4.0, 6.0, 9.0, 12.0),
          .stall = one_of(0.02, 0.03, 0.1),
          .node = one_of("xe9680-h100", "xe9680-b200"),
          .nics = one_of(4, 8)};
}

core::Node tree_of(const Question& question, const Settings& more) {
  Settings all = {
      "workload={model: llama-2-7b, sequence_length: 4096, global_batch: 64, steps: 1}",
      "cluster.control_plane=null",
      "cluster.storage.num_switches=4",
      "reliability=null",
      "prices=null",
      "data={}",
      "checkpoint={interval: 10 min}",
      fmt::format("run={{targets: {{checkpoint_stall: {}, restore: 2 min}}}}", question.stall),
      fmt::format("goals={{deadline: {} h, tokens: {}, max_global_batch: 64, parts: {{nodes: [{}], "
                  "nics: [{}], max_nodes: {}}}}}",
                  question.deadline_h, kTokens, question.node, question.nics, kMaxNodes),
      "search.tp=[1, 2, 4]",
      "search.pp=[1, 2, 4]",
      "search.virtual_stages=[1]",
      "search.micro_batch=[1]",
      "search.recompute=[none]"};
  all.insert(all.end(), more.begin(), more.end());
  return simulation::load_scenario_tree(kSource + "/examples/size-llama2-70b-30-days.yaml", all);
}

/// Nodes and storage nodes of the smallest cluster; nullopt if none meets the goals.
std::optional<std::pair<int, int>> sized(const Question& question, const Settings& more = {}) {
  const planner::SizingResult result =
      planner::size(tree_of(question, more), source_catalogue(), {});
  if (!result.feasible()) return {};
  const planner::SizedCluster& cluster = result.sized[*result.chosen].cluster;
  return std::pair(cluster.num_nodes, cluster.num_storage_nodes);
}

/// Storage nodes that hold the targets, and the training time with them.
struct Trained {
  int storage_nodes = 0;
  core::Duration time;
};

/// Simulates one division on so many nodes; nothing if it cannot hold the targets.
std::optional<Trained> run_of(const Question& question, int num_nodes, int tp, int pp) {
  Settings settings = {"cluster.node.model=" + question.node,
                       fmt::format("cluster.node.nics.count={}", question.nics),
                       fmt::format("cluster.nodes={}", num_nodes),
                       fmt::format("workload.global_batch={}", 8 * num_nodes),
                       "search.max_global_batch=64",
                       fmt::format("search.tp=[{}]", tp),
                       fmt::format("search.pp=[{}]", pp)};
  const auto found = planner::search(tree_of(question, settings), source_catalogue(),
                                     {.num_best = 1, .num_simulated = 0});
  if (!found.feasible()) return {};
  const planner::SearchEntry& best = found.best.front();
  settings.insert(settings.end(), best.settings.begin(), best.settings.end());
  const double tokens = 4096.0 * static_cast<double>(best.configuration.global_batch);
  settings.push_back(fmt::format("workload.steps={}", std::llround(std::ceil(kTokens / tokens))));
  const auto simulated = [&] {
    return simulation::simulate(
        simulation::read_scenario(tree_of(question, settings), source_catalogue()));
  };
  int count = 0;
  for (const simulation::StorageNeed& need : simulated().run.needs) {
    if (need.num_nodes == 0) return {};
    count = std::max(count, need.num_nodes);
  }
  settings.push_back(fmt::format("cluster.storage.count={}", count));
  const simulation::SimulationResult result = simulated();
  if (!result.feasible()) return {};
  return Trained{.storage_nodes = count, .time = planner::TimeSpread(result).below(0.5)};
}

/// Returns the storage nodes with which one division on so many nodes meets the goals.
std::optional<int> storage_nodes(const Question& question, int num_nodes, int tp, int pp) {
  const auto run = run_of(question, num_nodes, tp, pp);
  if (!run || run->time > core::Duration::from_base(3600.0 * question.deadline_h)) return {};
  return run->storage_nodes;
}

/// Tries every division on every number of nodes.
std::optional<std::pair<int, int>> tried(const Question& question) {
  for (int n = 1; n <= kMaxNodes; ++n) {
    std::optional<int> fewest;
    for (const int tp : {1, 2, 4}) {
      for (const int pp : {1, 2, 4}) {
        const auto count = storage_nodes(question, n, tp, pp);
        if (count && (!fewest || *count < *fewest)) fewest = count;
      }
    }
    if (fewest) return std::pair(n, *fewest);
  }
  return {};
}

TEST(SizeFreedom, AgreesWithTryingEveryConfiguration) {
  std::mt19937 random(44);
  int num_feasible = 0;
  for (int i = 0; i < 6; ++i) {
    const Question question = draw(random);
    SCOPED_TRACE(fmt::format("{} h, {} of stall, {}, {} NICs", question.deadline_h, question.stall,
                             question.node, question.nics));
    const auto found = sized(question);
    EXPECT_EQ(found, tried(question));
    if (found) ++num_feasible;
  }
  EXPECT_GT(num_feasible, 2);
}

/// Sixty deadlines against a table of every division on every number of nodes.
TEST(SizeFreedom, AgreesWithEveryConfigurationOnSixtyDeadlines) {
  std::mt19937 random(46);
  int num_feasible = 0;
  for (const double stall : {0.02, 0.1}) {
    Question question{.deadline_h = 12.0, .stall = stall, .node = "xe9680-h100", .nics = 8};
    std::map<int, std::vector<Trained>> runs;
    for (int n = 1; n <= kMaxNodes; ++n) {
      for (const int tp : {1, 2, 4}) {
        for (const int pp : {1, 2, 4}) {
          if (const auto run = run_of(question, n, tp, pp)) runs[n].push_back(*run);
        }
      }
    }
    for (int i = 0; i < 30; ++i) {
      question.deadline_h = 3.0 + static_cast<double>(random() % 1200) / 100.0;
      SCOPED_TRACE(fmt::format("{} h, {} of stall", question.deadline_h, stall));
      std::optional<std::pair<int, int>> tried;
      for (const auto& [n, all] : runs) {
        for (const Trained& run : all) {
          if (run.time > core::Duration::from_base(3600.0 * question.deadline_h)) continue;
          if (!tried || (tried->first == n && run.storage_nodes < tried->second)) {
            tried = std::pair(n, run.storage_nodes);
          }
        }
      }
      EXPECT_EQ(sized(question), tried);
      if (tried) ++num_feasible;
    }
  }
  EXPECT_GT(num_feasible, 20);
  EXPECT_LT(num_feasible, 60);
}

/// No answer becomes none, or takes more nodes, as options are added.
TEST(SizeFreedom, MoreOptionsNeverTakeMoreNodes) {
  std::mt19937 random(7);
  const std::vector<std::pair<Settings, Settings>> wider = {
      {{}, {"goals.parts.nics=[4, 6, 8]"}},
      {{}, {"goals.parts.nodes=[xe9680-h100, xe9680-b200]"}},
      {{}, {"goals.parts.max_nodes=24"}},
      {{"search.tp=[4]", "search.pp=[2]"}, {}},
      {{}, {"search.recompute=[none, elementwise, full]", "search.micro_batch=[1, 2]"}}};
  int num_compared = 0;
  for (int i = 0; i < 4; ++i) {
    const Question question = draw(random);
    for (const auto& [narrow, wide] : wider) {
      const auto before = sized(question, narrow);
      const auto after = sized(question, wide);
      if (!before) continue;
      ++num_compared;
      ASSERT_TRUE(after) << question.deadline_h << " h, " << fmt::format("{}", wide.size());
      EXPECT_LE(after->first, before->first);
    }
  }
  EXPECT_GT(num_compared, 5);
}

}  // namespace
}  // namespace railwright::test
