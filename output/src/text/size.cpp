// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "../words/number_text.hpp"
#include "../words/phrases.hpp"
#include "../words/ranges_text.hpp"
#include "difference_text.hpp"
#include "railwright/core/units/text.hpp"
#include "railwright/output/text/text.hpp"
#include "railwright/output/text/verdict.hpp"
#include "training_text.hpp"
#include "verdict_lines.hpp"

namespace railwright::output {

namespace {

/// Chances up to this are a bet: the answer says how to ask for more.
constexpr double kEvenOdds = 0.5;

using core::to_text;

std::string configuration_text(const planner::SizedCluster& cluster) {
  const simulation::Configuration& c = cluster.configuration.configuration;
  std::string text = fmt::format("tp {} x pp {} x dp {}", c.tp, c.pp, cluster.configuration.dp);
  if (c.cp > 1) text += fmt::format(" x cp {}", c.cp);
  if (c.ep > 1) text += fmt::format(", ep {}", c.ep);
  if (c.virtual_stages > 1) text += fmt::format(", {} virtual stages", c.virtual_stages);
  return text + fmt::format(", micro-batch {}, global batch {}, recompute {}", c.micro_batch,
                            c.global_batch, core::to_string(c.recompute));
}

std::string racks_text(const planner::Racks& racks) {
  return fmt::format("{}, {} with {} nodes each and {} with all else; up to {}", racks.count(),
                     racks.of_nodes, racks.nodes_per_rack, racks.of_others, to_text(racks.largest));
}

/// Formats the parts to buy, with spare nodes on lines of their own.
std::string bill_text(const planner::SizedCluster& cluster, const TextStyle& style) {
  Table table({"part", "kind", "count"});
  table.align_left(1);
  for (const core::Part& part : cluster.result.parts.parts) {
    // These follow below, by tier, with the devices that they connect.
    if (part.kind == "switch" || part.kind == "cable") continue;
    table.add_row({part.name, words(part.kind), std::to_string(part.count)});
    if (part.kind == "node" && cluster.num_spares > 0) {
      table.add_row({part.name, "spare node", std::to_string(cluster.num_spares)});
    }
  }
  for (const core::SwitchTier& tier : cluster.result.parts.fabric.switches) {
    table.add_row({tier.model, tier.name + " switch", std::to_string(tier.count)});
  }
  for (const core::CableRun& run : cluster.result.parts.fabric.cables) {
    table.add_row(
        {run.cable.empty() ? fmt::format("no product of {}", to_text(run.rate)) : run.cable,
         fmt::format("cable, {} to {}", run.from, run.to), std::to_string(run.count)});
  }
  return table.text(style) + split_text(cluster.result.parts.fabric);
}

bool is_partial(const planner::SizedCluster& cluster) {
  return cluster.result.cost && !cluster.result.cost->ownership.unpriced.empty();
}

std::string cost_words(const simulation::RunCost& cost) {
  const bool is_partial = !cost.ownership.unpriced.empty();
  return fmt::format("{}{} of ownership, {} for the run{}", is_partial ? "at least " : "",
                     money(cost.ownership.total()), money(cost.run),
                     is_partial ? "; without the parts below" : "");
}

/// Returns "14.2 trillion tokens".
std::string tokens_text(double tokens) {
  constexpr auto kScales = std::to_array<std::pair<double, const char*>>(
      {{1e12, "trillion"}, {1e9, "billion"}, {1e6, "million"}});
  for (const auto& [scale, name] : kScales) {
    if (tokens < scale) continue;
    const double count = tokens / scale;
    const std::string text =
        count < 1000.0 ? fmt::format("{:.3g}", count) : grouped(std::llround(count));
    return fmt::format("{} {} tokens", text, name);
  }
  return fmt::format("{:.0f} tokens", tokens);
}

/// Returns how long the training takes, and how likely it keeps a deadline if there is one.
std::string training_time_text(const planner::SizedCluster& cluster,
                               const planner::SizingResult& of) {
  std::string text = fmt::format("{} in the mean, {} at {:.0f} % confidence",
                                 to_text(cluster.result.run.job().training_time()),
                                 to_text(cluster.training_time), 100.0 * of.confidence);
  if (of.has_deadline()) {
    text += fmt::format("; {:.0f} % probability of meeting the deadline",
                        100.0 * cluster.deadline_probability);
  } else if (cluster.tokens > 0.0) {
    text += fmt::format("; {}", tokens_text(cluster.tokens));
  }
  return text;
}

std::string cluster_text(const planner::SizedCluster& cluster, const planner::SizingResult& of,
                         const TextStyle& style) {
  const simulation::SimulationResult& result = cluster.result;
  std::string text;
  text += fact("nodes", fmt::format("{}, {} accelerators, {} spare", cluster.num_nodes,
                                    result.num_accelerators, cluster.num_spares));
  text += fact("configuration", configuration_text(cluster));
  text += fact("training time", training_time_text(cluster, of));
  text += fact("step time", fmt::format("{}, {} steps, model FLOPs utilization {:.1f} %",
                                        to_text(result.step_time), result.steps,
                                        100.0 * result.model_flops_utilization));
  if (cluster.num_storage_nodes > 0) {
    const simulation::JobRun& run = result.run.job();
    text += fact("storage nodes",
                 fmt::format("{}; a checkpoint in {}, read back in {}", cluster.num_storage_nodes,
                             to_text(run.checkpoint.time), to_text(run.restore.time)));
  }
  text += fact("racks", racks_text(cluster.racks));
  text += fact("power",
               fmt::format("{} mean, {} peak, {} for the run", to_text(result.power->mean_power()),
                           to_text(cluster.power()), to_text(result.power->total_energy())));
  if (result.cost) {
    text += fact("cost", cost_words(*result.cost));
    for (const models::Purchase& one : result.cost->ownership.unpriced) {
      text += fact("without a price", fmt::format("{} x {}", one.count, one.name));
    }
  }
  return text + "\n" + bill_text(cluster, style);
}

std::string sized_text(const planner::Sized& sized, const planner::SizingResult& of,
                       const TextStyle& style) {
  std::string text = fact("decided by", sized.binds);
  for (const planner::StepDown& step : sized.steps_down) {
    text += fact("", fmt::format("{}: {}", step.what, step.misses));
  }
  text += hangs_on_text(sized.cluster.hangs_on);
  return text + cluster_text(sized.cluster, of, style);
}

/// Says what the chosen cluster is the first in.
const char* word_of_choice(const planner::SizingResult& result) {
  if (result.find == simulation::Sought::kSoonest) return "soonest";
  if (result.find == simulation::Sought::kMostTokens) return "most tokens";
  return result.is_by_cost() ? "cheapest" : "fewest nodes";
}

const char* heading_of_choice(const planner::SizingResult& result) {
  if (result.find == simulation::Sought::kSoonest) return "Soonest";
  if (result.find == simulation::Sought::kMostTokens) return "Most tokens";
  if (result.is_by_cost()) return "Cheapest";
  return result.has_cost ? "Fewest nodes" : "Fewest nodes, as no prices are given";
}

std::string options_table(const planner::SizingResult& result, const TextStyle& style) {
  const std::string at_confidence = fmt::format("at {:.0f} %", 100.0 * result.confidence);
  std::vector<std::string> header = {"parts",
                                     "nodes",
                                     "spare",
                                     "storage",
                                     "mean time",
                                     at_confidence,
                                     result.has_deadline() ? "in time" : "tokens",
                                     "racks",
                                     "peak power"};
  if (result.has_cost) header.emplace_back("cost");
  header.emplace_back("");
  const char* chosen = word_of_choice(result);
  Table table(header);
  table.align_left(header.size() - 1);
  for (std::size_t i = 0; i < result.sized.size(); ++i) {
    const planner::SizedCluster& cluster = result.sized[i].cluster;
    std::vector<std::string> row = {
        cluster.option,
        std::to_string(cluster.num_nodes),
        std::to_string(cluster.num_spares),
        std::to_string(cluster.num_storage_nodes),
        to_text(cluster.result.run.job().training_time()),
        to_text(cluster.training_time),
        result.has_deadline() ? fmt::format("{:.0f} %", 100.0 * cluster.deadline_probability)
                              : fmt::format("{:.4g}", cluster.tokens),
        std::to_string(cluster.racks.count()),
        to_text(cluster.power())};
    if (result.has_cost) {
      const std::string cost = money(cluster.result.cost->ownership.total());
      row.push_back(is_partial(cluster) ? "at least " + cost : cost);
    }
    std::string marks = result.chosen == i ? chosen : "";
    if (result.min_power == i) marks += marks.empty() ? "least power" : ", least power";
    row.push_back(marks);
    table.add_row(std::move(row));
  }
  return table.text(style);
}

/// Returns the source and date of the prices.
std::string prices_of(const planner::SizingResult& result) {
  if (result.sized.empty() || !result.sized.front().cluster.result.cost) return {};
  return result.sized.front().cluster.result.cost->prices;
}

std::string quoted_settings(const planner::SizedCluster& cluster) {
  std::string text;
  for (const std::string& setting : cluster.settings) text += fmt::format(" --set '{}'", setting);
  return text;
}

std::string missed_text(const planner::Missed& missed) {
  return fmt::format("{} does not do: {}\n", missed.option, missed.why);
}

/// Returns "8 x xe9680-h100 (4 NICs)": the nodes, and what else the option chose.
std::string nodes_text(const planner::SizedCluster& cluster) {
  const std::string name = node_name(cluster.result.parts);
  std::string others = cluster.option;
  if (others == name) {
    others.clear();
  } else if (others.starts_with(name + ", ")) {
    others.erase(0, name.size() + 2);
  }
  const std::string nodes = fmt::format("{} x {}", cluster.num_nodes, name);
  return others.empty() ? nodes : fmt::format("{} ({})", nodes, others);
}

/// Returns "8 x xe9680-h100 (4 NICs) train in 99.3 d and draw 64.1 kW, 67.0 kW at the peak; ...".
std::string answer_text(const planner::SizedCluster& cluster, const planner::SizingResult& of) {
  const std::string cost =
      cluster.result.cost
          ? fmt::format("; {}{} of ownership", is_partial(cluster) ? "at least " : "",
                        money(cluster.result.cost->ownership.total()))
          : "; no prices are given";
  const char* ending = cluster.num_nodes == 1 ? "s" : "";
  const bool is_of_tokens = of.find == simulation::Sought::kMostTokens;
  const std::string what = is_of_tokens ? " on " + tokens_text(cluster.tokens) : "";
  return fmt::format("{} train{}{} in {} and draw{} {}, {} at the peak{}", nodes_text(cluster),
                     ending, what, to_text(cluster.result.run.job().training_time()), ending,
                     to_text(cluster.result.power->mean_power()), to_text(cluster.power()), cost);
}

/// Lists the parts that the cost leaves out.
std::string unpriced_text(const planner::SizedCluster& cluster) {
  if (!is_partial(cluster)) return {};
  std::vector<std::string> parts;
  for (const models::Purchase& one : cluster.result.cost->ownership.unpriced) {
    parts.push_back(fmt::format("{} x {}", one.count, one.name));
  }
  return fact("without a price", fmt::format("{}", fmt::join(parts, ", ")));
}

/// Says that the parts without a price decide which cluster is cheapest.
std::string ranking_text(const planner::SizingResult& result) {
  if (!result.has_deadline() || !result.has_cost || result.is_by_cost()) return {};
  return fact("cost", not_comparable(result.unpriced) + "; chosen by the number of nodes");
}

/// Says that a budget cannot be checked without the price of a part.
std::string budget_text(const planner::SizingResult& result, const planner::SizedCluster& cluster) {
  if (!result.budget || !is_partial(cluster)) return {};
  return fact("budget",
              fmt::format("{}, of which the parts with a price take {}; what the others "
                          "take is not known",
                          money(*result.budget), money(cluster.result.cost->ownership.total())));
}

/// Says that a deadline is kept by a cluster in which nothing fails.
std::string failures_text(const planner::SizingResult& result) {
  if (result.has_failures) return {};
  return fact("failures", "none are assumed: the scenario has no `reliability`");
}

/// Says whose prices the cost is made of.
std::string prices_text(const planner::SizedCluster& cluster) {
  if (!cluster.result.cost || cluster.result.cost->prices.empty()) return {};
  return fact("prices", in_lines(cluster.result.cost->prices, 1));
}

/// States the goal that the next smaller cluster misses.
std::string smaller_text(const planner::Sized& sized) {
  if (sized.steps_down.empty()) return {};
  const planner::StepDown& step = sized.steps_down.front();
  return fact("one less", fmt::format("{}: {}", step.what, step.misses));
}

std::string deadline_text(const planner::SizingResult& result) {
  if (result.find == simulation::Sought::kSoonest) return "none: the soonest within the limits";
  if (!result.has_deadline()) return "none: the most tokens in " + to_text(result.deadline);
  return fmt::format("{} with a chance of {:.0f} %", to_text(result.deadline),
                     100.0 * result.confidence);
}

}  // namespace

std::string verdict(const planner::SizingResult& result, const TextStyle& style) {
  std::string text = title(result.name, 1, style);
  if (!result.feasible()) {
    text += fact("verdict", strong("no cluster meets the goals", style, "1;31"));
    text += fact("deadline", deadline_text(result)) + failures_text(result);
    for (const planner::Missed& missed : result.missed) {
      text += fact("", missed.option + ": " + missed.why);
    }
    return text;
  }
  const planner::Sized& sized = result.sized[*result.chosen];
  const planner::SizedCluster& cluster = sized.cluster;
  text += fact("verdict", strong(answer_text(cluster, result), style, "1;32"));
  text += fact("80 % interval", training_interval(cluster.result));
  text += other_parts(cluster.result.parts);
  text += fact(
      "deadline",
      result.has_deadline()
          ? fmt::format(
                "{} is met with a chance of {:.0f} % ({:.0f} % wanted{})", to_text(result.deadline),
                100.0 * cluster.deadline_probability, 100.0 * result.confidence,
                result.confidence > kEvenOdds ? "" : "; --set goals.confidence=0.9 asks for more")
          : deadline_text(result));
  text += failures_text(result) + fact("decided by", sized.binds) + smaller_text(sized);
  if (!cluster.hangs_on.empty()) {
    text += fact("hangs on", in_lines(hangs_on_words(cluster.hangs_on.front()), 2));
    text += measured_by_text(cluster.hangs_on.front());
  }
  text += fact("memory", memory_bar(cluster.result.memory.total(), cluster.result.memory_capacity,
                                    cluster.result.basis));
  return text + ranking_text(result) + budget_text(result, cluster) + prices_text(cluster) +
         unpriced_text(cluster);
}

std::string to_text(const planner::SizingResult& result, const TextStyle& style) {
  std::string text;
  if (!result.sized.empty()) text += options_table(result, style) + "\n";
  if (const std::string prices = prices_of(result); !prices.empty()) {
    text += fmt::format("Prices: {}.\n", prices);
  }
  if (result.has_deadline() && result.has_cost && !result.is_by_cost()) {
    text += fmt::format("Costs are {}.\n", not_comparable(result.unpriced));
  }
  if (!text.ends_with("\n\n")) text += "\n";
  if (!result.feasible()) return {};
  for (const planner::Missed& missed : result.missed) text += missed_text(missed);
  if (!result.missed.empty()) text += "\n";
  const planner::Sized& chosen = result.sized[*result.chosen];
  text += fmt::format("{}: {}\n\n{}", heading_of_choice(result), chosen.cluster.option,
                      sized_text(chosen, result, style));
  if (result.min_power != result.chosen) {
    const planner::Sized& least = result.sized[*result.min_power];
    text += fmt::format("\nLeast power: {}\n\n{}", least.cluster.option,
                        sized_text(least, result, style));
  }
  if (result.fastest && result.fastest->training_time < chosen.cluster.training_time) {
    text += fmt::format("\nFastest: {}\n\n{}", result.fastest->option,
                        cluster_text(*result.fastest, result, style));
  }
  text += fmt::format("\n{}\n", kBestOfMany);
  text += fmt::format("\nAs a scenario, the first:{}\n", quoted_settings(chosen.cluster));
  return text;
}

}  // namespace railwright::output
