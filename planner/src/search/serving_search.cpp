// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/search/serving_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include "railwright/core/parallel_for.hpp"

namespace railwright::planner {

namespace {

using simulation::CheckedInference;
using simulation::InferenceResult;

struct Division {
  int tp = 1;
  bool attention_dp = false;
  int ep = 1;
  int prefill_tp = 0;  ///< 0: each replica does both
  int pp = 1;
};

std::vector<int> divisors(int number) {
  std::vector<int> all;
  for (int i = 1; i <= number; ++i) {
    if (number % i == 0) all.push_back(i);
  }
  return all;
}

template <class T>
bool is_among(const std::vector<T>& wanted, T value) {
  return wanted.empty() || std::ranges::find(wanted, value) != wanted.end();
}

/// Lists the accelerators of a layer that are tried: all that divide a node, and wanted ones of
/// several nodes.
std::vector<int> sizes_of_layer(const CheckedInference& checked, const std::vector<int>& wanted) {
  const topologies::Cluster& cluster = checked.cluster.cluster;
  const int in_node = cluster.node.num_accelerators.value;
  std::vector<int> all;
  for (const int tp : divisors(in_node)) {
    if (is_among(wanted, tp)) all.push_back(tp);
  }
  for (const int tp : wanted) {
    if (tp > in_node && tp % in_node == 0 && tp / in_node <= cluster.num_nodes) all.push_back(tp);
  }
  return all;
}

/// Whether stages of `tp` accelerators fill a part of a node, or whole ones that there are.
bool fills_nodes(const CheckedInference& checked, int tp, int pp) {
  const topologies::Cluster& cluster = checked.cluster.cluster;
  const int in_node = cluster.node.num_accelerators.value;
  const std::int64_t size = std::int64_t{tp} * pp;
  return pp <= models::total_layers(checked.inference.model) &&
         (size <= in_node ? in_node % size == 0
                          : size % in_node == 0 && size / in_node <= cluster.num_nodes);
}

/// Lists divisions of one replica that read_inference() allows, dividing heads and experts.
std::vector<Division> divisions_of_replica(const CheckedInference& checked) {
  const models::Transformer& model = checked.inference.model;
  const core::ComputeNode& node = checked.cluster.cluster.node;
  const simulation::ServingSearchSpace& space = checked.search;
  std::vector<Division> all;
  for (const int tp : sizes_of_layer(checked, space.tp)) {
    if (tp > 1 && !node.peer_access) continue;
    for (const bool attention_dp : {false, true}) {
      if (space.attention_dp.value_or(attention_dp) != attention_dp) continue;
      if (attention_dp ? !model.experts || tp == 1 : !checked.inference.heads_divide(tp)) continue;
      for (const int ep : divisors(model.experts ? tp : 1)) {
        const bool divides = !model.experts || model.experts->count % ep == 0;
        if (!divides || !is_among(space.ep, ep)) continue;
        for (const int pp : space.pp.empty() ? std::vector{1} : space.pp) {
          if (!fills_nodes(checked, tp, pp)) continue;
          all.push_back({.tp = tp, .attention_dp = attention_dp, .ep = ep, .pp = pp});
        }
      }
    }
  }
  return all;
}

/// Lists the divisions; with `inference.disaggregated` each with every one of replicas for prompts,
/// whose experts are spread as widely.
std::vector<Division> divisions(const CheckedInference& checked) {
  std::vector<Division> all = divisions_of_replica(checked);
  if (!checked.inference.disaggregated) return all;
  const core::ComputeNode& node = checked.cluster.cluster.node;
  std::vector<Division> apart;
  for (Division one : all) {
    for (const int prefill_tp : sizes_of_layer(checked, checked.search.prefill_tp)) {
      if (prefill_tp > 1 && !node.peer_access) continue;
      const bool cuts_heads = one.attention_dp || checked.inference.heads_divide(prefill_tp);
      if (!cuts_heads || prefill_tp % one.ep != 0) continue;
      one.prefill_tp = prefill_tp;
      apart.push_back(one);
    }
  }
  return apart;
}

/// Returns 1, 2, 3, 4, 6, 8, 12 ... up to `most`, and `most` itself.
std::vector<std::int64_t> batches_up_to(std::int64_t most) {
  std::vector<std::int64_t> all;
  for (std::int64_t power = 1; power <= most; power *= 2) {
    all.push_back(power);
    const std::int64_t between = power + power / 2;
    if (power > 1 && between <= most) all.push_back(between);
  }
  if (!all.empty() && all.back() != most) all.push_back(most);
  return all;
}

class ServingSearch {
 public:
  ServingSearch(CheckedInference checked, const SearchOptions& options)
      : options_(options),
        checked_(std::move(checked)),
        built_(checked_.cluster.topology->build(checked_.cluster.cluster)),
        divisions_(divisions(checked_)) {
    const models::Inference& inference = checked_.inference;
    result_.name = checked_.cluster.name;
    result_.has_rate = inference.requests_per_s || inference.tokens_per_s;
    result_.num_divisions = static_cast<int>(divisions_.size());
  }

