// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "../words/number_text.hpp"
#include "../words/phrases.hpp"
#include "../words/result_text.hpp"
#include "difference_text.hpp"
#include "railwright/core/units/text.hpp"
#include "railwright/output/text/text.hpp"
#include "railwright/output/text/verdict.hpp"
#include "railwright/workloads/training/outputs.hpp"
#include "training_text.hpp"

namespace railwright::output {

namespace {

using core::to_text;
using TrainingNumber = simulation::Number<simulation::SimulationResult>;

/// Designs per table in addition to the first, so that a line fits a terminal.
constexpr std::size_t kColumns = 4;

/// Numbers with a smaller place describe a step.
constexpr int kBehindStep = 10;

/// Returns the numbers that have a row, in the order of the rows.
std::vector<const TrainingNumber*> numbers_beside() {
  std::vector<const TrainingNumber*> all;
  for (const TrainingNumber& one : simulation::result_numbers()) {
    if (!one.beside.text.empty()) all.push_back(&one);
  }
  std::ranges::stable_sort(all, {}, [](const TrainingNumber* one) { return one->beside.place; });
  return all;
}

/// "+1.32 h (+4.0 %)".
std::string change(core::Duration from, core::Duration to) {
  const core::Duration less = to < from ? from - to : to - from;
  return fmt::format("{}{} ({})", to < from ? "-" : "+", to_text(less),
                     signed_percent(to / from - 1.0));
}

std::string limits(const simulation::SimulationResult& result) {
  const auto causes = causes_by_time(result.breakdown);
  return fmt::format("{} {:.0f} %", simulation::facts_of(causes[0]).words,
                     100.0 * (result.breakdown[causes[0]] / result.breakdown.total()));
}

/// A table of some designs; it always includes the first of all.
class DesignTable {
 public:
  DesignTable(const planner::SideBySide& all, std::size_t begin, std::size_t end) : all_(all) {
    shown_.push_back(0);
    for (std::size_t i = begin; i < end; ++i) shown_.push_back(i);
  }

  [[nodiscard]] std::string text(const TextStyle& style) {
    std::vector<std::string> header = {""};
    for (const std::size_t i : shown_) header.push_back(all_.designs[i].name);
    Table table(header);
    table_ = &table;
    add_times();
    number_rows(kBehindStep, simulation::Label::kLast + 1);
    row("rack units",
        [](const simulation::SimulationResult& r) { return std::to_string(r.parts.rack_units()); });
    return table.text(style);
  }

 private:
  /// Adds a row if any design has a value.
  template <class Says>
  void row(const std::string& label, const Says& says) {
    std::vector<std::string> cells = {label};
    bool any = false;
    for (const std::size_t i : shown_) {
      cells.push_back(all_.designs[i].is_valid ? says(all_.designs[i].result) : "");
      any = any || !cells.back().empty();
    }
    if (any) table_->add_row(std::move(cells));
  }
  /// Adds a row of a value that only feasible designs have.
  template <class Says>
  void run_row(const std::string& label, const Says& says) {
    row(label, [&](const simulation::SimulationResult& result) {
      return result.feasible() ? says(result) : std::string();
    });
  }

  static std::string time_of(const planner::DesignResult& design) {
    if (!design.is_valid) return "invalid";
    if (!design.result.feasible()) return "does not fit";
    return to_text(design.result.run.job().training_time());
  }

  void add_times() {
    const simulation::SimulationResult& first = all_.designs.front().result;
    std::vector<std::string> times = {"training time"};
    for (const std::size_t i : shown_) times.push_back(time_of(all_.designs[i]));
    table_->add_row(std::move(times));
    run_row("difference", [&](const simulation::SimulationResult& r) {
      const bool has_change = first.feasible() && &r != &first;
      return has_change ? change(first.run.job().training_time(), r.run.job().training_time())
                        : std::string();
    });
    number_rows(0, kBehindStep);
    run_row("largest part of a step", limits);
  }

  /// Adds the rows of the numbers with a place from `begin` to `end` - 1.
  void number_rows(int begin, int end) {
    for (const TrainingNumber* one : numbers_) {
      const TrainingNumber& number = *one;
      if (number.beside.place < begin || number.beside.place >= end) continue;
      row(std::string(number.beside.text), [&](const simulation::SimulationResult& result) {
        const simulation::NumberValue value = number.of(result);
        const bool is_shown = value && !(number.hides_zero && value.number() == 0.0);
        if (!is_shown) return std::string();
        const bool is_partial = result.cost && !result.cost->ownership.unpriced.empty();
        return at_least(number.format, is_partial) + number_text(value.number(), number.format);
      });
    }
  }

