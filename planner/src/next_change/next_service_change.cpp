// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/next_change/next_service_change.hpp"

#include <algorithm>
#include <span>
#include <tuple>

#include "railwright/core/error.hpp"
#include "railwright/core/parallel_for.hpp"
#include "railwright/topologies/cluster/built_cluster.hpp"
#include "railwright/topologies/topology.hpp"
#include "service_moves.hpp"
#include "service_objective.hpp"

namespace railwright::planner {

namespace {

using simulation::CheckedInference;
using simulation::InferenceResult;
using SettingList = std::vector<std::string>;

/// Requests that are simulated for changes, at most; a few changes are tried however many it has.
constexpr std::int64_t kRequestsOfChanges = 40'000;
constexpr std::int64_t kFewestSimulated = 3;
constexpr std::int64_t kMostSimulated = 24;

/// Simulates the scenario with settings.
class ServiceTrials {
 public:
  ServiceTrials(const core::Node& tree, const core::Catalogue& catalogue)
      : tree_(tree),
        catalogue_(catalogue),
        own_(simulation::read_inference(tree, catalogue)),
        built_(own_.cluster.topology->build(own_.cluster.cluster)) {}

  [[nodiscard]] const CheckedInference& own() const { return own_; }

  /// Returns nothing if a rule forbids the settings.
  [[nodiscard]] std::optional<InferenceResult> with(const SettingList& settings,
                                                    bool has_load) const {
    core::Node tree = tree_;
    try {
      for (const std::string& setting : settings) core::set_path(tree, setting);
      CheckedInference checked = simulation::read_inference(tree, catalogue_);
      if (!has_load) checked.inference.load.reset();
      if (checked.cluster.cluster.node.nics.count == own_.cluster.cluster.node.nics.count) {
        return simulate(checked, built_);
      }
      return simulate(checked, checked.cluster.topology->build(checked.cluster.cluster));
    } catch (const core::ConfigError&) {
      return {};
    } catch (const core::SimulationError&) {
      return {};
    }
  }

 private:
  const core::Node& tree_;
  const core::Catalogue& catalogue_;
  CheckedInference own_;
  topologies::BuiltCluster built_;
};

/// A change with the full batches that it gives.
struct TriedChange {
  std::vector<ServiceMove> moves;
  InferenceResult full;

  [[nodiscard]] SettingList settings() const {
    SettingList all;
    for (const ServiceMove& move : moves) all.push_back(move.setting());
    return all;
  }
};

class ChangeSearch {
 public:
  ChangeSearch(const ServiceTrials& trials, const ServiceObjective& objective,
               const ProgressFunction& progress)
      : trials_(trials), objective_(objective), progress_(progress) {
    changes_.has_load = objective.has_load();
  }

  ServiceChangesTried run(const InferenceResult& own) {
    const std::vector<ServiceMove> moves = service_moves(trials_.own(), own);
    std::vector<std::vector<ServiceMove>> all;
    for (const ServiceMove& move : moves) all.push_back({move});
    for (auto a = moves.begin(); a != moves.end(); ++a) {
      for (auto b = a + 1; b != moves.end(); ++b) {
        const bool act_together = a->acts_with_others && b->acts_with_others;
        if (act_together && can_be_paired(*a, *b)) all.push_back({*a, *b});
      }
    }
    std::vector<TriedChange> candidates = promising(all);
    const auto end = std::min(candidates.size(), num_simulated());
    try_whole(std::span(candidates).first(end));
    try_on_top(moves, std::span(candidates).subspan(end));
    return std::move(changes_);
  }

