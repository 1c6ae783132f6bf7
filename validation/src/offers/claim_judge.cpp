// SPDX-License-Identifier: Apache-2.0
#include "claim_judge.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "../suites/expression.hpp"
#include "../suites/suite.hpp"
#include "open_settings.hpp"
#include "railwright/core/units/text.hpp"
#include "railwright/simulation/scenario/with_settings.hpp"

namespace railwright::validation {

namespace {

/// Settings that are named where each of several makes a claim hold.
constexpr std::size_t kMaxNamed = 3;

/// Outputs that are inverse to a step's time.
constexpr auto kOfRate = std::to_array<std::string_view>(
    {"tokens_per_s", "samples_per_s", "model_flops_utilization", "hardware_flops_utilization"});
/// Outputs that are a step's time, or many of them.
constexpr auto kOfTime = std::to_array<std::string_view>({"step_time_s", "training_time_s"});

bool is_among(std::string_view output, const auto& names) {
  return std::ranges::find(names, output) != names.end();
}

class ClaimJudge {
 public:
  ClaimJudge(const OfferedClaim& claim, const ValidationCase& row,
             const std::map<std::string, core::Node>& scenarios, const core::Catalogue& catalogue)
      : claim_(claim), row_(row), scenarios_(scenarios), catalogue_(catalogue) {
    const auto known = scenarios.find(claim.scenario);
    if (known != scenarios.end()) tree_ = known->second;
    core::QuantityError ignored;
    exponents_ = core::parse_quantity(claim.published.text, ignored)->exponents;
    made_.words = name_of(claim);
    made_.says = claim.published.text;
    made_.figures = row;
    if (row.predicted) made_.computed = text_of(*row.predicted);
  }

  CheckedClaim run() {
    if (row_.predicted && row_.reason.empty() && meets(*row_.predicted)) return std::move(made_);
    if (!row_.reason.empty() && !claim_.output.empty()) return refuted(row_.reason);
    if (claim_.output.empty()) return judged_expression();
    try_settings();
    try_numbers();
    try_site();
    if (!ways_.empty()) return depends(fmt::format("holds {}", fmt::join(first_ways(), "; or ")));
    return try_all();
  }

 private:
  /// A change of what is left open, and what the claim's output becomes.
  struct Move {
    std::string setting;
    core::Node tree;
    std::optional<double> becomes;
  };

  [[nodiscard]] std::string text_of(double value) const {
    const bool has_unit = std::ranges::any_of(exponents_, [](int e) { return e != 0; });
    return has_unit ? core::format_quantity(value, exponents_) : fmt::format("{:.4g}", value);
  }

  [[nodiscard]] bool meets(double value) const {
    const double error = value / row_.published - 1.0;
    ValidationCase with = row_;
    with.relative_error = bounded_error(error, claim_.bound);
    return agrees(with);
  }

  [[nodiscard]] bool is_better(double value, double than) const {
    if (claim_.bound == Bound::kAtLeast) return value > than;
    if (claim_.bound == Bound::kAtMost) return value < than;
    return std::abs(value - row_.published) < std::abs(than - row_.published);
  }

  CheckedClaim refuted(std::string why) {
    made_.verdict = OfferVerdict::kCannotHold;
    made_.why = std::move(why);
    return std::move(made_);
  }

  CheckedClaim depends(std::string why) {
    made_.verdict = OfferVerdict::kDependsOn;
    made_.why = std::move(why);
    return std::move(made_);
  }

  [[nodiscard]] std::vector<std::string> first_ways() const {
    return {ways_.begin(),
            ways_.begin() + static_cast<std::ptrdiff_t>(std::min(ways_.size(), kMaxNamed))};
  }

  std::vector<std::optional<double>> predict(std::vector<core::Node> trees) const {
    std::vector<std::optional<double>> values(trees.size());
    Suite suite{.name = "trials"};
    for (std::size_t i = 0; i < trees.size(); ++i) {
      Claim trial = claim_;
      trial.id = std::to_string(i);
      trial.scenario = trial.id;
      trial.set.clear();
      trial.checks.clear();
      suite.scenarios.emplace(trial.id, std::move(trees[i]));
      suite.cases.push_back(std::move(trial));
    }
    try {
      for (const ValidationCase& one : run_suite(std::move(suite), {}, catalogue_).cases) {
        values[static_cast<std::size_t>(std::stoul(one.id))] = one.predicted;
      }
    } catch (const core::ConfigError&) {
      return values;  // none of them can be read
    }
    return values;
  }

  std::vector<Move> made_moves(std::vector<Move> moves) const {
    std::vector<core::Node> trees;
    for (const Move& move : moves) trees.push_back(move.tree);
    if (trees.empty()) return moves;
    const auto values = predict(std::move(trees));
    for (std::size_t i = 0; i < moves.size(); ++i) moves[i].becomes = values[i];
    return moves;
  }

