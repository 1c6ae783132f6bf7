// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "../words/link_words.hpp"
#include "../words/number_text.hpp"
#include "../words/phrases.hpp"
#include "../words/result_text.hpp"
#include "../words/unstated_text.hpp"
#include "power_text.hpp"
#include "railwright/core/units/text.hpp"
#include "railwright/output/text/text.hpp"
#include "railwright/workloads/training/outputs.hpp"
#include "storage_text.hpp"
#include "training_text.hpp"

namespace railwright::output {

namespace {

using core::Duration;

using core::to_text;

std::string layout_text(const simulation::SimulationResult& result) {
  const models::Layout& layout = result.layout;
  std::string text = division_text(result);
  if (layout.virtual_stages > 1) text += fmt::format(", {} virtual stages", layout.virtual_stages);
  if (layout.sequence_parallel) text += ", sequence parallel";
  return text;
}

std::string work_text(const simulation::SimulationResult& result) {
  const int num_microbatches = result.layout.num_microbatches;
  const bool has_tokens = result.tokens_per_step > 0;
  return fmt::format(
      "{} parameters, {} {} a step in {} micro-batch{} a replica",
      number_text(static_cast<double>(result.num_parameters), simulation::NumberFormat::kLarge),
      grouped_value(
          static_cast<double>(has_tokens ? result.tokens_per_step : result.samples_per_step)),
      has_tokens ? "tokens" : "images", num_microbatches, num_microbatches == 1 ? "" : "es");
}

/// Says what a step waits for samples that are ready, by which library, where one was named or
/// taken.
std::string reader_text(const simulation::SimulationResult& result) {
  if (result.run.jobs.empty() || result.run.job().reader.empty()) return {};
  const simulation::JobRun& run = result.run.job();
  std::string text = fmt::format("{}{}: a step waits {} for a batch that is ready", run.reader,
                                 run.assumes_reader ? ", taken since no reader is stated" : "",
                                 to_text(run.hand_over));
  if (run.assumes_reader) text += "; data.reader or data.hand_over state it";
  return fact("samples", text);
}

/// Returns the facts that the verdict leaves out.
std::string facts_text(const simulation::SimulationResult& result) {
  std::string text = fact("layout", layout_text(result)) + fact("work", work_text(result));
  if (!result.feasible()) return text;
  if (result.step_time_low < result.step_time_high) {
    text += fact("step interval", core::range_text(result.step_time_low, result.step_time_high) +
                                      " (80 %, spread between sites)");
  }
  if (result.run.num_replicas > 1) {
    const simulation::Spread& time = result.run.job().training_time_s;
    text += fact("with failures", fmt::format("{} in nine of ten of {}",
                                              core::range_text(Duration::from_base(time.low),
                                                               Duration::from_base(time.high)),
                                              plural(result.run.num_replicas, "simulated run")));
  }
  text += reader_text(result) + unstated_text(result);
  if (result.basis) text += fact("trust", basis_text(*result.basis));
  return text + lines_of(simulation::result_numbers(), result, simulation::TextPart::kAnswer);
}

/// Draws a block for each sixteenth, so that the longest name leaves room on a terminal.
std::string share_bar(double share) {
  return bar(static_cast<std::size_t>(std::lround(16.0 * share)));
}

std::string breakdown_table(const simulation::SimulationResult& result, const TextStyle& style) {
  Table table({"a step", "time", "share", ""});
  table.align_left(3);
  for (std::size_t i = 0; i < simulation::kCauses.size(); ++i) {
    const core::Duration time = result.breakdown.time[i];
    if (time.base() == 0.0) continue;
    const double share = time / result.step_time;
    table.add_row({std::string(simulation::kCauses[i].words), to_text(time), percent(share),
                   share_bar(share)});
  }
  table.add_row({"total", to_text(result.breakdown.total()),
                 percent(result.breakdown.total() / result.step_time)});
  return table.text(style);
}

std::string memory_table(const simulation::SimulationResult& result, const TextStyle& style) {
  const models::MemoryUse& use = result.memory;
  const std::string where =
      result.layout.pp > 1 ? fmt::format("memory, stage {}", use.stage) : "memory";
  Table table({where, "size", "share", ""});
  table.align_left(3);
  const auto add = [&](const std::string& name, core::DataSize size, const std::string& shown) {
    table.add_row({name, core::memory_text(size), percent(size / result.memory_capacity), shown});
  };
  for (const models::MemoryLine& line : use.lines) {
    add(words(line.name), line.size, share_bar(std::min(line.size / result.memory_capacity, 1.0)));
  }
  add("total", use.total(), "");
  add("of an accelerator", result.memory_capacity, "");
  add("reserved, as nvidia-smi shows it", result.memory_reserved, "");
  return table.text(style);
}

/// The column "of" is empty for an unbounded tier.
std::string tiers_table(const simulation::SimulationResult& result, const TextStyle& style) {
  Table table(
      {"outside, a node", "parameters", "gradients", "optimizer state", "activations", "of"});
  for (const models::TierUse& use : result.tiers) {
    const bool is_bounded = use.capacity < core::DataSize::infinity();
    table.add_row({use.tier, to_text(use.parameters), to_text(use.gradients),
                   to_text(use.optimizer_state), to_text(use.activations),
                   is_bounded ? to_text(use.capacity) : ""});
  }
  return table.text(style);
}

std::string links_table(const simulation::SimulationResult& result, const TextStyle& style) {
  Table table({"busiest link", "bytes a step", "busy"});
  for (const simulation::TierLoad& load : result.loads) {
    table.add_row({words(core::to_string(load.tier)), to_text(load.busiest_bytes),
                   percent(load.utilization)});
  }
  std::string text = table.text(style);
  const auto num_shown = std::min<std::size_t>(result.busiest_links.size(), 3);
  for (std::size_t i = 0; i < num_shown; ++i) {
    const simulation::LinkLoad& link = result.busiest_links[i];
    text += fmt::format("{:>6}  {}\n", percent(link.utilization), with_alike(link));
  }
  return text;
}

/// Formats the checkpoints written on the nodes, before storage or instead of it.
std::string local_text(const simulation::LocalRun& local) {
  const auto bytes = static_cast<double>(local.checkpoint.bytes);
  std::string text =
      fact("on the nodes", fmt::format("{} in {}", to_text(core::DataSize::from_base(bytes)),
                                       plural(local.checkpoint.num_files, "file")));
  text += fact("written in", fmt::format("{}, limited by the {}", to_text(local.checkpoint.time),
                                         local.checkpoint.limit));
  text += fact("read back in", fmt::format("{}, limited by the {}, where the same nodes come back",
                                           to_text(local.restore.time), local.restore.limit));
  if (local.peer_restore_time.base() > 0.0) {
    text += fact("with a new node", to_text(local.peer_restore_time) + ", its part from another");
  }
  const std::string of = local.capacity < core::DataSize::infinity()
                             ? " of " + to_text(local.capacity)
                             : std::string();
  text += fact("a node holds", to_text(local.max_used) + of + " at the most");
  return text;
}

std::string checkpoint_text(const simulation::SimulationResult& result) {
  const simulation::JobRun& run = result.run.job();
  const simulation::CheckpointResult& checkpoint = run.checkpoint;
  const auto size = core::DataSize::from_base(static_cast<double>(checkpoint.bytes));
  std::string text;
  text += fact(run.local ? "on to storage" : "checkpoint",
               fmt::format("{} in {}", to_text(size), plural(checkpoint.num_files, "file")));
  text += fact("written in",
               fmt::format("{}, limited by the {}", to_text(checkpoint.time), checkpoint.limit));
  text += fact("write rate", fmt::format("{} mean, {} peak", to_text(checkpoint.mean_write),
                                         to_text(checkpoint.peak_write)));
  text += fact("read back in",
               fmt::format("{} by {}, limited by the {}", to_text(run.restore.time),
                           plural(run.restore.num_readers, "reader"), run.restore.limit));
  return text + lines_of(simulation::result_numbers(), result, simulation::TextPart::kCheckpoint);
}

/// Formats the time of the run by cause, for a run that spends time outside steps.
std::string run_table(const simulation::SimulationResult& result, const TextStyle& style) {
  const simulation::JobRun& run = result.run.job();
  Table table({"the run", "time", "share"});
  for (std::size_t i = 0; i < simulation::kNumRunCauses; ++i) {
    if (run.time_s[i] == 0.0) continue;
    table.add_row({words(simulation::kRunCauses[i].name),
                   to_text(Duration::from_base(run.time_s[i])),
                   percent(run.time_s[i] / run.training_time_s.mean)});
  }
  table.add_row({"total", to_text(run.training_time()), percent(1.0)});
  return table.text(style);
}

std::string failures_text(const simulation::SimulationResult& result) {
  const simulation::JobRun& run = result.run.job();
  std::string text = fact(
      "interruptions", fmt::format("{:.1f} expected, one every {} at the start",
                                   run.num_interruptions, to_text(run.mean_time_to_interruption)));
  if (run.young_interval.base() > 0.0) {
    const std::string best =
        run.best_interval.base() > 0.0 ? to_text(run.best_interval) + " by simulation, " : "";
    text += fact("best interval",
                 best + fmt::format("{} between checkpoints by Young's formula, {} by Daly's",
                                    to_text(run.young_interval), to_text(run.daly_interval)));
  }
  return text;
}

std::string parts_table(const simulation::SimulationResult& result, const TextStyle& style) {
  Table table({"part", "kind", "count"});
  table.align_left(1);
  for (const core::Part& part : result.parts.parts) {
    table.add_row({part.name, words(part.kind), fmt::format("{}", part.count)});
  }
  return table.text(style) + fmt::format("{} of the fabric's {} switch ports are used\n",
                                         result.parts.ports_used,
                                         result.parts.ports_used + result.parts.ports_free);
}

}  // namespace

std::string division_text(const simulation::SimulationResult& result) {
  const models::Layout& layout = result.layout;
  const std::pair<std::string_view, int> ways[] = {
      {"tp", layout.tp}, {"cp", layout.cp}, {"pp", layout.pp}, {"dp", layout.dp}};
  std::string text;
  for (const auto& [name, ways_of_it] : ways) {
    if (ways_of_it == 1) continue;
    text += fmt::format("{}{} {}", text.empty() ? " = " : " x ", name, ways_of_it);
  }
  return plural(result.num_accelerators, "accelerator") + text;
}

std::string nodes_text(const core::PartsList& parts) {
  std::string text;
  for (const core::Part& part : parts.parts) {
    if (part.kind == "node") text += fmt::format("{} x {}, ", part.count, part.name);
  }
  return text;
}

std::string node_name(const core::PartsList& parts) {
  const auto node = std::ranges::find(parts.parts, "node", &core::Part::kind);
  return node == parts.parts.end() ? std::string() : node->name;
}

std::string other_parts(const core::PartsList& list) {
  static constexpr std::string_view kElsewhere[] = {"node", "cable", "transceiver", "host_link"};
  std::vector<std::string> parts;
  for (const core::Part& part : list.parts) {
    if (std::ranges::find(kElsewhere, part.kind) != std::end(kElsewhere)) continue;
    parts.push_back(fmt::format("{} x {}", grouped(part.count), part.name));
  }
  return parts.empty() ? std::string() : fact("with", fmt::format("{}", fmt::join(parts, ", ")));
}

std::string work_done(const simulation::SimulationResult& result) {
  const simulation::JobRun& run = result.run.job();
  std::string text = plural(result.steps, "step");
  if (run.num_checkpoints < 0.5) return text;
  text += " and " + plural(std::llround(run.num_checkpoints), "checkpoint");
  return run.local ? text + fmt::format(", {:.0f} on storage", run.local->num_drained) : text;
}

/// Says where a step time comes from, and how far events may be from the closed form.
std::string method_text(const simulation::SimulationResult& result) {
  if (!result.closed_form_error) return "simulated";
  return fmt::format("estimate, events within {}", percent(result.closed_form_error->largest, 0));
}

std::string step_text(const simulation::SimulationResult& result) {
  const bool has_tokens = result.tokens_per_step > 0;
  std::string how = method_text(result);
  if (const auto& placement = result.placement) {
    how += fmt::format(", mean of {} draws of places: {}", placement->num_draws,
                       core::range_text(placement->low, placement->high));
  }
  return fmt::format("{} ({}), {} {}/s, MFU {}", to_text(result.step_time), how,
                     grouped_value(has_tokens ? result.tokens_per_s : result.samples_per_s),
                     has_tokens ? "tokens" : "images", percent(result.model_flops_utilization));
}

std::string basis_text(const simulation::Basis& basis) {
  return fmt::format("{}: {}", core::to_string(basis.kind), basis.says);
}

std::string to_text(const simulation::SimulationResult& result, const TextStyle& style) {
  std::string text = facts_text(result) + "\n";
  if (result.feasible()) text += breakdown_table(result, style) + "\n";
  text += memory_table(result, style) + "\n";
  if (!result.tiers.empty()) text += tiers_table(result, style) + "\n";
  if (!result.loads.empty()) text += links_table(result, style) + "\n";
  if (result.feasible()) {
    const simulation::JobRun& run = result.run.job();
    if (run.time_s[0] < run.training_time_s.mean) text += run_table(result, style) + "\n";
    if (run.mean_time_to_interruption < Duration::infinity()) text += failures_text(result) + "\n";
    if (run.local) text += local_text(*run.local) + "\n";
    if (run.checkpoint.bytes > 0)
      text += checkpoint_text(result) + storage_text(result.run.storage) +
              needs_text(result.run.needs) + "\n";
  }
  if (result.power) text += power_text(*result.power, style) + "\n";
  if (result.cost) text += cost_text(result, style) + "\n";
  return text + parts_table(result, style);
}

}  // namespace railwright::output