 private:
  /// Returns the changes that could improve the service by full batches, the best first.
  std::vector<TriedChange> promising(const std::vector<std::vector<ServiceMove>>& all) {
    std::vector<TriedChange> tried(all.size());
    std::vector<char> is_legal(all.size());
    PiecesDone done(progress_, "changes", all.size());
    core::parallel_for(all.size(), [&](std::size_t i) {
      tried[i].moves = all[i];
      auto full = trials_.with(tried[i].settings(), false);
      is_legal[i] = full && objective_.fits(*full);
      if (full) tried[i].full = std::move(*full);
      done.one_more();
    });
    std::vector<TriedChange> kept;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!is_legal[i]) continue;
      ++changes_.num_tried;
      if (objective_.may_improve(tried[i].full)) kept.push_back(std::move(tried[i]));
    }
    std::ranges::stable_sort(kept, {}, [&](const TriedChange& one) {
      return std::tuple_cat(objective_.rank(one.full), std::tuple(one.moves.size()));
    });
    return kept;
  }

  [[nodiscard]] std::size_t num_simulated() const {
    const models::Inference& inference = trials_.own().inference;
    if (!inference.load) return kMostSimulated;
    const std::int64_t requests = std::max<std::int64_t>(inference.num_requests(), 1);
    return static_cast<std::size_t>(
        std::clamp(kRequestsOfChanges / requests, kFewestSimulated, kMostSimulated));
  }

  /// Keeps the best change of one key, and a pair that is worth its second key.
  void consider(const TriedChange& candidate, InferenceResult result) {
    auto gain = objective_.gain(result);
    if (!gain) return;
    const auto& best = changes_.best;
    const bool is_better = !best || (candidate.moves.size() > best->settings.size()
                                         ? objective_.is_worth_two(result, best->result)
                                     : candidate.moves.size() < best->settings.size()
                                         ? !objective_.is_worth_two(best->result, result)
                                         : objective_.rank(result) < objective_.rank(best->result));
    if (!is_better) return;
    gain->settings = candidate.settings();
    gain->result = std::move(result);
    best_moves_ = candidate.moves;
    changes_.best = std::move(gain);
  }

  void try_whole(std::span<const TriedChange> candidates) {
    std::vector<std::optional<InferenceResult>> results(candidates.size());
    PiecesDone done(progress_, "simulated", candidates.size());
    core::parallel_for(candidates.size(), [&](std::size_t i) {
      results[i] = trials_.with(candidates[i].settings(), true);
      done.one_more();
    });
    changes_.num_simulated += static_cast<int>(candidates.size());
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      if (results[i]) consider(candidates[i], std::move(*results[i]));
    }
  }

  /// Tries second moves on top of the best change of one key: those that were not promising enough
  /// before, and those that need not act with it.
  void try_on_top(const std::vector<ServiceMove>& moves, std::span<const TriedChange> others) {
    if (best_moves_.size() != 1) return;
    const ServiceMove first = best_moves_.front();
    std::vector<std::vector<ServiceMove>> alone;
    for (const ServiceMove& move : moves) {
      const bool was_tried = first.acts_with_others && move.acts_with_others;
      if (!was_tried && can_be_paired(first, move)) alone.push_back({first, move});
    }
    std::vector<TriedChange> second = promising(alone);
    for (const TriedChange& one : others) {
      const bool has_first = one.moves.size() == 2 && (one.moves[0].setting() == first.setting() ||
                                                       one.moves[1].setting() == first.setting());
      if (has_first) second.push_back(one);
    }
    try_whole(std::span(second).first(std::min(second.size(), num_simulated())));
  }

  const ServiceTrials& trials_;
  const ServiceObjective& objective_;
  const ProgressFunction& progress_;
  ServiceChangesTried changes_;
  std::vector<ServiceMove> best_moves_;
};

}  // namespace

ServiceChangesTried next_service_change(const core::Node& tree, const core::Catalogue& catalogue,
                                        const InferenceResult& own,
                                        const ProgressFunction& progress) {
  if (!own.feasible()) return {};
  const ServiceTrials trials(tree, catalogue);
  const ServiceObjective objective(trials.own().inference, own);
  return ChangeSearch(trials, objective, progress).run(own);
}

}  // namespace railwright::planner