  ServingSearchResult run() {
    std::vector<ServingEntry> all = all_entries();
    if (all.empty() && is_open_to_nodes()) {
      for (int nodes = 2; nodes <= checked_.cluster.cluster.num_nodes && all.empty(); nodes *= 2) {
        over_nodes(nodes);
        all = all_entries();
      }
    }
    result_.num_points = std::ssize(all);
    if (options_.front) result_.front = front_of(all);
    choose_best(std::move(all));
    simulate_best();
    for (ServingEntry& one : result_.best) add_power_and_cost(checked_, one.result);
    return std::move(result_);
  }

 private:
  [[nodiscard]] std::vector<ServingEntry> all_entries() const {
    std::vector<std::vector<ServingEntry>> found(divisions_.size());
    core::parallel_for(
        divisions_.size(), [&](std::size_t i) { found[i] = entries_of(divisions_[i]); },
        options_.num_threads);
    std::vector<ServingEntry> all;
    for (std::vector<ServingEntry>& some : found) {
      std::ranges::move(some, std::back_inserter(all));
    }
    return all;
  }

  /// Whether a model that no node holds may be tried over several.
  [[nodiscard]] bool is_open_to_nodes() const {
    const models::Inference& inference = checked_.inference;
    return checked_.search.tp.empty() && checked_.search.pp.empty() && !inference.disaggregated &&
           !inference.speculative && checked_.cluster.cluster.node.peer_access;
  }

  /// Makes the divisions those of replicas on so many nodes: experts over all of them, or stages.
  void over_nodes(int nodes) {
    const int in_node = checked_.cluster.cluster.node.num_accelerators.value;
    CheckedInference wide = checked_;
    wide.search.tp = {nodes * in_node};
    wide.search.attention_dp = true;
    divisions_ = divisions(wide);
    CheckedInference deep = checked_;
    deep.search.attention_dp = false;
    for (const int tp : divisors(in_node)) {
      deep.search.tp = {tp};
      deep.search.pp = {nodes * in_node / tp};
      std::ranges::move(divisions(deep), std::back_inserter(divisions_));
    }
    result_.num_divisions += static_cast<int>(divisions_.size());
  }

  /// Returns the scenario with this division, and all weights in device memory.
  [[nodiscard]] CheckedInference divided(const Division& division) const {
    CheckedInference made = checked_;
    models::Inference& inference = made.inference;
    inference.tp = division.tp;
    inference.pp = division.pp;
    inference.attention_dp = division.attention_dp;
    if (inference.model.experts) inference.ep = division.ep;
    if (inference.disaggregated) inference.disaggregated->prefill_tp = division.prefill_tp;
    inference.offload.clear();
    return made;
  }

