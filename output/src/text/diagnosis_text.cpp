// SPDX-License-Identifier: Apache-2.0
#include "railwright/output/text/diagnosis_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>

#include "../words/number_text.hpp"
#include "../words/phrases.hpp"
#include "railwright/core/units/text.hpp"
#include "verdict_lines.hpp"

namespace railwright::output {

namespace {

using core::to_text;
using planner::Diagnosis;
using planner::PossibleReason;

constexpr std::size_t kMaxPrinted = 6;

std::string answer_text(const Diagnosis& made, const TextStyle& style) {
  const char* side = made.is_slower() ? "slower" : "faster";
  const std::string head =
      fmt::format("{} than predicted, {} sites", side,
                  made.is_inside() ? "within the spread of" : "beyond the spread of");
  return fmt::format("{}: {} measured, {} predicted ({})",
                     strong(head, style, made.is_inside() ? "1;32" : "1;31"),
                     to_text(made.measured), to_text(made.predicted),
                     signed_percent(made.measured / made.predicted - 1.0));
}

std::string interval_text(const Diagnosis& made) {
  if (!(made.low < made.high)) return "none: the spread between sites is not known";
  return fmt::format("{} to {}; the measurement is {}", to_text(made.low), to_text(made.high),
                     made.is_inside() ? "within" : "outside");
}

std::string reason_text(const PossibleReason& reason) {
  std::string what;
  for (const planner::SuspectedCause& one : reason.causes) {
    what += (what.empty() ? "" : ", and ") + one.what;
  }
  return fmt::format("{}: {}, plausibility {}", what, to_text(reason.step_time),
                     percent(reason.plausibility, 0));
}

std::string part_text(const planner::TimedPart& part) {
  return fmt::format("{}: {} measured ({}), {} predicted", part.what, to_text(part.measured),
                     part.timers, to_text(part.predicted));
}

/// Returns what the run must have been started with for the answer to hold; empty if all was said.
std::string left_open(std::span<const planner::Chosen> chosen) {
  std::string open;
  for (const planner::Chosen& one : chosen) {
    const bool decides = one.key == "software" || one.key == "software.model" ||
                         one.key == "parallelism" || one.key == "workload.global_batch" ||
                         one.key == "workload.sequence_length" || one.key == "software.recompute";
    if (decides) open += fmt::format("{}{}", open.empty() ? "" : ", ", one.key);
  }
  if (open.empty()) return open;
  return fmt::format(
      "your run has the values that were chosen below for {}; if not, give yours with --set, or "
      "`railwright import` your launch script",
      open);
}

}  // namespace

std::string to_text(const Diagnosis& made, std::span<const planner::Chosen> chosen,
                    const TextStyle& style) {
  if (!made.feasible()) return unfit_head(made.name, made.infeasible, style);
  std::string text = title(made.name, 1, style) + fact("verdict", answer_text(made, style)) +
                     fact("80 % interval", interval_text(made));
  if (const std::string open = left_open(chosen); !open.empty()) text += fact("only if", open);
  for (const planner::TimedPart& part : made.parts) {
    text += fact(&part == made.parts.data() ? "parts" : "", part_text(part));
  }
  const std::size_t shown = std::min(made.reasons.size(), kMaxPrinted);
  for (std::size_t i = 0; i < shown; ++i) {
    text += fact(i == 0 ? "it may be" : "", reason_text(made.reasons[i]));
  }
  text += fact(shown == 0 ? "it may be" : "",
               fmt::format("none of {} tried: plausibility {}", plural(made.num_tried, "cause"),
                           percent(made.unexplained, 0)));
  for (const std::string& one : made.measure) {
    text += fact(&one == made.measure.data() ? "look at" : "", one);
  }
  return text + fact("plausibility",
                     "starts from estimates of how likely each cause is before a measurement");
}

}  // namespace railwright::output
