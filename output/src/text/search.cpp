// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "../words/number_text.hpp"
#include "../words/phrases.hpp"
#include "railwright/core/units/text.hpp"
#include "railwright/output/text/text.hpp"
#include "railwright/output/text/verdict.hpp"
#include "training_text.hpp"
#include "verdict_lines.hpp"

namespace railwright::output {

namespace {

class EntryTable {
 public:
  explicit EntryTable(simulation::Objective objective)
      : objective_(objective), table_(header(objective)) {
    table_.align_left(11);
    table_.align_left(header(objective).size() - 1);
  }

  void add(const std::string& name, const planner::SearchEntry& entry) {
    const simulation::Configuration& c = entry.configuration;
    const auto number = [](auto n) { return std::to_string(n); };
    std::vector<std::string> row = {name,
                                    number(c.tp),
                                    number(c.cp),
                                    number(c.pp),
                                    number(c.virtual_stages),
                                    number(entry.dp),
                                    number(c.ep),
                                    number(c.micro_batch),
                                    number(c.global_batch),
                                    number(c.zero_stage),
                                    c.sequence_parallel ? "yes" : "no",
                                    std::string(core::to_string(c.recompute)),
                                    core::memory_text(entry.estimate.memory),
                                    core::to_text(entry.estimate.step_time),
                                    entry.simulated ? core::to_text(*entry.simulated) : "",
                                    fmt::format("{:.4g}", entry.samples_per_s())};
    if (objective_ == simulation::Objective::kEnergy) {
      row.push_back(core::to_text(core::Energy::from_base(entry.value_per_sample)));
    } else if (objective_ == simulation::Objective::kCost) {
      row.push_back(fmt::format("{:.4g} USD", 1e3 * entry.value_per_sample));
    }
    row.push_back(order_of(entry));
    table_.add_row(std::move(row));
  }
  [[nodiscard]] std::string text(const TextStyle& style) const { return table_.text(style); }

 private:
  static std::vector<std::string> header(simulation::Objective objective) {
    std::vector<std::string> names = {"",       "tp",    "cp",        "pp",       "v",  "dp",
                                      "ep",     "micro", "batch",     "ZeRO",     "sp", "recompute",
                                      "memory", "step",  "simulated", "samples/s"};
    if (objective == simulation::Objective::kEnergy) names.emplace_back("a sample");
    if (objective == simulation::Objective::kCost) names.emplace_back("1000 samples");
    names.emplace_back("rank_order");
    return names;
  }
  static std::string order_of(const planner::SearchEntry& entry) {
    std::string text = entry.rank_order;
    if (!entry.variant.empty()) text += ", " + entry.variant;
    return text;
  }

  simulation::Objective objective_;
  Table table_;
};

std::string counts_text(const planner::SearchCounts& counts) {
  return fmt::format(
      "best of {} that fit into memory, of {} legal combinations: {} evaluated, the others pruned "
      "by a lower bound on step time",
      grouped(counts.fitting), grouped(counts.legal), grouped(counts.estimated));
}

/// Returns "tp 1 x cp 2 x pp 1 x dp 8, micro-batch 3: step 6.79 s (simulated), 21.2 samples/s".
std::string best_text(const planner::SearchEntry& best) {
  const simulation::Configuration& c = best.configuration;
  std::string text = fmt::format("tp {} x cp {} x pp {} x dp {}", c.tp, c.cp, c.pp, best.dp);
  if (c.ep > 1) text += fmt::format(", ep {}", c.ep);
  if (c.virtual_stages > 1) text += fmt::format(", {} virtual stages", c.virtual_stages);
  return text + fmt::format(", micro-batch {}: step {} ({}), {} samples/s", c.micro_batch,
                            core::to_text(best.step_time()),
                            best.simulated ? "simulated" : "estimate",
                            grouped_value(best.samples_per_s()));
}

std::string gain_text(const planner::SearchResult& result) {
  if (!result.own) return "the scenario's own settings do not fit";
  const double gain = result.best.front().samples_per_s() / result.own->samples_per_s() - 1.0;
  return fmt::format("{} samples/s over the scenario's own settings", signed_percent(gain));
}

std::string nothing_fits(const planner::SearchResult& result) {
  if (!result.min_memory) return "no combination divides";
  const planner::SearchEntry& least = *result.min_memory;
  return fmt::format("the least memory an accelerator needs is {}, {} more than it has, with\n {}",
                     core::memory_text(least.estimate.memory),
                     core::memory_text(least.estimate.memory - result.memory_capacity),
                     settings_text(least.settings));
}

}  // namespace

std::string verdict(const planner::SearchResult& result, const TextStyle& style) {
  std::string text =
      title(fmt::format("{}: {} accelerators of {}", result.name, result.num_accelerators,
                        core::memory_text(result.memory_capacity)),
            1, style);
  if (!result.feasible()) {
    return text +
           fact("verdict", strong("nothing fits", style, "1;31") + ": " + nothing_fits(result)) +
           fact("tried", counts_text(result.counts));
  }
  const planner::SearchEntry& best = result.best.front();
  text += fact("verdict", strong(best_text(best), style, "1;32"));
  text += fact("gain", gain_text(result));
  const bool knows_sites = result.step_time_low < result.step_time_high;
  text += fact("80 % interval",
               knows_sites ? fmt::format("a step takes {} (spread between sites)",
                                         core::range_text(best.step_time() * result.step_time_low,
                                                          best.step_time() * result.step_time_high))
                           : "none: the spread between sites is not known");
  text += fact("memory", memory_bar(best.estimate.memory, result.memory_capacity));
  text += fact("tried", counts_text(result.counts));
  if (result.basis) text += fact("trust", in_lines(basis_text(*result.basis), 2));
  return text;
}

std::string to_text(const planner::SearchResult& result, const TextStyle& style) {
  if (!result.feasible()) return {};
  EntryTable table(result.objective);
  for (std::size_t i = 0; i < result.best.size(); ++i) {
    table.add(std::to_string(i + 1), result.best[i]);
  }
  if (result.own) table.add("as it is", *result.own);
  std::string text = table.text(style);
  text +=
      fmt::format("\nthe best:{}\n{}\n", settings_text(result.best.front().settings), kBestOfMany);
  if (result.front.empty()) return text;
  EntryTable front(result.objective);
  for (const planner::SearchEntry& entry : result.front) front.add("", entry);
  return text + "\nWhat no other one beats in both time and memory:\n\n" + front.text(style);
}

}  // namespace railwright::output
