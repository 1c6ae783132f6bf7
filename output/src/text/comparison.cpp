// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "../words/number_text.hpp"
#include "../words/phrases.hpp"
#include "curves_text.hpp"
#include "difference_text.hpp"
#include "railwright/core/units/text.hpp"
#include "railwright/output/text/text.hpp"
#include "railwright/output/text/verdict.hpp"
#include "verdict_lines.hpp"

namespace railwright::output {

namespace {

std::string minutes(core::Duration time) { return fmt::format("{:.1f} min", time.base() / 60.0); }

/// Returns "61 min", or with a known rounding "61 ±0.5 min".
std::string published_time(core::Duration time, const planner::ComparisonRow& row) {
  if (row.rounding == core::Duration{}) return minutes(time);
  return fmt::format("{:g} \u00b1{:g} min", time.base() / 60.0, row.rounding.base() / 60.0);
}

std::string signed_seconds(core::Duration time) { return signed_fixed(time.base(), 2) + " s"; }

/// The table of times; it has columns of published times only if a case has one.
class TimesTable {
 public:
  explicit TimesTable(const planner::ComparisonResult& comparison)
      : comparison_(comparison),
        has_published_(std::ranges::any_of(comparison.rows, [](const planner::ComparisonRow& row) {
          return row.cells.front().published.has_value();
        })) {}

  [[nodiscard]] std::string text(const TextStyle& style) const {
    const std::int64_t steps = comparison_.rows.front().cells.front().result.steps;
    std::vector<std::string> header = {"case", short_key(comparison_.key),
                                       fmt::format("{} steps", steps)};
    if (has_published_) header.insert(header.end(), {"published", "error"});
    header.insert(header.end(), {"step", "effect", "", "what limits"});
    Table table(header);
    table.align_left(header.size() - 1);
    for (const planner::ComparisonRow& row : comparison_.rows) {
      for (std::size_t i = 0; i < row.cells.size(); ++i) {
        auto line = cell_line(row, i);
        if (!row.cells[i].result.feasible()) {
          line.resize(header.size());
          line.back() = row.cells[i].result.infeasible.front().what;
        }
        table.add_row(std::move(line));
      }
    }
    return table.text(style);
  }

 private:
  [[nodiscard]] std::vector<std::string> cell_line(const planner::ComparisonRow& row,
                                                   std::size_t i) const {
    const planner::ComparisonCell& cell = row.cells[i];
    const bool feasible = cell.result.feasible();
    std::vector<std::string> line = {
        i == 0 ? row.name + (row.fitted ? " *" : "") : "", comparison_.values[i],
        feasible ? minutes(cell.result.run.job().training_time()) : "does not fit"};
    if (has_published_) {
      const auto error = cell.relative_error();
      line.push_back(cell.published ? published_time(*cell.published, row) : "");
      line.push_back(error ? signed_percent(*error) : "");
    }
    if (!feasible) return line;
    const auto effect = i > 0 ? row.effect(i) : std::nullopt;
    line.insert(line.end(),
                {core::to_text(cell.result.step_time), effect ? signed_seconds(*effect) : "",
                 effect ? signed_percent(*effect / row.cells.front().result.step_time) : "",
                 largest_causes(cell.result.breakdown, 0)});
    return line;
  }

