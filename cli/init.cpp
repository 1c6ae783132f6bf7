// SPDX-License-Identifier: Apache-2.0
// Asks for what a scenario hangs on, and writes one.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common.hpp"
#include "output_file.hpp"
#include "railwright/output/yaml/chosen_yaml.hpp"
#include "railwright/planner/unsaid/question.hpp"

namespace railwright::cli {

namespace {

/// A thing to ask for, and what an empty line means.
struct Prompt {
  std::string_view word;  ///< of a question
  std::string_view text;
  std::string_view fallback;
};

constexpr auto kTraining = std::to_array<Prompt>({
    {"model", "Which model? (`railwright catalogue list workloads` has the names)",
     "llama-3.1-70b"},
    {"node", "Which node? (`railwright catalogue list nodes`)", "dgx-h100"},
    {"tokens", "How many tokens?", "1.5T"},
    {"deadline", "In what time?", "6w"},
});

constexpr auto kService = std::to_array<Prompt>({
    {"model", "Which model? (`railwright catalogue list workloads` has the names)",
     "llama-3.3-70b"},
    {"node", "Which node? (`railwright catalogue list nodes`)", "dgx-h100"},
    {"users", "How many users, who each ask once a minute?", "2000"},
    {"tpot", "Longest time for each further token?", "40ms"},
});

/// Returns a line of standard input, or what stands for an empty one. Throws ConfigError at its
/// end.
std::string answer(const Prompt& prompt, std::ostream& err) {
  err << fmt::format("{} [{}] ", prompt.text, prompt.fallback) << std::flush;
  std::string line;
  if (!std::getline(std::cin, line)) {
    err << '\n';
    throw core::ConfigError({{{"standard input"},
                              "",
                              fmt::format("ended before an answer to: {}", prompt.text),
                              "nothing was written"}});
  }
  const std::size_t first = line.find_first_not_of(" \t\r");
  if (first == std::string::npos) return std::string(prompt.fallback);
  return line.substr(first, line.find_last_not_of(" \t\r") + 1 - first);
}

const planner::Word& word_named(std::string_view name) {
  return *std::ranges::find(planner::kWords, name, &planner::Word::name);
}

int run_init(const Options& options, Streams& streams) {
  const std::string file = options.text("file");
  if (std::filesystem::exists(file)) {
    throw core::ConfigError({{{file}, "", "is there already", "name another file"}});
  }
  const core::Catalogue catalogue = open_catalogue(options);
  const std::string what =
      answer({"", "A training job or a service? (training, service)", "training"}, streams.err);
  if (what != "training" && what != "service") {
    throw core::ConfigError({{{what}, "", "expected training or service", ""}});
  }
  const bool is_service = what == "service";
  std::vector<planner::Said> said;
  for (const Prompt& prompt : is_service ? std::span(kService) : std::span(kTraining)) {
    std::string text = answer(prompt, streams.err);
    said.push_back({&word_named(prompt.word), text, fmt::format("{}: {}", prompt.word, text)});
  }
  const planner::Filled filled =
      planner::fill_in(planner::with_words({}, said, catalogue), catalogue, planner::Asked::kSize);
  const std::string next = fmt::format("railwright size {}", file);
  write_file("init", file, [&](std::ostream& out) { out << output::chosen_yaml(filled, next); });
  streams.out << fmt::format("{} is written; its first line answers it: {}\n", file, next);
  return kOk;
}

}  // namespace

Verb init_verb() {
  return {.name = "init",
          .help = "Ask five things and write a scenario",
          .options = {{.name = "file",
                       .kind = OptionKind::kPositional,
                       .value = "FILE",
                       .help = "The file to write, which must not exist",
                       .fallback = "scenario.yaml"},
                      catalogue_option()},
          .run = run_init};
}

}  // namespace railwright::cli
