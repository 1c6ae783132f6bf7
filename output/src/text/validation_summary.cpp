// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "../words/number_text.hpp"
#include "../words/phrases.hpp"
#include "railwright/core/units/text.hpp"
#include "railwright/output/text/text.hpp"

namespace railwright::output {

namespace {

/// Number of listed reasons why a number is outside the models.
constexpr std::size_t kMaxReasons = 8;

std::string after_a_line(std::string text) {
  text.insert(0, 1, '\n');
  return text;
}

/// Returns "12 arithmetic (12 agree)", for rows whose agreement proves little about the model.
std::string kind_text(const validation::KindCount& count) {
  return fmt::format("{} {} ({} agree)", count.num_rows, to_string(count.kind), count.num_agreeing);
}

/// Counts the rows without a prediction; the last lines name them.
std::string unfit_text(const validation::ValidationResult& result) {
  const int num_unfit = result.summary.num_unfit;
  if (num_unfit == 0) return {};
  const char* const verb = num_unfit == 1 ? "does" : "do";
  const std::string count = fmt::format("{} {} not fit", plural(num_unfit, "row"), verb);
  return result.feasible() ? count + ", without a prediction\n" : "no prediction: " + count + "\n";
}

/// Formats predictions first: other rows agree independently of the model.
std::string counts_text(const validation::ValidationResult& result) {
  const validation::ValidationSummary& summary = result.summary;
  std::string text;
  std::vector<std::string> others;
  for (const validation::KindCount& count : summary.kinds) {
    if (count.kind == validation::RowKind::kPrediction) {
      text = fmt::format(
          "{} predictions: absolute error median {:.1f} %, mean {:.1f} %, largest {:.1f} %\n",
          count.num_rows, 100.0 * count.errors.median, 100.0 * count.errors.mean,
          100.0 * count.errors.largest);
    } else if (count.kind == validation::RowKind::kCalibrated) {
      others.push_back(fmt::format("{} calibrated", count.num_rows));
    } else {
      others.push_back(kind_text(count));
    }
  }
  if (summary.num_reject > 0) others.push_back(fmt::format("{} rejected", summary.num_reject));
  if (!others.empty()) text += fmt::format("other rows: {}\n", fmt::join(others, ", "));
  return text + unfit_text(result);
}

std::string classes_text(const std::vector<validation::SizeClass>& size_classes,
                         const TextStyle& style) {
  if (size_classes.empty()) return {};
  Table classes({"collective", "buffers from", "rows", "median error", "contradictory records",
                 "between them"});
  for (const validation::SizeClass& c : size_classes) {
    classes.add_row({c.group, core::to_text(core::DataSize::from_base(c.from_bytes)),
                     fmt::format("{}", c.num_rows), percent(c.median_absolute_error),
                     fmt::format("{}", c.num_contested), fmt::format("{}", c.num_between)});
  }
  return after_a_line(classes.text(style));
}

/// Returns "median / mean / 90th percentile", or nothing without rows.
std::string three(const validation::ErrorStatistics& errors) {
  if (errors.num_rows == 0) return {};
  return fmt::format("{:.1f} / {:.1f} / {:.1f}", 100.0 * errors.median, 100.0 * errors.mean,
                     100.0 * errors.percentile_90);
}

std::string groups_text(const std::vector<validation::ErrorGroup>& groups, const TextStyle& style) {
  if (groups.empty()) return {};
  Table table({"held-out rows by", "", "rows", "error", "baseline: same family",
               "baseline: other families"});
  table.align_left(1);
  std::string last;
  for (const validation::ErrorGroup& group : groups) {
    table.add_row({group.by == last ? "" : group.by, group.name,
                   fmt::format("{}", group.errors.num_rows), three(group.errors),
                   three(group.same_baseline), three(group.constant_baseline)});
    last = group.by;
  }
  const bool of_products =
      std::ranges::find(groups, "product", &validation::ErrorGroup::by) != groups.end();
  return fmt::format(
      "\nAbsolute error in % (median / mean / p90), and of two baselines that assume a constant "
      "MFU{}\n\n{}",
      of_products ? ";\nrows of a product: and of the mean of other products with the same workload"
                  : "",
      table.text(style));
}

std::string kernels_text(const std::vector<validation::ErrorGroup>& groups,
                         const TextStyle& style) {
  if (groups.empty()) return {};
  Table table({"held-out kernels", "rows", "error", "baseline: interpolated", "left-out device"});
  for (const validation::ErrorGroup& group : groups) {
    table.add_row({group.name, fmt::format("{}", group.errors.num_rows), three(group.errors),
                   three(group.same_baseline), three(group.constant_baseline)});
  }
  return "\nAbsolute error in % (median / mean / p90); of an interpolation of the shapes that "
         "constants were\nfitted to; and with the constants of another device\n\n" +
         table.text(style);
}

std::string pairs_text(const std::vector<validation::ErrorGroup>& pairs, const TextStyle& style) {
  if (pairs.empty()) return {};
  Table table(
      {"pairs of held-out rows by key", "pairs", "error of the ratio", "baseline: no change"});
  for (const validation::ErrorGroup& group : pairs) {
    table.add_row({group.name, fmt::format("{}", group.errors.num_rows), three(group.errors),
                   three(group.constant_baseline)});
  }
  return "\nRows that differ in one key: error of the ratio of their times in % (median / mean / "
         "p90)\n\n" +
         table.text(style);
}

std::string scaling_text(const std::vector<validation::ScalingPoint>& points) {
  if (points.empty()) return {};
  double sum = 0.0;
  const validation::ScalingPoint* worst = &points.front();
  for (const validation::ScalingPoint& point : points) {
    const double difference = std::abs(point.predicted - point.published);
    sum += difference;
    if (difference > std::abs(worst->predicted - worst->published)) worst = &point;
  }
  return fmt::format(
      "\nscaling efficiency of {} rows: {:.1f} points off on average, at most {:.1f} ({}: {} "
      "published, {} predicted)\n",
      points.size(), 100.0 * sum / static_cast<double>(points.size()),
      100.0 * std::abs(worst->predicted - worst->published), worst->id, percent(worst->published),
      percent(worst->predicted));
}

std::string met_text(const validation::TargetResult& target) {
  if (!target.value) return "no rows";
  return *target.value <= target.below ? "met" : "missed";
}

std::string targets_text(const std::vector<validation::TargetResult>& targets,
                         const TextStyle& style) {
  if (targets.empty()) return {};
  Table table({"held against", "statistic", "rows", "of them calibrate", "error", "bar", ""});
  table.align_left(1);
  for (const validation::TargetResult& target : targets) {
    table.add_row({target.name, target.statistic, fmt::format("{}", target.num_rows),
                   fmt::format("{}", target.num_calibrate),
                   target.value ? percent(*target.value) : "", percent(target.below),
                   met_text(target)});
  }
  return after_a_line(table.text(style));
}

std::string bands_text(const validation::ValidationSummary& summary, const TextStyle& style) {
  if (summary.band_scores.empty()) return {};
  Table table({"80 % intervals from other rows", "rows", "families", "hold", "equal weight",
               "high / low", "score", "equal weight"});
  for (const validation::BandScore& score : summary.band_scores) {
    table.add_row({score.name, fmt::format("{}", score.num_rows),
                   fmt::format("{}", score.num_families), percent(score.held_rows),
                   percent(score.held_families), fmt::format("{:.2f}", std::exp(score.mean_width)),
                   fmt::format("{:.2f}", score.score),
                   fmt::format("{:.2f}", score.score_families)});
  }
  std::string text = after_a_line(table.text(style));
  if (summary.family_spread) {
    text += fmt::format("rows of a family are spread by {} around their own level\n",
                        percent(*summary.family_spread));
  }
  return text;
}

/// Counts the numbers of each document by the role of their row; the JSON has the rows.
std::string documents_text(const std::vector<validation::DocumentCount>& documents,
                           const TextStyle& style) {
  if (documents.empty()) return {};
  static constexpr std::array kRoles{
      validation::ClaimRole::kCalibrate, validation::ClaimRole::kValidate,
      validation::ClaimRole::kReject,    validation::ClaimRole::kFact,
      validation::ClaimRole::kInput,     validation::ClaimRole::kArithmetic,
      validation::ClaimRole::kOutside};
  std::vector<std::string> heading{"numbers printed in", "all"};
  for (const validation::ClaimRole role : kRoles) heading.emplace_back(to_string(role));
  Table table(heading);
  for (const validation::DocumentCount& document : documents) {
    std::vector<std::string> cells{document.title, fmt::format("{}", document.num_numbers)};
    for (const validation::ClaimRole role : kRoles) {
      const auto found = document.by_role.find(role);
      cells.push_back(fmt::format("{}", found == document.by_role.end() ? 0 : found->second));
    }
    table.add_row(cells);
  }
  return after_a_line(table.text(style));
}

/// Formats a line for facts, inputs and arithmetic, and one for rows outside the models.
std::string statements_text(const validation::ValidationResult& result) {
  std::map<std::string, std::size_t> outside;
  int num_agreeing = 0;
  for (const validation::ValidationCase& c : result.cases) {
    if (c.role == validation::ClaimRole::kOutside) outside[c.about] += c.printed.size();
    num_agreeing += !c.is.empty() && verdict_of(c) == validation::Verdict::kAgrees ? 1 : 0;
  }
  if (result.documents.empty()) return {};
  std::vector<std::pair<std::size_t, std::string>> reasons;
  for (const auto& [about, count] : outside) reasons.emplace_back(count, about);
  std::ranges::sort(reasons, [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  std::vector<std::string> words;
  std::size_t num_others = 0;
  for (const auto& [count, about] : reasons) {
    if (words.size() < kMaxReasons) {
      words.push_back(fmt::format("{} {}", count, about));
    } else {
      num_others += count;
    }
  }
  if (num_others > 0) words.push_back(fmt::format("{} others, see the JSON", num_others));
  const validation::ValidationSummary& summary = result.summary;
  return fmt::format(
      "{} rows are facts of the catalogue, {} inputs of scenarios, {} arithmetic: {} agree\n"
      "outside what is modelled, {} rows: {}\n",
      summary.num_fact, summary.num_input, summary.num_arithmetic, num_agreeing,
      summary.num_outside, fmt::join(words, ", "));
}

/// Counts the records of each group that lack the same input; the JSON has their ids.
std::string not_run_text(const std::vector<validation::NotRun>& records) {
  std::map<std::string, std::map<std::string, int>> by_reason;
  for (const validation::NotRun& record : records) ++by_reason[record.missing][record.group];
  std::string text;
  for (const auto& [missing, groups] : by_reason) {
    std::vector<std::string> counts;
    for (const auto& [group, count] : groups) counts.push_back(fmt::format("{} {}", count, group));
    text += fmt::format("skipped, since the source does not give {}: {}\n", missing,
                        fmt::join(counts, ", "));
  }
  return text.empty() ? text : after_a_line(std::move(text));
}

std::string skipped_text(const std::vector<validation::SkippedRow>& rows) {
  std::string text;
  for (const validation::SkippedRow& row : rows) {
    text += fmt::format("skipped {}: {}\n", row.id, row.reason);
  }
  return text.empty() ? text : after_a_line(std::move(text));
}

}  // namespace

std::string summary_text(const validation::ValidationResult& result, const TextStyle& style) {
  const validation::ValidationSummary& summary = result.summary;
  std::string text = counts_text(result) + classes_text(summary.size_classes, style) +
                     groups_text(summary.groups, style) + kernels_text(summary.kernels, style) +
                     pairs_text(summary.pairs, style) + scaling_text(summary.scaling) +
                     targets_text(summary.targets, style);
  if (summary.num_fitted_numbers > 0) {
    text += fmt::format("\n{} numbers of devices and stacks were fitted to {} of the rows\n",
                        summary.num_fitted_numbers, summary.num_calibrate);
  }
  if (summary.band) {
    text += fmt::format(
        "\n80 % of published/predicted ratios lie in {:.2f} to {:.2f} (families weighted "
        "equally)\n",
        summary.band->low, summary.band->high);
  }
  text += bands_text(summary, style);
  text += documents_text(result.documents, style) + statements_text(result);
  text += not_run_text(result.not_run);
  for (const std::string& what : result.not_covered) {
    text += fmt::format("no public record covers {}\n", what);
  }
  for (const validation::ValidationCase& c : result.cases) {
    if (c.role == validation::ClaimRole::kReject)
      text += fmt::format("rejected {}: {}\n", c.id, c.reason);
  }
  for (const validation::ValidationCase& c : result.cases) {
    if (verdict_of(c) == validation::Verdict::kDoesNotFit)
      text += fmt::format("does not fit {}: {}\n", c.id, fmt::join(c.misfits, "; "));
  }
  text += skipped_text(result.skipped);
  return text;
}

}  // namespace railwright::output
