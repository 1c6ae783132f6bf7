// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/next_change/next_service_change.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <tuple>

#include "railwright/core/error.hpp"
#include "railwright/core/parallel_for.hpp"
#include "railwright/planner/next_change/next_change.hpp"
#include "service_moves.hpp"

namespace railwright::planner {

namespace {

using core::Duration;
using simulation::CheckedInference;
using simulation::InferenceResult;
using SettingList = std::vector<std::string>;

/// Requests that are simulated for changes, at most; a few changes are tried however many it has.
constexpr std::int64_t kRequestsOfChanges = 40'000;
constexpr std::int64_t kFewestSimulated = 3;
constexpr std::int64_t kMostSimulated = 24;

/// Relative differences below this are rounding.
constexpr double kSameNumber = 1e-9;

/// Which change of two services is better, and what it improves.
class ServiceObjective {
 public:
  ServiceObjective(const models::Inference& inference, const InferenceResult& own)
      : inference_(inference), own_(own), wanted_(inference.wanted_requests_per_s()) {}

  [[nodiscard]] bool has_load() const { return wanted_ > 0.0 || inference_.load; }

  /// Whether full batches fit; on the nodes there are, where these follow from them.
  [[nodiscard]] bool fits(const InferenceResult& full) const {
    return full.feasible() || (has_given_replicas() && full.num_nodes > 0);
  }
  /// Whether a service could improve on the scenario's, by its full batches: requests that wait for
  /// each other need no fewer accelerators. Given replicas may need fewer than full batches.
  [[nodiscard]] bool may_improve(const InferenceResult& full) const {
    return fits(full) && (has_given_replicas() || needs_no_more(full));
  }

  /// Returns what a service improves; nothing if that is less than kMinSaving, or if it is worse in
  /// anything that is counted.
  [[nodiscard]] std::optional<NextServiceChange> gain(const InferenceResult& with) const {
    if (!with.feasible() || !needs_no_more(with) || !carries_as_much(with)) return {};
    if (!has_load()) {
      return at_least_min(ServiceGain::kThroughput,
                          with.accelerator_tokens_per_s / own_.accelerator_tokens_per_s - 1.0);
    }
    if (is_at_once()) {
      return at_least_min(ServiceGain::kDuration, 1.0 - with.run->duration / own_.run->duration);
    }
    // Where the scenario fixes the replicas, or starts them by the requests, fewer accelerators are
    // slower ones unless the latencies show that they are not.
    if (has_given_replicas() && !is_as_fast(with)) return {};
    if (with.num_nodes < own_.num_nodes) {
      return made(ServiceGain::kNodes, saved(with.num_nodes, own_.num_nodes));
    }
    if (with.num_accelerators < own_.num_accelerators) {
      return made(ServiceGain::kAccelerators, saved(with.num_accelerators, own_.num_accelerators));
    }
    if (!is_as_fast(with)) return {};
    return at_least_min(ServiceGain::kLatency, 1.0 - answer(with) / answer(own_));
  }

  /// Returns the order of services by the objective, lower for better.
  [[nodiscard]] auto rank(const InferenceResult& one) const {
    const bool counts = has_load() && !is_at_once();
    const double value = !has_load()               ? -one.accelerator_tokens_per_s
                         : is_at_once() && one.run ? one.run->duration.base()
                         : is_at_once()            ? -one.accelerator_tokens_per_s
                                                   : answer(one).base();
    return std::tuple(counts ? one.num_nodes : 0, counts ? one.num_accelerators : 0, value);
  }

  /// Whether `two`, a change of two keys, is enough better than `one`.
  [[nodiscard]] bool is_worth_two(const InferenceResult& two, const InferenceResult& one) const {
    const auto [nodes, accelerators, value] = rank(two);
    const auto [least_nodes, least_accelerators, least] = rank(one);
    if (nodes != least_nodes) return nodes < least_nodes;
    if (accelerators != least_accelerators) return accelerators < least_accelerators;
    return value < least - kMinSaving * std::abs(least);
  }

 private:
  static double saved(std::int64_t with, std::int64_t own) {
    return 1.0 - static_cast<double>(with) / static_cast<double>(own);
  }
  static NextServiceChange made(ServiceGain gain, double share) {
    return {.settings = {}, .gain = gain, .share = share, .result = {}};
  }
  static std::optional<NextServiceChange> at_least_min(ServiceGain gain, double share) {
    if (share < kMinSaving) return {};
    return made(gain, share);
  }

  [[nodiscard]] bool is_at_once() const {
    return inference_.load && inference_.load->comes_at_once();
  }
  [[nodiscard]] bool has_given_replicas() const {
    const auto& apart = inference_.disaggregated;
    return (inference_.load && (inference_.load->replicas || inference_.load->autoscaling ||
                                inference_.load->comes_at_once())) ||
           (apart && (apart->prefill_replicas || apart->decode_replicas));
  }
  /// A replica may be larger where no load is wanted, which counts tokens/s of an accelerator.
  [[nodiscard]] bool needs_no_more(const InferenceResult& with) const {
    return with.num_nodes <= own_.num_nodes &&
           (!has_load() || with.num_accelerators <= own_.num_accelerators);
  }
  [[nodiscard]] bool carries_as_much(const InferenceResult& with) const {
    const double least = std::min(wanted_, own_.requests_per_s());
    return with.requests_per_s() >= least * (1.0 - kSameNumber);
  }

  [[nodiscard]] Duration answer(const InferenceResult& one) const {
    return time_of_answer(one, inference_.output_tokens);
  }
  /// Whether no latency that the verdict prints is longer than the scenario's.
  [[nodiscard]] bool is_as_fast(const InferenceResult& with) const {
    const auto holds = [](Duration time, Duration own) {
      return time <= own * (1.0 + kSameNumber);
    };
    if (with.run.has_value() != own_.run.has_value()) return false;
    if (!with.run) {
      return holds(with.time_to_first_token(), own_.time_to_first_token()) &&
             holds(with.time_per_output_token(), own_.time_per_output_token());
    }
    const auto both = [&](const simulation::Percentiles& times,
                          const simulation::Percentiles& own) {
      return holds(times.p50, own.p50) && holds(times.p99, own.p99);
    };
    return both(with.run->time_to_first_token, own_.run->time_to_first_token) &&
           both(with.run->time_per_output_token, own_.run->time_per_output_token);
  }

  const models::Inference& inference_;
  const InferenceResult& own_;
  double wanted_;
};

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

core::Duration time_of_answer(const InferenceResult& result, int output_tokens) {
  const double further = output_tokens - 1.0;
  if (!result.run) {
    return result.time_to_first_token() + result.time_per_output_token() * further;
  }
  return result.run->time_to_first_token.p99 + result.run->time_per_output_token.p99 * further;
}

ServiceChangesTried next_service_change(const core::Node& tree, const core::Catalogue& catalogue,
                                        const InferenceResult& own,
                                        const ProgressFunction& progress) {
  if (!own.feasible()) return {};
  const ServiceTrials trials(tree, catalogue);
  const ServiceObjective objective(trials.own().inference, own);
  return ChangeSearch(trials, objective, progress).run(own);
}

}  // namespace railwright::planner
