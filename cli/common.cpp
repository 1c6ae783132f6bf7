// SPDX-License-Identifier: Apache-2.0
#include "common.hpp"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <system_error>

#include "railwright/output/words/lines.hpp"
#include "railwright/simulation/scenario/data_path.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/with_settings.hpp"

namespace railwright::cli {

namespace {

constexpr const char* kAllowInclude = "--allow-include";
constexpr const char* kTables = "--tables";

std::vector<std::string> folders(const Options& options, const std::string& option) {
  std::vector<core::Diagnostic> problems;
  for (const std::string& folder : options.list(option)) {
    std::error_code error;
    if (!std::filesystem::is_directory(folder, error)) {
      problems.push_back({{fmt::format("{} {}", option, folder)}, "", "no such folder", ""});
    }
  }
  if (!problems.empty()) throw core::ConfigError(std::move(problems));
  return options.list(option);
}

}  // namespace

OptionSpec format_option() {
  return {.name = "--format",
          .kind = OptionKind::kValue,
          .value = "FORMAT",
          .help = "How the result is written",
          .fallback = "text",
          .choices = {"text", "json"}};
}

OptionSpec catalogue_option() {
  return {.name = "--catalogue",
          .kind = OptionKind::kList,
          .value = "DIR",
          .help = "A folder of catalogue entries that come before the built-in ones; repeatable"};
}

OptionSpec allow_include_option() {
  return {.name = kAllowInclude,
          .kind = OptionKind::kList,
          .value = "DIR",
          .help = "A folder of files that documents may name, besides their own; repeatable"};
}

OptionSpec threads_option() {
  return {.name = "--threads",
          .kind = OptionKind::kValue,
          .value = "N",
          .help = "Threads; 0: as many as there are cores",
          .fallback = "0"};
}

std::vector<OptionSpec> file_options() {
  return {{.name = "scenario",
           .kind = OptionKind::kPositional,
           .value = "FILE",
           .help = "The scenario, a YAML file",
           .required = true},
          {.name = "--set",
           .kind = OptionKind::kList,
           .value = "PATH=VALUE",
           .help = "Change one key of the scenario, such as cluster.nodes=4; repeatable"},
          allow_include_option()};
}

std::vector<OptionSpec> scenario_options(std::vector<OptionSpec> options) {
  options.push_back({.name = "--estimate",
                     .help = "Closed form with the busiest link in place of simulated events"});
  options.push_back(format_option());
  options.push_back(catalogue_option());
  return options;
}

int whole_number(const Options& options, const std::string& name, int least, int most) {
  const std::string text = options.text(name);
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc{} && end == text.data() + text.size() && value >= least && value <= most) {
    return value;
  }
  throw core::ConfigError({{{name + " " + text},
                            "",
                            fmt::format("expected a whole number from {} to {}", least, most),
                            ""}});
}

bool wants_json(const Options& options) { return options.text("--format") == "json"; }

void put_text(Streams& streams, const std::string& text) {
  streams.out << output::wrapped(text, streams.style.width);
}

OptionSpec tables_option() {
  return {.name = kTables, .help = "Print all numbers after the verdict, as tables"};
}

bool wants_tables(const Options& options) { return options.flag(kTables); }

simulation::Method method_of(const Options& options) {
  return options.flag("--estimate") ? simulation::Method::kEstimate : simulation::Method::kSimulate;
}

core::Catalogue open_catalogue(const Options& options) {
  return core::Catalogue(simulation::catalogue_roots(folders(options, "--catalogue")));
}

std::vector<std::string> include_folders(const Options& options) {
  return folders(options, kAllowInclude);
}

core::Node load_tree(const Options& options) {
  if (options.text("scenario") == "-") {
    const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
    return simulation::with_settings(core::parse_yaml(text, "standard input"),
                                     options.list("--set"));
  }
  return simulation::load_scenario_tree(options.text("scenario"), options.list("--set"),
                                        include_folders(options));
}

core::Node load_suite(const std::string& name) {
  if (name.find('/') != std::string::npos || name.ends_with(".yaml")) return core::load_yaml(name);
  const std::string path = simulation::suite_path(name);
  if (path.empty()) {
    throw core::ConfigError({{{"--suite " + name},
                              "",
                              "no suite of this name",
                              "a file's name has a slash or ends in .yaml"}});
  }
  return core::load_yaml(path);
}

}  // namespace railwright::cli
