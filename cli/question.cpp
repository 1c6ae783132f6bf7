// SPDX-License-Identifier: Apache-2.0
#include "question.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "output_file.hpp"
#include "railwright/output/yaml/chosen_yaml.hpp"

namespace railwright::cli {

namespace {

constexpr const char* kSave = "--save";

std::string option_of(const planner::Word& word) {
  return planner::written(word, planner::Door::kCommand);
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
