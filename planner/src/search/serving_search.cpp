// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/search/serving_search.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include "railwright/core/parallel_for.hpp"
#include "railwright/workloads/serving/needs_more.hpp"
#include "serving_divisions.hpp"
#include "serving_points.hpp"

namespace railwright::planner {

namespace {

using simulation::CheckedInference;
using simulation::InferenceResult;

/// Most services that are simulated request by request until the best is settled.
constexpr std::size_t kMostServed = 40;

/// Order of services: nodes and accelerators for a wanted load, then simple ones, then tokens/s.
using Rank = std::tuple<bool, std::int64_t, std::int64_t, bool, double>;

/// Searches services of one kind or of both: prompts apart, or replicas that do both.
class ServingSearch {
 public:
  ServingSearch(const CheckedInference& checked, const topologies::BuiltCluster& built,
                const SearchOptions& options, std::vector<ServingDivision> divisions,
                bool lists_one)
      : options_(options),
        checked_(checked),
        built_(built),
        divisions_(std::move(divisions)),
        num_listed_(lists_one ? 1 : num_kept()) {
    const models::Inference& inference = checked_.inference;
    result_.name = checked_.cluster.name;
    result_.has_rate = inference.requests_per_s || inference.tokens_per_s;
  }

  ServingSearchResult run() {
    count_divisions();
    std::vector<ServingPoint> all = points();
    if (all.empty() && is_open_to_nodes()) {
      for (int nodes = 2; nodes <= checked_.cluster.cluster.num_nodes && all.empty(); nodes *= 2) {
        divisions_ = divisions_over_nodes(checked_, nodes);
        count_divisions();
        all = points();
      }
    }
    result_.num_points = std::ssize(all);
    if (options_.front) result_.front = front_of(all);
    choose_best(std::move(all));
    for (ServingEntry& one : result_.best) add_power_and_cost(checked_, one.result);
    return std::move(result_);
  }

 private:
  void count_divisions() { result_.num_divisions += static_cast<int>(divisions_.size()); }

  [[nodiscard]] std::vector<ServingPoint> points() const {
    std::vector<ServingDivision> all;
    for (const int tokens : tokens_of_iteration(checked_)) {
      for (ServingDivision one : divisions_) {
        one.max_tokens = tokens;
        all.push_back(one);
      }
    }
    return serving_points(checked_, built_, all, options_.num_threads);
  }

  /// Whether a model that no node holds may be tried over several.
  [[nodiscard]] bool is_open_to_nodes() const {
    const models::Inference& inference = checked_.inference;
    return checked_.search.tp.empty() && checked_.search.pp.empty() && !inference.disaggregated &&
           !checked_.search.disaggregated.value_or(false) && !inference.speculative &&
           checked_.cluster.cluster.node.peer_access;
  }

  [[nodiscard]] ServingEntry entry(const ServingPoint& point, InferenceResult result) const {
    const ServingDivision& division = point.division;
    const std::int64_t batch = std::llround(result.cycle.batch);
    return {.settings = settings_of(checked_, division, batch > 0 ? batch : point.numbers.batch),
            .tp = division.tp,
            .attention_dp = division.attention_dp,
            .ep = division.ep,
            .prefill_tp = division.prefill_tp,
            .pp = division.pp,
            .max_tokens = division.max_tokens,
            .result = std::move(result),
            .meets_latencies = point.meets_latencies};
  }
  /// Simulates full batches of a point, with prompts in time if these are apart.
  [[nodiscard]] ServingEntry with_full_batches(const ServingPoint& point) const {
    CheckedInference made = with_division(checked_, point.division);
    made.inference.max_batch = static_cast<int>(point.numbers.batch);
    made.inference.load.reset();
    if (!point.division.is_apart()) made.inference.time_to_first_token.reset();
    made.inference.time_per_output_token.reset();
    return entry(point, simulate(made, built_));
  }
  /// Simulates the service of a point as the user will.
  [[nodiscard]] ServingEntry as_a_whole(const ServingPoint& point) const {
    CheckedInference made = with_division(checked_, point.division);
    made.inference.max_batch = static_cast<int>(point.numbers.batch);
    return entry(point, simulate(made, built_));
  }

  [[nodiscard]] std::vector<ServingEntry> front_of(std::vector<ServingPoint> all) const {
    const auto user_rate = [](const ServingPoint& one) {
      return 1.0 / one.numbers.time_per_output_token.base();
    };
    std::ranges::stable_sort(all, std::ranges::greater{}, [&](const ServingPoint& one) {
      return std::pair(user_rate(one), one.numbers.accelerator_tokens_per_s);
    });
    std::vector<ServingEntry> front;
    double most = 0.0;
    for (const ServingPoint& one : all) {
      if (one.numbers.accelerator_tokens_per_s <= most) continue;
      most = one.numbers.accelerator_tokens_per_s;
      front.push_back(with_full_batches(one));
    }
    return front;
  }

  /// Returns the rank of what is counted, lower for better.
  template <class Counts>
  [[nodiscard]] Rank rank(bool is_feasible, const Counts& counts, bool is_apart) const {
    const bool has_rate = result_.has_rate;
    return {!is_feasible, has_rate ? counts.num_nodes : 0, has_rate ? counts.num_accelerators : 0,
            has_rate && is_apart, -counts.accelerator_tokens_per_s};
  }
  [[nodiscard]] Rank rank(const ServingPoint& one) const {
    return rank(one.numbers.carries_load, one.numbers, one.division.is_apart());
  }
  [[nodiscard]] Rank rank(const ServingEntry& one) const {
    return rank(one.result.feasible(), one.result, one.prefill_tp > 0);
  }