  void keep_if_better(const Move& move) {
    if (!move.becomes) return;
    if (row_.predicted && !is_better(*move.becomes, *row_.predicted)) return;
    const std::string key = move.setting.substr(0, move.setting.find('='));
    const auto same = std::ranges::find_if(
        better_, [&](const Move& other) { return other.setting.starts_with(key + "="); });
    if (same == better_.end()) {
      better_.push_back(move);
    } else if (is_better(*move.becomes, *same->becomes)) {
      *same = move;
    }
  }

  void try_settings() {
    const std::vector<OpenSetting> open = open_settings(tree_, catalogue_);
    std::vector<Move> moves;
    for (const OpenSetting& one : open) {
      moves.push_back({one.setting, simulation::with_settings(tree_, {one.setting}), {}});
    }
    moves = made_moves(std::move(moves));
    for (std::size_t i = 0; i < moves.size(); ++i) {
      keep_if_better(moves[i]);
      if (!moves[i].becomes || !meets(*moves[i].becomes)) continue;
      ways_.push_back(fmt::format("with {}: {} (not stated; taken as {})", moves[i].setting,
                                  text_of(*moves[i].becomes), open[i].taken));
      made_.settings.push_back(moves[i].setting);
    }
  }

  void try_numbers() {
    const auto numbers = simulation::ranged_numbers(tree_, catalogue_);
    std::vector<Move> ends;
    for (const simulation::RangedNumber& one : numbers) {
      for (const core::Node* end : {&one.low, &one.high}) {
        ends.push_back({fmt::format("{}={}", one.path, end->text),
                        simulation::with_number(tree_, one, *end),
                        {}});
      }
    }
    for (const Move& move : made_moves(std::move(ends))) keep_if_better(move);
    for (const simulation::RangedNumber& one : numbers) {
      const bool helps = std::ranges::any_of(better_, [&](const Move& move) {
        return move.setting.starts_with(one.path + "=") && meets(*move.becomes);
      });
      if (!helps) continue;
      const auto value = value_that_meets(one, [&](const core::Node& tried) {
        const auto becomes = predict({simulation::with_number(tree_, one, tried)}).front();
        return becomes && meets(*becomes);
      });
      if (value) add_number(one, *value);
    }
  }

  /// Adds a number within its range as a way to hold.
  void add_number(const simulation::RangedNumber& number, const core::Node& value) {
    core::QuantityError ignored;
    const auto quantity = core::parse_quantity(value.text, ignored);
    const std::string rounded = core::format_quantity(quantity->base, quantity->exponents);
    ways_.push_back(fmt::format("with {} of {}, which is known only as {} to {} (taken as {})",
                                number.path, rounded, number.low.text, number.high.text,
                                number.value.text));
    made_.settings.push_back(fmt::format("{}={}", number.path, rounded));
  }

  /// Returns what the claim's expression comes to with a value in place of an operand.
  [[nodiscard]] double with_operand(const simulation::RangedNumber& number,
                                    const core::Node& value) const {
    std::string text = claim_.is;
    for (std::size_t at = text.find(number.path); at != std::string::npos;
         at = text.find(number.path, at + value.text.size())) {
      text.replace(at, number.path.size(), value.text);
    }
    static const std::map<std::string, RunClaim> kNoClaims;
    return evaluate_expression(text, {catalogue_, scenarios_, kNoClaims}).value;
  }

  /// Judges a claim that is computed from an expression, by the ranges of its values.
  CheckedClaim judged_expression() {
    std::optional<double> best = row_.predicted;
    std::string with;
    for (const simulation::RangedNumber& one : ranged_operands(claim_.is, catalogue_)) {
      const auto value = value_that_meets(
          one, [&](const core::Node& tried) { return meets(with_operand(one, tried)); });
      if (value) add_number(one, *value);
      for (const core::Node* end : {&one.low, &one.high}) {
        const double becomes = with_operand(one, *end);
        if (!best || is_better(becomes, *best)) {
          best = becomes;
          with = fmt::format("{} at {}", one.path, end->text);
        }
      }
    }
    if (!ways_.empty()) return depends(fmt::format("holds {}", fmt::join(ways_, "; or ")));
    return refuted(with.empty() ? fmt::format("{} comes to {}", claim_.is, made_.computed)
                                : fmt::format("at best {}, with {}", text_of(*best), with));
  }

  /// Returns what a site as fast as one in ten makes of a value.
  [[nodiscard]] std::optional<double> at_fast_site(double value) const {
    if (!row_.step || claim_.combine != Combine::kNone) return {};
    const double share = row_.step->low / row_.step->time;
    if (is_among(claim_.output, kOfTime)) return value * share;
    if (is_among(claim_.output, kOfRate)) return value / share;
    return {};
  }