  const planner::SideBySide& all_;
  std::vector<std::size_t> shown_;
  std::vector<const TrainingNumber*> numbers_ = numbers_beside();
  Table* table_ = nullptr;
};

/// Returns the feasible designs, the fastest first.
std::vector<const planner::DesignResult*> by_time(const planner::SideBySide& all) {
  std::vector<const planner::DesignResult*> designs;
  for (const planner::DesignResult& design : all.designs) {
    if (design.result.feasible()) designs.push_back(&design);
  }
  std::ranges::stable_sort(designs, {}, [](const planner::DesignResult* design) {
    return design->result.run.job().training_time();
  });
  return designs;
}

bool is_same_work(const simulation::SimulationResult& a, const simulation::SimulationResult& b) {
  return a.num_parameters == b.num_parameters &&
         a.steps * a.samples_per_step == b.steps * b.samples_per_step;
}

/// States which of two designs is faster, or that no printed digit differs.
std::string faster_text(const planner::DesignResult& best, const planner::DesignResult& next,
                        double saving) {
  const core::Duration time = best.result.run.job().training_time();
  const core::Duration less = next.result.run.job().training_time() - time;
  if (percent(saving) == percent(0.0)) {
    return fmt::format("{} and {} train equally fast, in {}", best.name, next.name, to_text(time));
  }
  return fmt::format("{} is faster: {}, {} ({}) less than {}", best.name, to_text(time),
                     to_text(less), percent(saving), next.name);
}

/// States the interval of the saving, or those of the two designs where they vary by themselves.
std::string interval_text(const planner::DesignResult& best, const planner::DesignResult& next,
                          double saving) {
  const auto is_known = [](const planner::DesignResult& one) {
    return one.result.step_time_low < one.result.step_time_high;
  };
  const std::string interval = saving_interval(saving, best.result, next.result);
  if (!interval.empty()) return interval + " less (spread between sites)";
  if (!is_known(best) || !is_known(next)) return "none: the spread between sites is not known";
  return fmt::format("{} {}; {} {}", best.name, training_interval(best.result), next.name,
                     training_interval(next.result));
}

/// States what it takes to make the first design the fastest other one; empty without prices.
std::string exchange_fact(const planner::DesignResult& first, const planner::DesignResult& best,
                          const planner::DesignResult& next) {
  const planner::DesignResult& other = &best == &first ? next : best;
  const std::string text = exchange_text(first.result, other.result);
  return text.empty()
             ? text
             : fact("to change", fmt::format("{} to {}: {}", first.name, other.name, text));
}

/// Explains why a design differs from the first, or does not fit.
std::string reason(const planner::SideBySide& all, std::size_t i) {
  const planner::DesignResult& design = all.designs[i];
  std::string text;
  for (const simulation::Infeasibility& why : design.result.infeasible) {
    text += fmt::format("{}: {}\n", design.name, why.what);
  }
  const std::vector<planner::TimePart> changes = all.changes(i);
  if (changes.empty()) return text;
  text += fmt::format("{}: ", design.name);
  const std::size_t num_shown = std::min<std::size_t>(changes.size(), 4);
  for (std::size_t c = 0; c < num_shown; ++c) {
    const core::Duration time = changes[c].time;
    const bool is_less = time < core::Duration{};
    text += fmt::format("{}{} {}{}", c > 0 ? ", " : "", words(changes[c].name), is_less ? "-" : "+",
                        to_text(is_less ? core::Duration{} - time : time));
  }
  return text + (num_shown < changes.size() ? ", others below\n" : "\n");
}

}  // namespace

std::string verdict(const planner::SideBySide& result, const TextStyle& style) {
  const auto designs = by_time(result);
  const std::size_t num_all = result.designs.size();
  if (designs.empty()) {
    return fact("verdict",
                strong(fmt::format("none of {} fits", plural(std::ssize(result.designs), "design")),
                       style, "1;31"));
  }
  const planner::DesignResult& best = *designs.front();
  std::string text;
  if (designs.size() == 1) {
    text = fact("verdict", strong(best.name, style, "1;32") + " alone fits, and trains in " +
                               to_text(best.result.run.job().training_time()));
  } else {
    const planner::DesignResult& next = *designs[1];
    const double saving =
        1.0 - best.result.run.job().training_time() / next.result.run.job().training_time();
    text = fact("verdict", strong(faster_text(best, next, saving), style, "1;32"));
    text += fact("80 % interval", interval_text(best, next, saving));
    text += difference_fact(best.result, next.result);
    text += exchange_fact(result.designs.front(), best, next);
    if (!is_same_work(best.result, next.result)) {
      text += fact("caution", "the two train different models or samples");
    }
  }
  if (designs.size() < num_all) {
    text += fact("", fmt::format("{} of {} do not fit or are invalid", num_all - designs.size(),
                                 plural(std::ssize(result.designs), "design")));
  }
  for (const planner::DesignResult& design : result.designs) {
    if (!design.is_valid)
      text += fact("invalid", design.name + ": " + design.result.infeasible.front().what);
  }
  return text;
}

std::string to_text(const planner::SideBySide& result, const TextStyle& style) {
  std::string text;
  const std::size_t count = result.designs.size();
  for (std::size_t begin = 1; begin < count || begin == 1; begin += kColumns) {
    text += DesignTable(result, begin, std::min(begin + kColumns, count)).text(style) + "\n";
  }
  std::string reasons;
  for (std::size_t i = 0; i < count; ++i) reasons += reason(result, i);
  if (!reasons.empty()) text += "Differences from " + result.designs.front().name + ":\n" + reasons;
  return text;
}

}  // namespace railwright::output