  void choose_best(std::vector<ServingPoint> all) {
    std::erase_if(all, [](const ServingPoint& one) { return !one.meets_latencies; });
    result_.num_in_time = std::ssize(all);
    if (all.empty()) {
      result_.why_none = why_none();
      return;
    }
    std::ranges::stable_sort(all, {}, [&](const ServingPoint& one) { return rank(one); });
    simulate_best(kept(std::move(all)));
  }

  [[nodiscard]] std::size_t num_kept() const {
    return static_cast<std::size_t>(std::max(options_.num_best, 1));
  }
  /// Whether full batches bound services that are sized whole: their requests wait for each other,
  /// or prompts find on the nodes of the load less than the most.
  [[nodiscard]] bool is_sized_whole() const {
    return checked_.inference.load ? options_.num_simulated > 0
                                   : checked_.inference.prefix_cache.has_value();
  }
  /// Returns how many services are sized whole before full batches say whether more must be.
  [[nodiscard]] std::size_t num_sized_first() const {
    if (!is_sized_whole()) return 0;
    return checked_.inference.load ? static_cast<std::size_t>(options_.num_simulated) : num_listed_;
  }

  /// Returns the first points, as many as are listed. Of services that are sized whole also the
  /// first of each other division: full batches do not say which of them keeps the latencies.
  [[nodiscard]] std::vector<ServingPoint> kept(std::vector<ServingPoint> sorted) const {
    std::set<ServingDivision> seen;
    std::vector<ServingPoint> kept;
    for (ServingPoint& one : sorted) {
      ServingDivision division = one.division;
      division.max_tokens = 0;
      const bool is_new = seen.insert(division).second;
      if (kept.size() < num_kept() || (is_sized_whole() && is_new)) kept.push_back(std::move(one));
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

  /// Whether it is known that the point comes behind `than`: it needs more nodes or accelerators.
  [[nodiscard]] bool surely_comes_behind(const ServingPoint& point,
                                         const ServingEntry& than) const {
    if (!result_.has_rate || !than.result.feasible()) return false;
    CheckedInference made = with_division(checked_, point.division);
    made.inference.max_batch = static_cast<int>(point.numbers.batch);
    const std::int64_t of_fewer_nodes =
        (than.result.nodes_for_load - 1) * checked_.cluster.cluster.node.num_accelerators.value;
    return simulation::surely_needs_more(made, built_,
                                         std::max(of_fewer_nodes, than.result.num_accelerators));
  }

  /// Makes an entry of each point. Sizes them whole until the best is at least as good as the next
  /// one's full batches: requests that wait for each other, and prompts that find less, need no
  /// fewer accelerators.
  void simulate_best(const std::vector<ServingPoint>& points) {
    std::vector<ServingEntry>& best = result_.best;
    std::size_t end = std::min(points.size(), num_sized_first());
    const std::size_t num_at_first = std::min(points.size(), std::max(end, num_listed_));
    best.resize(num_at_first);
    PiecesDone simulated(options_.progress, "simulated", points.size());
    core::parallel_for(
        best.size(),
        [&](std::size_t i) {
          best[i] = i < end ? as_a_whole(points[i]) : with_full_batches(points[i]);
          simulated.one_more();
        },
        options_.num_threads);
    const auto sort_first = [&] {
      std::ranges::stable_sort(std::span(best).first(end), {},
                               [&](const ServingEntry& one) { return rank(one); });
    };
    sort_first();
    for (std::size_t next = end; end > 0 && next < std::min(points.size(), kMostServed); ++next) {
      if (rank(best.front()) <= rank(points[next])) break;
      if (next >= num_at_first) simulated.one_more();
      if (end >= num_listed_ && surely_comes_behind(points[next], best[num_listed_ - 1])) continue;
      ServingEntry made = as_a_whole(points[next]);
      if (end < best.size()) {
        best[end] = std::move(made);
      } else {
        best.push_back(std::move(made));
      }
      ++end;
      sort_first();
    }
    if (best.size() > num_listed_) best.resize(num_listed_);
  }

  const SearchOptions& options_;
  const CheckedInference& checked_;
  const topologies::BuiltCluster& built_;
  std::vector<ServingDivision> divisions_;
  std::size_t num_listed_;  ///< of those that are kept
  ServingSearchResult result_;
};

}  // namespace

ServingSearchResult search_service(const core::Node& tree, const core::Catalogue& catalogue,
                                   const SearchOptions& options) {
  const CheckedInference checked = simulation::read_inference(tree, catalogue);
  const auto built = checked.cluster.topology->build(checked.cluster.cluster);
  const bool is_asked_apart =
      checked.inference.disaggregated || checked.search.disaggregated.value_or(false);
  const auto run = [&](const CheckedInference& scenario, std::vector<ServingDivision> divisions,
                       bool lists_one) {
    return ServingSearch(scenario, built, options, std::move(divisions), lists_one).run();
  };
  std::vector<ServingDivision> whole = whole_divisions(checked);
  std::vector<ServingDivision> all;
  if (may_be_apart(checked)) all = apart_divisions(checked);
  if (!is_asked_apart) all.insert(all.begin(), whole.begin(), whole.end());
  ServingSearchResult result = run(checked, std::move(all), false);
  if (result.best.empty() || result.best.front().prefill_tp == 0) return result;
  CheckedInference together = checked;
  together.inference.disaggregated.reset();
  ServingSearchResult of_whole = run(together, std::move(whole), true);
  if (!of_whole.best.empty()) result.aggregated = std::move(of_whole.best.front());
  return result;
}

}  // namespace railwright::planner