  const planner::ComparisonResult& comparison_;
  bool has_published_;
};

std::vector<std::string> storage_line(const simulation::SimulationResult& result) {
  std::vector<std::string> line = {core::memory_text(result.memory.total()),
                                   core::memory_text(result.memory_capacity)};
  if (result.feasible() && result.run.job().checkpoint.bytes > 0) {
    const simulation::CheckpointResult& checkpoint = result.run.job().checkpoint;
    const auto size = core::DataSize::from_base(static_cast<double>(checkpoint.bytes));
    line.insert(line.end(),
                {core::to_text(size), std::to_string(checkpoint.num_files),
                 fmt::format("{:.0f} s", checkpoint.time.base()),
                 core::to_text(checkpoint.mean_write), core::to_text(checkpoint.peak_write)});
  }
  line.resize(7);
  return line;
}

/// Formats one line per case, or one per value if the values differ.
std::string storage_table(const planner::ComparisonResult& comparison, const TextStyle& style) {
  Table table({"case", short_key(comparison.key), "memory/GPU", "of", "checkpoint", "files",
               "written in", "mean write", "peak write"});
  for (const planner::ComparisonRow& row : comparison.rows) {
    const auto first = storage_line(row.cells.front().result);
    const bool all_equal = std::ranges::all_of(row.cells, [&](const planner::ComparisonCell& cell) {
      return storage_line(cell.result) == first;
    });
    for (std::size_t i = 0; i < (all_equal ? 1 : row.cells.size()); ++i) {
      std::vector<std::string> line = {i == 0 ? row.name : "",
                                       all_equal ? "any" : comparison.values[i]};
      std::ranges::move(storage_line(row.cells[i].result), std::back_inserter(line));
      table.add_row(std::move(line));
    }
  }
  return table.text(style);
}

/// Returns the length of the prefix that all case names share, up to the end of a word.
std::size_t common_prefix(const std::vector<planner::ComparisonRow>& rows) {
  std::size_t length = rows.size() > 1 ? rows.front().name.size() : 0;
  for (const planner::ComparisonRow& row : rows) {
    const auto [a, b] = std::ranges::mismatch(rows.front().name, row.name);
    length = std::min(length, static_cast<std::size_t>(a - rows.front().name.begin()));
  }
  const std::size_t space =
      length == 0 ? std::string::npos : rows.front().name.rfind(' ', length - 1);
  return space == std::string::npos ? 0 : space + 1;
}

/// Returns the heads of a column per case: "7B, 2 nodes".
std::vector<std::string> short_names(const planner::ComparisonResult& comparison) {
  const std::size_t prefix = common_prefix(comparison.rows);
  std::vector<std::string> names;
  for (const planner::ComparisonRow& row : comparison.rows)
    names.push_back(row.name.substr(prefix));
  return names;
}

/// Joins the texts of a row's cells: "-1.53 / -1.52".
template <class CellText>
std::string side_by_side(std::size_t num_cells, const CellText& cell_text) {
  std::string text;
  for (std::size_t i = 0; i < num_cells; ++i) text += (i > 0 ? " / " : "") + cell_text(i);
  return text;
}

std::string error_line(const planner::ErrorSummary& errors) {
  if (errors.num_cells == 0) return {};
  return fmt::format("mean {:.1f} %, largest {:.1f} %", 100.0 * errors.mean_absolute,
                     100.0 * errors.largest_absolute);
}

/// Formats the change of the step by each assumption at the same installation.
std::string assumption_effects(const planner::ComparisonResult& comparison,
                               const TextStyle& style) {
  std::vector<std::string> header = {"assumption"};
  std::ranges::move(short_names(comparison), std::back_inserter(header));
  Table table(header);
  for (const planner::AssumptionResult& assumption : comparison.assumptions) {
    std::vector<std::string> line = {assumption.name};
    for (std::size_t r = 0; r < comparison.rows.size(); ++r) {
      line.push_back(side_by_side(comparison.values.size(), [&](std::size_t i) -> std::string {
        const simulation::SimulationResult& changed = assumption.as_installed[r].cells[i].result;
        const simulation::SimulationResult& base = comparison.rows[r].cells[i].result;
        if (!changed.feasible() || !base.feasible()) return "does not fit";
        return signed_fixed((changed.step_time - base.step_time).base(), 2);
      }));
    }
    table.add_row(std::move(line));
  }
  return table.text(style);
}

std::string assumption_fits(const planner::ComparisonResult& comparison, const TextStyle& style) {
  std::vector<std::string> header = {"assumption", "compute", "NIC", "mean", "largest"};
  std::ranges::move(short_names(comparison), std::back_inserter(header));
  Table table(header);
  for (const planner::AssumptionResult& assumption : comparison.assumptions) {
    std::vector<std::string> line = {assumption.name};
    if (!assumption.fit) {
      line.insert(line.end(), {"-", "-", "-", "-", assumption.why_no_fit});
      line.resize(header.size());
      table.add_row(std::move(line));
      continue;
    }
    line.insert(line.end(), {fmt::format("{:.3f}", assumption.fit->compute_efficiency),
                             fmt::format("{:.3f}", assumption.fit->nic_efficiency),
                             fmt::format("{:.1f}", 100.0 * assumption.errors.mean_absolute),
                             fmt::format("{:.1f}", 100.0 * assumption.errors.largest_absolute)});
    for (const planner::ComparisonRow& row : assumption.refitted) {
      line.push_back(side_by_side(row.cells.size(), [&](std::size_t i) -> std::string {
        const auto error = row.cells[i].relative_error();
        return error ? signed_fixed(100.0 * *error, 1) : "does not fit";
      }));
    }
    table.add_row(std::move(line));
  }
  return table.text(style);
}

std::string cases_text(const planner::ComparisonResult& comparison, const TextStyle& style) {
  std::string text = fmt::format("\n{}", TimesTable(comparison).text(style));
  const auto fitted = std::ranges::find_if(comparison.rows, &planner::ComparisonRow::fitted);
  if (fitted != comparison.rows.end()) {
    text += fmt::format(
        "* the installation was fitted to these times; the error of the {} others: {}\n",
        comparison.errors.num_cells, error_line(comparison.errors));
  } else if (comparison.errors.num_cells > 0) {
    text += fmt::format("error of {} times: {}\n", comparison.errors.num_cells,
                        error_line(comparison.errors));
  }
  return text + fmt::format("\n{}", storage_table(comparison, style));
}

std::string assumptions_text(const planner::ComparisonResult& comparison, const TextStyle& style) {
  if (comparison.assumptions.empty()) return {};
  const std::string values = fmt::format("{}", fmt::join(comparison.values, " / "));
  const std::string key = short_key(comparison.key);
  return fmt::format(
             "\nWhat if? Change of the step in seconds at the same installation, {} = {}:\n\n{}",
             key, values, assumption_effects(comparison, style)) +
         fmt::format(
             "\nWith the installation fitted again, errors in % of the times, {} = {}:\n\n{}", key,
             values, assumption_fits(comparison, style));
}

/// A case in which two values fit, and the relative change of the step from the first to the other.
struct CaseEffect {
  const planner::ComparisonRow* row = nullptr;
  double share = 0.0;
};

/// Returns the effects of a value, the smallest change first.
std::vector<CaseEffect> effects_of(const planner::ComparisonResult& comparison, std::size_t value) {
  std::vector<CaseEffect> effects;
  for (const planner::ComparisonRow& row : comparison.rows) {
    const auto effect = row.effect(value);
    if (effect) effects.push_back({&row, *effect / row.cells.front().result.step_time});
  }
  std::ranges::stable_sort(effects, {}, &CaseEffect::share);
  return effects;
}

/// Returns "nics 4 is slower than 8 in 4 of 4 cases: +3.3 % to +9.8 % a step".
std::string effect_text(const planner::ComparisonResult& comparison, std::size_t value) {
  const std::vector<CaseEffect> effects = effects_of(comparison, value);
  const std::string key = short_key(comparison.key);
  const std::string& other = comparison.values[value];
  if (effects.empty()) return fmt::format("{} {} fits in no case", key, other);
  const auto num_faster =
      std::ranges::count_if(effects, [](const CaseEffect& one) { return one.share < 0.0; });
  const auto num_cases = std::ssize(effects);
  const bool is_faster = 2 * num_faster > num_cases;
  const auto num_so = is_faster ? num_faster : num_cases - num_faster;
  return fmt::format("{} {} is {} than {} in {} of {}: {} to {} a step", key, other,
                     is_faster ? "faster" : "slower", comparison.values.front(), num_so,
                     plural(num_cases, "case"), signed_percent(effects.front().share),
                     signed_percent(effects.back().share));
}

/// Returns the interval of the case where the last value changes the step most.
std::string effect_interval(const planner::ComparisonResult& comparison) {
  const std::vector<CaseEffect> effects = effects_of(comparison, comparison.values.size() - 1);
  if (effects.empty()) return {};
  const CaseEffect& most = std::abs(effects.front().share) > std::abs(effects.back().share)
                               ? effects.front()
                               : effects.back();
  const auto& cells = most.row->cells;
  const std::string interval =
      saving_interval(most.share, cells.back().result, cells.front().result);
  if (interval.empty()) return fact("80 % interval", "none: the spread between sites is not known");
  return fact("80 % interval", fmt::format("{} around the {} of {} (spread between sites)",
                                           interval, signed_percent(most.share), most.row->name));
}

/// States at its last place on a curve what the value may cost to pay.
std::string curve_verdict(const planner::ComparisonResult& comparison,
                          const planner::CurveResult& curve) {
  const std::size_t place = curve.along.size() - 1;
  const std::size_t value = comparison.values.size() - 1;
  const planner::CurveLine& line = curve.lines.front();
  const auto worth = line.worth(place, value);
  const std::string where = fmt::format("{} {}", short_key(curve.key), curve.along.back());
  if (!worth) return fmt::format("unknown at {}: a design does not fit", where);
  const auto band = line.worth_band(place, value);
  const std::string interval =
      band && band->low < band->high
          ? fmt::format(" (80 %: {:.1f} to {})", 100.0 * band->low, percent(band->high))
          : "";
  if (*worth <= 0.0) return fmt::format("not at {}: {}", where, curve.name);
  return fmt::format("at {} if it adds less than {} to the cluster's price{}: {}", where,
                     percent(*worth), interval, curve.name);
}

}  // namespace

std::string verdict(const planner::ComparisonResult& comparison, const TextStyle& style) {
  std::string text = strong(comparison.name, style) + "\n" + comparison.setting + "\n\n";
  for (std::size_t i = 1; i < comparison.values.size() && !comparison.rows.empty(); ++i) {
    text += fact(i == 1 ? "verdict" : "", strong(effect_text(comparison, i), style, "1;32"));
  }
  if (!comparison.rows.empty() && comparison.values.size() > 1) text += effect_interval(comparison);
  if (comparison.errors.num_cells > 0) {
    text += fact("published times", fmt::format("error of {}: {}", comparison.errors.num_cells,
                                                error_line(comparison.errors)));
  }
  if (!comparison.rows.empty() && comparison.values.size() > 1) {
    const auto& cells = comparison.rows.front().cells;
    text += difference_fact(cells.back().result, cells.front().result,
                            fmt::format(" with {} {}, in {}", short_key(comparison.key),
                                        comparison.values.back(), comparison.rows.front().name));
  }
  for (const planner::CurveResult& curve : comparison.curves) {
    const bool is_first = &curve == &comparison.curves.front();
    text += fact(
        is_first ? fmt::format("{} {} pays", short_key(comparison.key), comparison.values.back())
                 : "",
        curve_verdict(comparison, curve));
  }
  return text;
}

std::string to_text(const planner::ComparisonResult& comparison, const TextStyle& style) {
  std::string text;
  if (!comparison.rows.empty()) text += cases_text(comparison, style);
  text += curves_text(comparison, style) + assumptions_text(comparison, style);
  return text.substr(text.find_first_not_of('\n'));
}

}  // namespace railwright::output
