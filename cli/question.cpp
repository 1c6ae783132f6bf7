// SPDX-License-Identifier: Apache-2.0
#include "question.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "output_file.hpp"
#include "railwright/output/yaml/chosen_yaml.hpp"
#include "railwright/planner/unsaid/question.hpp"
#include "railwright/simulation/scenario/with_settings.hpp"

namespace railwright::cli {

namespace {

constexpr const char* kSave = "--save";

std::string option_of(const planner::Word& word) { return fmt::format("--{}", word.name); }

std::vector<planner::Said> words_of(const Options& options) {
  std::vector<planner::Said> words;
  for (const planner::Word& word : planner::kWords) {
    const std::string option = option_of(word);
    if (!options.has(option)) continue;
    const std::string text = options.text(option);
    words.push_back({&word, text, fmt::format("{} {}", option, text)});
  }
  return words;
}

/// Returns the scenario of the file and --set, or an empty one where a question needs none.
core::Node beneath(const Options& options, bool has_model) {
  if (options.has("scenario")) return load_tree(options);
  if (!has_model) {
    throw core::ConfigError({{{"railwright"},
                              "",
                              "nothing to answer: name a scenario FILE, or ask with --model NAME",
                              "`railwright help` has examples"}});
  }
  return {};
}

}  // namespace

std::vector<OptionSpec> question_options() {
  std::vector<OptionSpec> options = file_options();
  options.front().required = false;
  options.front().help =
      "The scenario, a YAML file; - reads standard input. Options ask without one";
  for (const planner::Word& word : planner::kWords) {
    options.push_back({.name = option_of(word),
                       .kind = OptionKind::kValue,
                       .value = std::string(word.value),
                       .help = std::string(word.help)});
  }
  options.push_back({.name = kSave,
                     .kind = OptionKind::kValue,
                     .value = "FILE",
                     .help = "Write the scenario that was answered, with what was chosen for it"});
  return options;
}

core::Node load_question(const Options& options, const core::Catalogue& catalogue,
                         planner::Asked asked, Streams& streams) {
  const std::vector<planner::Said> words = words_of(options);
  const bool has_model = std::ranges::any_of(
      words, [](const planner::Said& said) { return said.word->name == "model"; });
  core::Node tree = beneath(options, has_model);
  if (!words.empty()) tree = planner::with_words(std::move(tree), words, catalogue);
  if (!options.has("scenario"))
    tree = simulation::with_settings(std::move(tree), options.list("--set"));
  const bool wants_nodes = asked != planner::Asked::kSize && !options.has("scenario");
  if (wants_nodes && core::find_path(tree, "cluster.nodes") == nullptr) {
    throw core::ConfigError({{{"railwright"},
                              "",
                              "on how many nodes? name --nodes N or --gpus N",
                              "`size` finds how many"}});
  }
  planner::Filled filled = planner::fill_in(std::move(tree), catalogue, asked);
  if (options.has(kSave)) {
    write_file(kSave, options.text(kSave),
               [&](std::ostream& out) { out << output::chosen_yaml(filled, options.command()); });
  }
  streams.chosen = std::move(filled.chosen);
  return std::move(filled.tree);
}

}  // namespace railwright::cli