  [[nodiscard]] std::vector<ServingEntry> entries_of(const Division& division) const {
    CheckedInference made = divided(division);
    made.inference.load.reset();
    // Only replicas for prompts have to give the first token in time; `batch` is of the others.
    if (!made.inference.disaggregated) made.inference.time_to_first_token.reset();
    made.inference.time_per_output_token.reset();
    std::vector<ServingEntry> entries;
    const InferenceResult largest = simulate(made, built_);
    if (largest.num_nodes == 0) return entries;  // it does not fit into memory
    for (const std::int64_t batch : batches(made, std::llround(largest.cycle.batch))) {
      made.inference.max_batch = static_cast<int>(batch);
      entries.push_back(entry(division, simulate(made, built_)));
    }
    return entries;
  }

  /// Lists the wanted batches that fit; if none are wanted, batches_up_to() and the largest in
  /// time.
  [[nodiscard]] std::vector<std::int64_t> batches(CheckedInference made, std::int64_t most) const {
    std::vector<std::int64_t> all = batches_up_to(most);
    if (!checked_.search.batch.empty()) {
      all.assign(checked_.search.batch.begin(), checked_.search.batch.end());
      std::erase_if(all, [&](std::int64_t batch) { return batch > most; });
      return all;
    }
    made.inference.time_to_first_token = checked_.inference.time_to_first_token;
    made.inference.time_per_output_token = checked_.inference.time_per_output_token;
    const InferenceResult in_time = simulate(made, built_);
    if (in_time.num_nodes > 0) all.push_back(std::llround(in_time.cycle.batch));
    std::ranges::sort(all);
    all.erase(std::ranges::unique(all).begin(), all.end());
    return all;
  }

  [[nodiscard]] ServingEntry entry(const Division& division, InferenceResult result) const {
    const models::Inference& inference = checked_.inference;
    ServingEntry made{.settings = {fmt::format("inference.tp={}", division.tp)},
                      .tp = division.tp,
                      .attention_dp = division.attention_dp,
                      .ep = division.ep,
                      .prefill_tp = division.prefill_tp,
                      .pp = division.pp,
                      .result = std::move(result)};
    if (division.pp != inference.pp) {
      made.settings.push_back(fmt::format("inference.pp={}", division.pp));
    }
    if (division.prefill_tp > 0) {
      made.settings.push_back(
          fmt::format("inference.disaggregated.prefill_tp={}", division.prefill_tp));
    }
    if (inference.model.experts) {
      made.settings.push_back(fmt::format("inference.attention_dp={}", division.attention_dp));
      made.settings.push_back(fmt::format("inference.ep={}", division.ep));
    }
    made.settings.push_back(fmt::format("inference.max_batch={:.0f}", made.result.cycle.batch));
    const auto is_in = [](core::Duration time, const std::optional<core::Duration>& wanted) {
      return !wanted || time <= *wanted;
    };
    made.meets_latencies =
        is_in(made.result.time_to_first_token(), inference.time_to_first_token) &&
        is_in(made.result.time_per_output_token(), inference.time_per_output_token);
    return made;
  }

  [[nodiscard]] static std::vector<ServingEntry> front_of(std::vector<ServingEntry> all) {
    std::ranges::stable_sort(all, std::ranges::greater{}, [](const ServingEntry& one) {
      return std::pair(one.user_tokens_per_s(), one.result.accelerator_tokens_per_s);
    });
    std::vector<ServingEntry> front;
    double most = 0.0;
    for (ServingEntry& one : all) {
      if (one.result.accelerator_tokens_per_s <= most) continue;
      most = one.result.accelerator_tokens_per_s;
      front.push_back(std::move(one));
    }
    return front;
  }

  /// Sort key: nodes and accelerators for the wanted load, then tokens/s per accelerator.
  [[nodiscard]] auto rank(const ServingEntry& one) const {
    const InferenceResult& result = one.result;
    const bool counts = result_.has_rate;
    return std::tuple(!result.feasible(), counts ? result.num_nodes : 0,
                      counts ? result.num_accelerators : 0, -result.accelerator_tokens_per_s);
  }
  void sort_best(std::span<ServingEntry> entries) const {
    std::ranges::stable_sort(entries, {}, [&](const ServingEntry& one) { return rank(one); });
  }

