// SPDX-License-Identifier: Apache-2.0
// Services side by side, and the best of them.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "../words/number_text.hpp"
#include "../words/phrases.hpp"
#include "../words/result_text.hpp"
#include "difference_text.hpp"
#include "railwright/core/units/text.hpp"
#include "railwright/models/money/comparable_costs.hpp"
#include "railwright/output/text/text.hpp"
#include "railwright/output/text/verdict.hpp"
#include "verdict_lines.hpp"

namespace railwright::output {

namespace {

/// Designs per table in addition to the first, so that a line fits a terminal.
constexpr std::size_t kDesigns = 4;

std::string table_of(const planner::ServicesSideBySide& all, const std::vector<std::size_t>& shown,
                     const TextStyle& style) {
  std::vector<std::string> header = {""};
  for (const std::size_t i : shown) header.push_back(all.designs[i].name);
  Table table(std::move(header));
  for (const auto& number : simulation::serving_numbers()) {
    if (number.beside.text.empty()) continue;
    std::vector<std::string> cells = {std::string(number.beside.text)};
    bool any = false;
    for (const std::size_t i : shown) {
      const planner::ServiceDesign& design = all.designs[i];
      const simulation::InferenceResult& result = design.result;
      const simulation::NumberValue value =
          design.is_valid ? number.of(result) : simulation::NumberValue();
      const bool is_partial = result.cost && !result.cost->ownership.unpriced.empty();
      cells.push_back(value ? at_least(number.format, is_partial) +
                                  number_text(value.number(), number.format)
                            : "");
      any = any || value;
    }
    if (any) table.add_row(std::move(cells));
  }
  return table.text(style);
}

/// Compares the costs of a million tokens with the first design's, if both have prices.
std::string cost_of_tokens(const planner::ServicesSideBySide& all, std::size_t best) {
  const auto& of = all.designs[best].result.cost;
  const auto& first = all.designs.front().result.cost;
  if (best == 0 || !of || !first) return {};
  const std::array costs{&of->ownership, &first->ownership};
  const auto unpriced = models::unpriced_that_decide(costs, models::CostBasis::kWork);
  return fact("cost", unpriced.empty() ? fmt::format("{} a million output tokens, {} of the first",
                                                     money(of->per_million_tokens),
                                                     money(first->per_million_tokens))
                                       : not_comparable(unpriced));
}

std::string needs(const simulation::InferenceResult& result) {
  return fmt::format("{} ({} at work)", plural(result.num_nodes, "node"),
                     plural(result.num_accelerators, "accelerator"));
}

/// Rows of a search, with columns for the division of experts only if an entry divides them.
class ServingTable {
 public:
  ServingTable(const std::vector<planner::ServingEntry>& entries, bool is_numbered)
      : is_apart_(std::ranges::any_of(entries, has_prompts_apart)),
        has_experts_(std::ranges::any_of(entries, divides_experts)),
        has_stages_(std::ranges::any_of(entries, has_stages)),
        has_tokens_(std::ranges::any_of(entries,
                                        [&](const planner::ServingEntry& one) {
                                          return one.max_tokens != entries.front().max_tokens;
                                        })),
        has_runs_(std::ranges::any_of(entries, was_simulated)),
        table_(header()) {
    for (std::size_t i = 0; i < entries.size(); ++i) {
      add(is_numbered ? std::to_string(i + 1) : "", entries[i]);
    }
  }
  [[nodiscard]] std::string text(const TextStyle& style) const { return table_.text(style); }

 private:
  static bool divides_experts(const planner::ServingEntry& one) {
    return one.attention_dp || one.ep > 1;
  }
  static bool has_prompts_apart(const planner::ServingEntry& one) { return one.prefill_tp > 0; }
  static bool has_stages(const planner::ServingEntry& one) { return one.pp > 1; }
  static bool was_simulated(const planner::ServingEntry& one) { return one.result.run.has_value(); }

  [[nodiscard]] std::vector<std::string> header() const {
    std::vector<std::string> names = {""};
    if (is_apart_) names.emplace_back("prefill tp");
    names.emplace_back("tp");
    if (has_stages_) names.emplace_back("pp");
    if (has_experts_) names.insert(names.end(), {"attention dp", "ep"});
    if (has_tokens_) names.emplace_back("max tokens");
    names.insert(names.end(), {"batch", "accelerator tokens/s", "user tokens/s", "first token",
                               "accelerators", "nodes"});
    if (has_runs_) names.insert(names.end(), {"first token p99", "further p99"});
    return names;
  }

  void add(const std::string& name, const planner::ServingEntry& entry) {
    const simulation::InferenceResult& result = entry.result;
    std::vector<std::string> row = {name};
    if (is_apart_) {
      row.push_back(entry.prefill_tp > 0 ? std::to_string(entry.prefill_tp) : "-");
    }
    row.push_back(std::to_string(entry.tp));
    if (has_stages_) row.push_back(std::to_string(entry.pp));
    if (has_experts_) {
      row.insert(row.end(), {entry.attention_dp ? "yes" : "no", std::to_string(entry.ep)});
    }
    if (has_tokens_) row.push_back(std::to_string(entry.max_tokens));
    row.insert(
        row.end(),
        {fmt::format("{:.0f}", result.cycle.batch), grouped_value(result.accelerator_tokens_per_s),
         grouped_value(entry.user_tokens_per_s()), core::to_text(result.time_to_first_token()),
         std::to_string(result.num_accelerators), std::to_string(result.num_nodes)});
    if (has_runs_) {
      const auto& run = result.run;
      row.insert(row.end(), {run ? core::to_text(run->time_to_first_token.p99) : "",
                             run ? core::to_text(run->time_per_output_token.p99) : ""});
    }
    table_.add_row(std::move(row));
  }