  void try_site() {
    if (!row_.predicted) return;
    const auto fast = at_fast_site(*row_.predicted);
    if (!fast || !meets(*fast)) return;
    const double needed = row_.published / *row_.predicted;
    const double shorter = is_among(claim_.output, kOfTime) ? needed : 1.0 / needed;
    ways_.push_back(fmt::format(
        "at a site whose step takes {:.2f} of what is computed; eight of ten take {:.2f} "
        "to {:.2f}",
        shorter, row_.step->low / row_.step->time, row_.step->high / row_.step->time));
  }

  /// Says what the claimed rate asks of each storage node.
  [[nodiscard]] std::string of_each_node() const {
    const bool is_rate = claim_.output.starts_with("storage.") &&
                         claim_.output.ends_with("bytes_per_s") && row_.predicted;
    const core::Node* count = core::find_path(tree_, "cluster.storage.count");
    core::QuantityError ignored;
    const auto nodes = is_rate && count != nullptr ? core::parse_quantity(count->text, ignored)
                                                   : std::optional<core::ParsedQuantity>();
    if (!nodes) return {};
    return fmt::format("; {} is {} of each of {} storage nodes, which give {}",
                       claim_.published.text, text_of(row_.published / nodes->base), count->text,
                       text_of(*row_.predicted / nodes->base));
  }

  /// Says what the claimed figure asks of each accelerator, if that is more than its peak.
  [[nodiscard]] std::string over_peak() const {
    if (!row_.training || !row_.predicted || !row_.step || row_.training->peak_rate == 0.0)
      return {};
    double seconds = 0.0;
    if (is_among(claim_.output, kOfTime)) {
      seconds = row_.step->time.base() * row_.published / *row_.predicted;
    } else if (is_among(claim_.output, kOfRate)) {
      seconds = row_.step->time.base() * *row_.predicted / row_.published;
    } else {
      return {};
    }
    const double rate = row_.training->work_per_step / (seconds * row_.training->num_accelerators);
    if (rate <= row_.training->peak_rate) return {};
    return fmt::format("; in {} it needs {:.0f} TFLOP/s of each accelerator's {:.0f}",
                       core::to_string(row_.training->traits.precision), rate / 1e12,
                       row_.training->peak_rate / 1e12);
  }

  /// Tries all that helps together, at a fast site.
  CheckedClaim try_all() {
    core::Node together = tree_;
    std::vector<std::string> settings;
    for (const Move& move : better_) {
      together = simulation::with_settings(std::move(together), {move.setting});
      settings.push_back(move.setting);
    }
    std::optional<double> best = row_.predicted;
    if (!settings.empty()) best = predict({together}).front();
    for (const Move& move : better_) {
      if (best && !is_better(*move.becomes, *best)) continue;
      best = move.becomes;
      settings = {move.setting};
    }
    if (!best) return refuted(fmt::format("does not fit: {}", fmt::join(row_.misfits, "; ")));
    const auto fast = at_fast_site(*best);
    std::string with = fmt::format("{}", fmt::join(settings, ", "));
    if (fast)
      with += with.empty() ? "a site as fast as one in ten" : " and a site as fast as one in ten";
    const double most = fast.value_or(*best);
    if (meets(most)) return depends(fmt::format("holds only with {}: {}", with, text_of(most)));
    const std::string why = with.empty() ? "nothing that the offer leaves open changes it"
                                         : fmt::format("at best {}, with {}", text_of(most), with);
    return refuted(why + of_each_node() + over_peak());
  }

  const OfferedClaim& claim_;
  const ValidationCase& row_;
  const std::map<std::string, core::Node>& scenarios_;
  core::Node tree_;  ///< the claim's scenario; empty where it has an expression
  const core::Catalogue& catalogue_;
  core::Exponents exponents_{};
  CheckedClaim made_;
  std::vector<std::string> ways_;  ///< each makes the claim hold alone
  std::vector<Move> better_;       ///< the best value of each thing that helps
};

}  // namespace

std::string name_of(const OfferedClaim& claim) {
  return claim.words.empty() ? claim.id : claim.words;
}

Bound wanted_of(std::string_view output, const core::Exponents& exponents) {
  constexpr auto kMore = std::to_array<std::string_view>(
      {"busy_fraction", "effective_training_time", "fabric.ports_free"});
  const bool is_amount = exponents[1] + exponents[2] > 0;  // of bytes or FLOPs, also a second
  const bool is_rate = output.ends_with("_per_s") || is_among(output, kOfRate);
  const bool is_memory = output.starts_with("memory") || output.ends_with("checkpoint_bytes");
  const bool is_more = (is_amount && !is_memory) || is_rate || is_among(output, kMore);
  return is_more ? Bound::kAtLeast : Bound::kAtMost;
}

CheckedClaim judged_claim(const OfferedClaim& claim, const ValidationCase& row,
                          const std::map<std::string, core::Node>& scenarios,
                          const core::Catalogue& catalogue) {
  return ClaimJudge(claim, row, scenarios, catalogue).run();
}

}  // namespace railwright::validation