  void choose_best(std::vector<ServingEntry> all) {
    std::vector<ServingEntry> in_time;
    for (ServingEntry& one : all) {
      if (one.meets_latencies) in_time.push_back(std::move(one));
    }
    result_.num_in_time = std::ssize(in_time);
    if (in_time.empty()) {
      result_.why_none = why_none();
      return;
    }
    sort_best(in_time);
    result_.best = kept(std::move(in_time));
  }

  [[nodiscard]] std::size_t num_kept() const {
    return static_cast<std::size_t>(std::max(options_.num_best, 1));
  }

  /// Returns the first entries, as many as are listed. Where requests are simulated, also the first
  /// of each other division: full batches do not say which of them keeps the latencies.
  [[nodiscard]] std::vector<ServingEntry> kept(std::vector<ServingEntry> sorted) const {
    const bool is_simulated = checked_.inference.load && options_.num_simulated > 0;
    std::set<std::tuple<int, int, bool, int, int>> seen;
    std::vector<ServingEntry> kept;
    for (ServingEntry& one : sorted) {
      const bool is_new =
          seen.emplace(one.prefill_tp, one.tp, one.attention_dp, one.ep, one.pp).second;
      if (kept.size() < num_kept() || (is_simulated && is_new)) kept.push_back(std::move(one));
    }
    return kept;
  }

  [[nodiscard]] std::string why_none() const {
    if (divisions_.empty()) return "no division of the model over a node is within `search`";
    const InferenceResult own = simulate(checked_, built_);
    if (!own.feasible()) return own.infeasible.front();
    return own.offload ? "only weights that are offloaded, which `search` does not try"
                       : "no batch within `search` keeps the latencies";
  }

  void simulate_requests(ServingEntry& one) const {
    CheckedInference made = divided({one.tp, one.attention_dp, one.ep, one.prefill_tp, one.pp});
    made.inference.max_batch = static_cast<int>(std::llround(one.result.cycle.batch));
    one.result = simulate(made, built_);
  }

  /// Simulates until the best simulated result is at least as good as the next one's full batches.
  /// Requests that wait for each other need no fewer accelerators than full batches.
  void simulate_best() {
    if (!checked_.inference.load || options_.num_simulated == 0) return;
    std::vector<ServingEntry>& best = result_.best;
    const std::size_t first =
        std::min(best.size(), static_cast<std::size_t>(options_.num_simulated));
    PiecesDone simulated(options_.progress, "simulated", best.size());
    core::parallel_for(
        first,
        [&](std::size_t i) {
          simulate_requests(best[i]);
          simulated.one_more();
        },
        options_.num_threads);
    std::size_t end = first;
    const auto is_settled = [&] {
      sort_best(std::span(best).first(end));
      return end == best.size() || rank(best.front()) <= rank(best[end]);
    };
    while (!is_settled()) {
      simulate_requests(best[end++]);
      simulated.one_more();
    }
    if (best.size() > num_kept()) best.resize(num_kept());
  }

  const SearchOptions& options_;
  CheckedInference checked_;
  topologies::BuiltCluster built_;
  std::vector<Division> divisions_;
  ServingSearchResult result_;
};

}  // namespace

ServingSearchResult search_service(const core::Node& tree, const core::Catalogue& catalogue,
                                   const SearchOptions& options) {
  CheckedInference checked = simulation::read_inference(tree, catalogue);
  if (!checked.inference.disaggregated) return ServingSearch(std::move(checked), options).run();
  CheckedInference aggregated = checked;
  aggregated.inference.disaggregated.reset();
  ServingSearchResult result = ServingSearch(std::move(checked), options).run();
  ServingSearchResult beside = ServingSearch(std::move(aggregated), options).run();
  if (!beside.best.empty()) result.aggregated = std::move(beside.best.front());
  return result;
}

}  // namespace railwright::planner
