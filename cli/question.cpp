// SPDX-License-Identifier: Apache-2.0
#include "question.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "output_file.hpp"
#include "railwright/core/error.hpp"
#include "railwright/output/yaml/chosen_yaml.hpp"

namespace railwright::cli {

namespace {

constexpr const char* kSave = "--save";

std::string option_of(const planner::Word& word) {
  return planner::written(word, planner::Door::kCommand);
}

/// Refuses the unit of `--deadline 6 weeks`, which the command line takes for a file.
void refuse_loose_unit(const std::string& file) {
  constexpr auto kUnits = std::to_array<std::string_view>(
      {"w",     "week",  "weeks",   "d",       "day",      "days", "h",  "hour",
       "hours", "month", "months",  "s",       "ms",       "k",    "K",  "M",
       "B",     "T",     "million", "billion", "trillion", "kW",   "MW", "USD"});
  std::error_code error;
  if (std::ranges::find(kUnits, file) == kUnits.end() || std::filesystem::exists(file, error)) {
    return;
  }
  const bool is_month = file.starts_with("month");
  throw core::ConfigError(
      {{{file, 0, 0},
        "",
        "is the unit of a value, and stands alone",
        is_month ? "months differ in length: write weeks, such as 13w for a quarter of a year"
                 : fmt::format("write both in quotes, such as '6 {}'", file)}});
}

}  // namespace

std::vector<planner::Said> words_of(const Options& options) {
  std::vector<planner::Said> words;
  for (const planner::Word& word : planner::kWords) {
    const std::string option = option_of(word);
    if (!options.has(option)) continue;
    words.push_back(planner::said(word, options.text(option), planner::Door::kCommand));
  }
  return words;
}

std::vector<OptionSpec> word_options(std::string_view keys) {
  std::vector<OptionSpec> options;
  for (const planner::Word& word : planner::kWords) {
    if (!word.key.starts_with(keys)) continue;
    options.push_back({.name = option_of(word),
                       .kind = OptionKind::kValue,
                       .value = std::string(word.value),
                       .help = std::string(word.help),
                       .catalogue = std::string(word.catalogue)});
  }
  return options;
}

std::vector<OptionSpec> question_options(std::string_view keys) {
  std::vector<OptionSpec> options = file_options();
  options.front().required = false;
  options.front().help =
      "The scenario, a YAML file; - reads standard input. Options ask without one";
  std::ranges::move(word_options(keys), std::back_inserter(options));
  options.push_back({.name = kSave,
                     .kind = OptionKind::kValue,
                     .value = "FILE",
                     .help = "Write the scenario that was answered, with what was chosen for it"});
  return options;
}

core::Node load_question(const Options& options, const core::Catalogue& catalogue,
                         planner::Asked asked, Streams& streams) {
  planner::Question question{
      .scenario = std::nullopt, .words = words_of(options), .settings = options.list("--set")};
  refuse_loose_unit(options.text("scenario"));
  if (options.has("scenario")) question.scenario = load_tree(options);
  planner::Filled filled =
      planner::answerable(std::move(question), catalogue, asked, planner::Door::kCommand);
  if (options.has(kSave)) {
    write_file(kSave, options.text(kSave),
               [&](std::ostream& out) { out << output::chosen_yaml(filled, options.command()); });
  }
  streams.chosen = std::move(filled.chosen);
  return std::move(filled.tree);
}

}  // namespace railwright::cli