  bool is_apart_;
  bool has_experts_;
  bool has_stages_;
  bool has_tokens_;
  bool has_runs_;
  Table table_;
};

/// Returns "tp 2, batch 96", with the division of experts if there is one.
std::string division_and_batch(const planner::ServingEntry& entry) {
  std::string text;
  if (entry.prefill_tp > 0) text = fmt::format("prefill_tp {}, ", entry.prefill_tp);
  text += fmt::format("tp {}", entry.tp);
  if (entry.pp > 1) text += fmt::format(", pp {}", entry.pp);
  if (entry.attention_dp) text += " with data-parallel attention";
  if (entry.ep > 1) text += fmt::format(", ep {}", entry.ep);
  return text + fmt::format(", batch {:.0f}", entry.result.cycle.batch);
}

/// Returns "tp 2, batch 48 needs 12 accelerators, 2 (20 %) more": the best where each replica does
/// both, against the best of the search.
std::string against_aggregated(const planner::ServingEntry& best,
                               const planner::ServingEntry& aggregated, bool has_rate) {
  const std::string name = division_and_batch(aggregated);
  const simulation::InferenceResult& result = aggregated.result;
  if (!result.feasible()) return name + ": " + result.infeasible.front();
  if (!has_rate) {
    const double rate = result.accelerator_tokens_per_s;
    const double ratio = rate / best.result.accelerator_tokens_per_s;
    return fmt::format("{}: {} output tokens/s of an accelerator, {} {}", name, grouped_value(rate),
                       percent(std::abs(ratio - 1.0)), ratio >= 1.0 ? "more" : "fewer");
  }
  const std::int64_t more = result.num_accelerators - best.result.num_accelerators;
  const double share =
      static_cast<double>(std::abs(more)) / static_cast<double>(best.result.num_accelerators);
  return fmt::format("{} needs {}, ", name, plural(result.num_accelerators, "accelerator")) +
         (more == 0 ? "as many"
                    : fmt::format("{} ({}) {}", std::abs(more), percent(share),
                                  more > 0 ? "more" : "fewer"));
}

}  // namespace

std::string verdict(const planner::ServicesSideBySide& result, const TextStyle& style) {
  const auto best = result.best();
  std::string text = title(plural(std::ssize(result.designs), "service"), 1, style);
  if (!best) {
    text += fact("verdict", strong("none of them carries the load", style, "1;31"));
  } else {
    const planner::ServiceDesign& design = result.designs[*best];
    text += fact("verdict", strong(design.name + " needs fewest nodes", style, "1;32"));
    text += fact("it needs", needs(design.result));
    if (*best > 0 && result.designs.front().result.feasible()) {
      text += fact("the first needs", needs(result.designs.front().result));
    }
    text += fact("limit", design.result.limit);
    text += cost_of_tokens(result, *best);
  }
  for (const planner::ServiceDesign& design : result.designs) {
    for (const std::string& why : design.result.infeasible) {
      text += fact(design.is_valid ? "does not fit" : "invalid", design.name + ": " + why);
    }
  }
  return text;
}

std::string to_text(const planner::ServicesSideBySide& result, const TextStyle& style) {
  std::string text;
  const std::size_t count = result.designs.size();
  for (std::size_t begin = 1; begin < count || begin == 1; begin += kDesigns) {
    std::vector<std::size_t> shown = {0};
    for (std::size_t i = begin; i < std::min(begin + kDesigns, count); ++i) shown.push_back(i);
    text += (begin > 1 ? "\n" : "") + table_of(result, shown, style);
  }
  return text;
}

std::string verdict(const planner::ServingSearchResult& result, const TextStyle& style) {
  const std::string tried =
      fmt::format("{} of the model, {} that fit memory, {} of them within the latencies",
                  plural(result.num_divisions, "division"),
                  result.num_points == 1 ? "1 batch" : grouped(result.num_points) + " batches",
                  grouped(result.num_in_time));
  std::string text = title(result.name, 1, style);
  if (result.best.empty()) {
    return text + fact("verdict", strong("nothing fits", style, "1;31") + ": " + result.why_none) +
           fact("tried", tried);
  }
  const planner::ServingEntry& best = result.best.front();
  const simulation::InferenceResult& of_best = best.result;
  text += fact("verdict",
               strong(division_and_batch(best), style, of_best.feasible() ? "1;32" : "1;31"));
  for (const std::string& why : of_best.infeasible) text += fact("does not fit", why);
  if (result.has_rate) text += fact("it needs", needs(of_best));
  text += fact("throughput", fmt::format("{} output tokens/s of an accelerator, {} of a user",
                                         grouped_value(of_best.accelerator_tokens_per_s),
                                         grouped_value(best.user_tokens_per_s())));
  if (of_best.run) {
    text += fact("latency", fmt::format("p99 {} to the first token, {} for each further one",
                                        core::to_text(of_best.run->time_to_first_token.p99),
                                        core::to_text(of_best.run->time_per_output_token.p99)));
  }
  if (result.aggregated) {
    text += fact("aggregated", against_aggregated(best, *result.aggregated, result.has_rate));
  } else if (best.prefill_tp > 0) {
    text += fact("aggregated", "no replica that does both fits and keeps the latencies");
  }
  return text + fact("tried", tried);
}

std::string to_text(const planner::ServingSearchResult& result, const TextStyle& style) {
  std::string text;
  if (!result.best.empty()) {
    text += ServingTable(result.best, true).text(style);
    text += fmt::format("\nthe best:{}\n", settings_text(result.best.front().settings));
  }
  if (result.front.empty()) return text;
  return text + "\nWhat no other one beats in tokens/s of a user and of an accelerator:\n\n" +
         ServingTable(result.front, false).text(style);
}

}  // namespace railwright::output
