// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/size/service_size.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "fabric_room.hpp"
#include "nodes_setting.hpp"
#include "railwright/planner/search/serving_search.hpp"
#include "railwright/simulation/scenario/with_settings.hpp"

namespace railwright::planner {

namespace {

using simulation::CheckedInference;
using simulation::InferenceResult;

/// Times that the number of nodes is set to what the service before needed: a larger fabric may
/// need more for the way of a cache.
constexpr int kMaxRounds = 4;

/// Beginning of the setting of a batch.
constexpr std::string_view kMaxBatch = "inference.max_batch=";

void check_has_load(const core::Node& tree, const models::Inference& inference) {
  if (inference.wanted_requests_per_s() > 0.0) return;
  throw core::ConfigError({{tree.find("inference")->where, "inference.requests_per_s",
                            "missing: `size` needs to know the load",
                            "or tokens_per_s, or load.users; without a load, `search` lists what "
                            "a node gives"}});
}

/// Returns what a full-batch service misses without one of its nodes, or of its replicas if it has
/// one node.
std::string shortfall_of_fewer(const CheckedInference& checked, const InferenceResult& result,
                               std::int64_t fewer, const std::string& what) {
  const double wanted = checked.inference.wanted_requests_per_s();
  const double given = static_cast<double>(fewer) * result.cycle.requests_per_s();
  return fmt::format("{}: {:.3g} requests/s, {:.3g} fewer than the {:.3g} wanted", what, given,
                     wanted - given, wanted);
}

/// Returns what the service misses with fewer replicas; empty if it has one alone.
std::string miss_of_fewer(CheckedInference checked, const InferenceResult& result) {
  models::Inference& inference = checked.inference;
  std::string what;
  std::int64_t fewer = 0;
  if (result.disaggregated) {
    fewer = result.disaggregated->decode_replicas - 1;
    if (fewer < 1) return "";
    inference.disaggregated->prefill_replicas =
        static_cast<int>(result.disaggregated->prefill_replicas);
    inference.disaggregated->decode_replicas = static_cast<int>(fewer);
    what = "one replica for answers fewer";
  } else {
    const int of_replica = result.replica_size().num_accelerators();
    const int in_node = checked.cluster.cluster.node.num_accelerators.value;
    const bool has_nodes = result.nodes_for_load > 1 && of_replica <= in_node;
    fewer =
        has_nodes ? (result.nodes_for_load - 1) * (in_node / of_replica) : result.num_replicas - 1;
    if (fewer < 1) return "";
    what = has_nodes ? "one node less" : "one replica less";
    if (!inference.load) return shortfall_of_fewer(checked, result, fewer, what);
    inference.load->replicas = static_cast<int>(fewer);
  }
  const InferenceResult less = simulate(checked);
  return fmt::format("{}: {}", what, less.feasible() ? "would do too" : less.infeasible.front());
}

SizedScenario with_settings_of(const core::Node& tree, const core::Catalogue& catalogue,
                               std::vector<std::string> settings) {
  SizedScenario sized{.settings = std::move(settings), .scenario = {}, .result = {}, .smaller = {}};
  sized.scenario = simulation::with_settings(tree, sized.settings);
  sized.result = simulate(simulation::read_inference(sized.scenario, catalogue));
  return sized;
}

bool is_same_service(const InferenceResult& one, const InferenceResult& other) {
  return one.feasible() == other.feasible() && one.cycle.batch == other.cycle.batch &&
         one.num_nodes == other.num_nodes && one.num_accelerators == other.num_accelerators;
}

/// Says in place of max_batch, which nobody gave, why the search took no larger batch.
void name_batch_limit(const core::Node& tree, InferenceResult& result) {
  static constexpr std::string_view kOwn = "max_batch limits a replica to";
  const core::Node* search = tree.find("search");
  const bool is_listed = search != nullptr && search->find("batch") != nullptr;
  if (!result.limit.starts_with(kOwn)) return;
  result.limit.replace(
      0, kOwn.size(),
      is_listed ? "search.batch limits a replica to" : "the load needs a replica of no more than");
}

/// Runs the scenario with the settings of a search. Its batch is left out where the service takes
/// the same by itself, so that the answer names what limits it; else the answer says who chose it.
SizedScenario sized_by(const core::Node& tree, const core::Catalogue& catalogue,
                       const std::vector<std::string>& settings, bool is_batch_asked) {
  SizedScenario sized = with_settings_of(tree, catalogue, settings);
  if (is_batch_asked) return sized;
  std::vector<std::string> others = settings;
  std::erase_if(others, [](const std::string& one) { return one.starts_with(kMaxBatch); });
  SizedScenario free = with_settings_of(tree, catalogue, std::move(others));
  InferenceResult& result = std::get<InferenceResult>(sized.result);
  if (is_same_service(result, std::get<InferenceResult>(free.result))) return free;
  // The user gave no max_batch: the search did, from the batches that it may try.
  if (result.batch_limit == simulation::BatchLimit::kMaxBatch) name_batch_limit(tree, result);
  return sized;
}

/// Returns the sized service, with what one node or replica less would miss.
SizedScenario with_smaller(SizedScenario sized, const core::Catalogue& catalogue) {
  const InferenceResult& result = std::get<InferenceResult>(sized.result);
  if (result.feasible()) {
    sized.smaller = miss_of_fewer(simulation::read_inference(sized.scenario, catalogue), result);
  }
  return sized;
}

/// Sizes the service of a number of users, who wait for their answers: its run finds the division
/// and the replicas, on as many nodes as these take.
SizedScenario size_for_users(const core::Node& tree, const core::Catalogue& catalogue,
                             std::int64_t nodes) {
  SizedScenario sized;
  for (int round = 0; round < kMaxRounds; ++round) {
    sized = with_settings_of(tree, catalogue, {nodes_setting(nodes)});
    InferenceResult& result = std::get<InferenceResult>(sized.result);
    const std::int64_t needed = result.num_nodes;
    if (needed == 0 || needed == nodes) break;
    const std::string too_many =
        needed > nodes ? beyond_fabric(needed, missing_of(tree, catalogue)) : "";
    if (!too_many.empty()) {
      result.infeasible = {too_many};
      return sized;
    }
    nodes = needed;
  }
  return with_smaller(std::move(sized), catalogue);
}

}  // namespace

SizedScenario size_service(const core::Node& tree, const core::Catalogue& catalogue,
                           const SizeOptions& options) {
  const CheckedInference asked = simulation::read_inference(tree, catalogue);
  if (asked.inference.load && asked.inference.load->has_users()) {
    return size_for_users(tree, catalogue, asked.cluster.cluster.num_nodes);
  }
  check_has_load(tree, asked.inference);
  const SearchOptions search{
      .num_best = 1, .num_threads = options.num_threads, .progress = options.progress};
  SizedScenario sized;
  std::int64_t nodes = asked.cluster.cluster.num_nodes;
  core::Node scenario = tree;
  for (int round = 0; round < kMaxRounds; ++round) {
    ServingSearchResult found = search_service(scenario, catalogue, search);
    if (found.best.empty()) {
      InferenceResult result = simulate(simulation::read_inference(scenario, catalogue));
      if (result.feasible()) result.infeasible.push_back(found.why_none);
      sized.scenario = std::move(scenario);
      sized.result = std::move(result);
      return sized;
    }
    sized.settings = std::move(found.best.front().settings);
    const std::int64_t needed = found.best.front().result.num_nodes;
    const std::string too_many =
        needed > nodes ? beyond_fabric(needed, missing_of(tree, catalogue)) : "";
    if (!too_many.empty()) {
      sized.scenario = simulation::with_settings(tree, sized.settings);
      InferenceResult result = std::move(found.best.front().result);
      result.infeasible = {too_many};
      sized.result = std::move(result);
      return sized;
    }
    sized.settings.insert(sized.settings.begin(), nodes_setting(needed));
    if (std::exchange(nodes, needed) == needed) break;
    scenario = simulation::with_settings(tree, {nodes_setting(needed)});
  }
  return with_smaller(
      sized_by(tree, catalogue, sized.settings, asked.inference.max_batch.has_value()), catalogue);
}

}  // namespace railwright::planner
