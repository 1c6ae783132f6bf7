// SPDX-License-Identifier: Apache-2.0
// The command line: passes commands to CLI11, exit codes to the caller, results to standard output.
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <list>
#include <new>
#include <sstream>
#include <string_view>

#include "common.hpp"
#include "output_file.hpp"
#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/error.hpp"
#include "railwright/core/parallel_for.hpp"
#include "railwright/core/stop.hpp"
#include "railwright/core/units/nearest.hpp"
#include "railwright/output/json/chosen_json.hpp"
#include "railwright/output/text/chosen_text.hpp"
#include "railwright/planner/unsaid/question.hpp"
#include "standard_streams.hpp"
#include "verb.hpp"

namespace railwright::cli {

namespace {

constexpr const char* kAbout =
    "Sizes clusters that train and serve AI models: how many nodes, how long, and what limits "
    "them.";

/// First steps for the help; tests/cli runs them.
constexpr const char* kFirst =
    "Ask without a file, for example:\n"
    "  railwright size --model llama-3.1-70b --tokens 1.5T --deadline 6w\n"
    "  railwright size --model llama-3.3-70b --users 2000 --tpot 40ms\n"
    "  railwright search --model llama-3.1-70b --gpus 384\n"
    "--save FILE keeps the question as a scenario that you can change; `railwright init` asks for\n"
    "one; `railwright help COMMAND` has the options of a command.";

/// A command in the parser, with its values.
struct Command {
  const Verb* verb;
  CLI::App* app;
  Options options;
};

void add_option(CLI::App& app, const OptionSpec& spec, Options& options) {
  std::vector<std::string>& slot = options.slot(spec.name);
  if (spec.kind == OptionKind::kFlag) {
    app.add_flag_callback(spec.name, [&slot] { slot = {"true"}; }, spec.help);
    return;
  }
  if (!spec.fallback.empty()) slot = {spec.fallback};
  std::string help = spec.help;
  if (!spec.fallback.empty()) help += fmt::format(" (default: {})", spec.fallback);
  CLI::Option* option = nullptr;
  if (spec.kind == OptionKind::kList || spec.kind == OptionKind::kPositionals) {
    option = app.add_option(spec.name, slot, help);
    // `--set a=b S.yaml`: the file is not a setting
    option->allow_extra_args(spec.kind == OptionKind::kPositionals);
  } else {
    option = app.add_option_function<std::string>(
        spec.name, [&slot](const std::string& value) { slot = {value}; }, help);
  }
  option->type_name(spec.value)->required(spec.required);
  if (!spec.choices.empty()) option->check(CLI::IsMember(spec.choices));
}

void add_verb(CLI::App& parent, const Verb& verb, std::list<Command>& commands) {
  CLI::App* app = parent.add_subcommand(verb.name, verb.help);
  app->footer("");
  Command& command = commands.emplace_back(Command{&verb, app, {}});
  for (const OptionSpec& spec : verb.options) add_option(*app, spec, command.options);
  for (const Verb& below : verb.verbs) add_verb(*app, below, commands);
  if (!verb.verbs.empty()) app->require_subcommand(1);
}

/// Words that people use for a command, and its name.
constexpr auto kOtherVerbs =
    std::to_array<std::array<std::string_view, 2>>({{"queue", "simulate"},
                                                    {"run", "simulate"},
                                                    {"predict", "simulate"},
                                                    {"train", "size"},
                                                    {"plan", "size"},
                                                    {"infer", "size"},
                                                    {"optimize", "search"},
                                                    {"tune", "search"},
                                                    {"why", "diagnose"},
                                                    {"cost", "prices"},
                                                    {"web", "serve"},
                                                    {"list", "catalogue"},
                                                    {"show", "catalogue"}});

/// Returns the command that a word means among the names, empty for none.
std::string meant_verb(const std::string& word, const std::vector<std::string>& names) {
  for (const auto& [called, name] : kOtherVerbs) {
    if (word == called && std::ranges::find(names, name) != names.end()) return std::string(name);
  }
  return core::nearest(word, names);
}

/// Returns a message for a misspelt command, which CLI11 calls an unexpected argument.
std::string unknown_verb(const std::vector<Verb>& verbs, const std::vector<std::string>& words,
                         std::size_t at = 0) {
  if (verbs.empty() || (at < words.size() && words[at].starts_with('-'))) return {};
  std::vector<std::string> names;
  for (const Verb& verb : verbs) names.push_back(verb.name);
  if (at >= words.size()) {
    return at == 0 ? std::string()
                   : fmt::format(
                         "railwright {0}: say what to do, one of {1}; for example "
                         "`railwright {0} {2}`",
                         words.front(), fmt::join(names, ", "), names.front());
  }
  for (const Verb& verb : verbs) {
    if (verb.name == words[at]) return unknown_verb(verb.verbs, words, at + 1);
  }
  const std::string near = meant_verb(words[at], names);
  return fmt::format("railwright: there is no command '{}'; {}", words[at],
                     near.empty() ? fmt::format("known: {}", fmt::join(names, ", "))
                                  : fmt::format("did you mean '{}'?", near));
}

/// Returns the command that words name, null for none.
const Verb* named_verb(const std::vector<Verb>& verbs, const std::vector<std::string>& words,
                       std::size_t at = 0) {
  if (at >= words.size()) return nullptr;
  const auto verb = std::ranges::find(verbs, words[at], &Verb::name);
  if (verb == verbs.end()) return nullptr;
  return verb->verbs.empty() ? &*verb : named_verb(verb->verbs, words, at + 1);
}

/// Options that other tools have or people guess, and how the same is said here: an option, and
/// what to write with it.
constexpr auto kElsewhere = std::to_array<std::array<std::string_view, 3>>(
    {{"--tp", "--set", "write `--set parallelism.tp=8`, for a service `--set inference.tp=8`"},
     {"--pp", "--set", "write `--set parallelism.pp=4`, for a service `--set inference.pp=2`"},
     {"--cp", "--set", "write `--set parallelism.cp=2`"},
     {"--ep", "--set", "write `--set parallelism.ep=8`, for a service `--set inference.ep=8`"},
     {"--batch", "--set", "write `--set workload.global_batch=1024`"},
     {"--global-batch", "--set", "write `--set workload.global_batch=1024`"},
     {"--micro-batch", "--set", "write `--set workload.micro_batch=1`"},
     {"--seq", "--set", "write `--set workload.sequence_length=4096`"},
     {"--seq-len", "--set", "write `--set workload.sequence_length=4096`"},
     {"--steps", "--set", "write `--set workload.steps=1000`"},
     {"--precision", "--set",
      "write `--set software.precision=fp8`, for a service `--set inference.weights=fp8`"},
     {"--nics", "--set", "write `--set cluster.node.nics.count=4`"},
     {"--concurrency", "--set", "write `--set inference.concurrency=64`"},
     {"--prompt", "--set", "write `--set inference.prompt_tokens=1500`"},
     {"--input", "--set", "write `--set inference.prompt_tokens=1500`"},
     {"--isl", "--set", "write `--set inference.prompt_tokens=1500`"},
     {"--output", "--set", "write `--set inference.output_tokens=350`"},
     {"--osl", "--set", "write `--set inference.output_tokens=350`"},
     {"--storage", "--set",
      "write `--set 'cluster.storage={node: powerscale-f710, count: 12, switch: "
      "z9432f-on-128x100g}'`"},
     {"--writes", "--set", "loads on a storage are a file: examples/three-teams-as-loads.yaml"},
     {"--reads", "--set", "loads on a storage are a file: examples/three-teams-as-loads.yaml"},
     {"--rps", "--requests-per-s", "write `--requests-per-s 33`"},
     {"--qps", "--requests-per-s", "write `--requests-per-s 33`"},
     {"--days", "--deadline", "write `--deadline 42d`"},
     {"--weeks", "--deadline", "write `--deadline 6w`"},
     {"--months", "--deadline", "months differ in length: `--deadline 13w` is a quarter of a year"},
     {"--date", "--deadline", "write `--deadline 2027-06-01`"},
     {"--by", "--deadline", "write `--deadline 2027-06-01`"},
     {"--step", "--measured", "write `--measured 25.3s`"},
     {"--step-time", "--measured", "write `--measured 25.3s`"},
     {"--time", "--measured", "write `--measured 25.3s`"}});

/// Returns how the command says what an option of another tool says; empty for none.
std::string said_here(std::string_view name, const std::vector<std::string>& known) {
  const auto knows = [&](std::string_view option) {
    return std::ranges::find(known, option) != known.end();
  };
  for (const auto& [elsewhere, option, hint] : kElsewhere) {
    if (elsewhere == name && knows(option)) return std::string(hint);
  }
  const bool is_word = std::ranges::any_of(planner::kWords, [&](const planner::Word& word) {
    return planner::written(word, planner::Door::kCommand) == name;
  });
  if (!is_word || !knows("scenario")) return {};
  if (knows("--nodes")) return "the answer does not depend on it: leave it out";
  return "it reads a file, which a question writes: `railwright simulate --model llama-2-7b "
         "--nodes 2 --save my.yaml`";
}

/// Returns a message for the first option that the command does not have; empty if it has all.
std::string unknown_option(const std::vector<Verb>& verbs, const std::vector<std::string>& words) {
  const Verb* verb = named_verb(verbs, words);
  std::vector<std::string> known = {"--help"};
  if (verb == nullptr) known.emplace_back("--version");
  if (verb != nullptr) {
    for (const OptionSpec& spec : verb->options) known.push_back(spec.name);
  }
  const std::string command = verb == nullptr ? "railwright" : "railwright " + verb->name;
  for (const std::string& word : words) {
    const std::string name = word.substr(0, word.find('='));
    if (!name.starts_with("--") || std::ranges::find(known, name) != known.end()) continue;
    const std::string near = core::nearest(name, known);
    const std::string here = said_here(name, known);
    return fmt::format("{}: there is no option '{}'; {}", command, name,
                       !here.empty()  ? here
                       : near.empty() ? fmt::format("`{} --help` lists them", command)
                                      : fmt::format("did you mean '{}'?", near));
  }
  return {};
}

/// Returns what a required option that is missing gives; empty if none is missing.
std::string missing_option(const std::vector<Verb>& verbs, const std::vector<std::string>& words) {
  const Verb* verb = named_verb(verbs, words);
  if (verb == nullptr) return {};
  for (const OptionSpec& spec : verb->options) {
    const auto names_it = [&](const std::string& word) {
      return word == spec.name || word.starts_with(spec.name + "=");
    };
    const bool is_option = spec.name.starts_with("--");
    const bool is_alone = words.back() == verb->name;  // a positional word may be anywhere
    if (!is_option && spec.required && is_alone) {
      return fmt::format("railwright {}: {} is missing: {}", verb->name, spec.value, spec.help);
    }
    if (!is_option || !spec.required || std::ranges::any_of(words, names_it)) continue;
    return fmt::format("railwright {}: {} {} is missing: {}", verb->name, spec.name, spec.value,
                       spec.help);
  }
  return {};
}

bool wants_color() {
  const char* off = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool dumb = terminal != nullptr && std::strcmp(terminal, "dumb") == 0;
  return (off == nullptr || *off == '\0') && !dumb && isatty(STDOUT_FILENO) == 1;
}

/// Returns the columns of the terminal that shows the result; 0 if it goes elsewhere.
std::size_t terminal_width() {
  constexpr std::size_t kNarrowest = 40;
  constexpr std::size_t kUnknown = 80;
  if (isatty(STDOUT_FILENO) != 1) return 0;
  winsize size{};
  const bool is_known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return is_known ? std::max<std::size_t>(size.ws_col, kNarrowest) : kUnknown;
}

/// Returns --threads; 0 for a command without it.
int num_threads(const Command& command) {
  const OptionSpec threads = threads_option();
  const bool is_there = std::ranges::any_of(
      command.verb->options, [&](const OptionSpec& spec) { return spec.name == threads.name; });
  return is_there ? whole_number(command.options, threads.name, 0, 1024) : 0;
}

/// Adds to the result what was chosen for its scenario.
void put_chosen(const Command& command, Streams& streams) {
  if (streams.chosen.empty()) return;
  if (wants_json(command.options)) {
    streams.out.str(output::with_chosen(streams.out.str(), streams.chosen));
    streams.out.seekp(0, std::ios::end);
  } else {
    put_text(streams, output::chosen_text(streams.chosen));
  }
}

int run_command(const Command& command, Streams& streams) {
  try {
    const core::ThreadsScope threads(num_threads(command));
    const int code = command.verb->run(command.options, streams);
    put_chosen(command, streams);
    return code;
  } catch (const core::ConfigError& error) {
    for (const core::Diagnostic& problem : error.diagnostics()) {
      streams.err << core::to_string(problem) << '\n';
    }
    return kBadInput;
  } catch (const core::ModelError& error) {
    streams.err << error.what() << '\n';
    return kBadInput;
  }
}

std::string quoted(std::string_view word) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./=:,+-";
  if (!word.empty() && word.find_first_not_of(kPlain) == word.npos) return std::string(word);
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? "'\\''" : std::string(1, c);
  return text + "'";
}

std::string command_text(int argc, char** argv) {
  std::string text = "railwright";
  for (int i = 1; i < argc; ++i) text += " " + quoted(argv[i]);
  return text;
}

/// `help` is --help, `help size` is `size --help`, and nothing at all is --help too.
std::vector<std::string> words_of(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  const bool asks = words.empty() || words.front() == "help";
  if (!words.empty() && asks) words.erase(words.begin());
  if (asks) words.emplace_back("--help");
  return words;
}

int parse_and_run(int argc, char** argv, Streams& streams) {
  const std::vector<Verb> verbs = all_verbs();
  std::vector<std::string> words = words_of(argc, argv);
  if (const std::string problem = unknown_verb(verbs, words); !problem.empty()) {
    streams.err << problem << '\n';
    return kBadInput;
  }
  CLI::App app(kAbout, "railwright");
  app.footer(kFirst);
  app.set_version_flag("--version", "railwright " RAILWRIGHT_VERSION);
  app.require_subcommand(1);
  std::list<Command> commands;
  for (const Verb& verb : verbs) add_verb(app, verb, commands);
  try {
    std::ranges::reverse(words);  // as CLI11 takes them
    app.parse(words);
  } catch (const CLI::ParseError& error) {
    const std::vector<std::string> said = words_of(argc, argv);
    std::string problem = error.get_exit_code() == 0 ? "" : unknown_option(verbs, said);
    const bool lacks = error.get_exit_code() == static_cast<int>(CLI::ExitCodes::RequiredError);
    if (problem.empty() && lacks) problem = missing_option(verbs, said);
    if (!problem.empty()) {
      streams.err << problem << '\n';
      return kBadInput;
    }
    std::ostringstream help;
    const int code = app.exit(error, help, streams.err);
    put_text(streams, help.str());
    return code == 0 ? kOk : kBadInput;
  }
  for (Command& command : commands) {
    if (!command.app->parsed() || command.verb->run == nullptr) continue;
    command.options.set_command(command_text(argc, argv));
    return run_command(command, streams);
  }
  return kBadInput;
}

/// Reports a failure that the machine or this program caused, and returns the exit code.
int tell_failure() {
  try {
    throw;
  } catch (const ReaderGone&) {
    end_by_sigpipe();
  } catch (const WriteError& error) {
    std::cerr << error.what() << '\n';
  } catch (const core::Interrupted&) {
    std::cerr << "interrupted; nothing was written\n";
    return kInterrupted;
  } catch (const core::SimulationError& error) {
    std::cerr << "railwright: the simulation cannot go on: " << error.what() << '\n';
    return kBadInput;  // only values far beyond any hardware cause this
  } catch (const std::filesystem::filesystem_error& error) {
    const bool is_here = error.path1().empty() || error.path1() == ".";
    std::cerr << fmt::format("railwright: {}: cannot be read: {}\n",
                             is_here ? "the working directory" : error.path1().string(),
                             error.code().message());
    if (is_here) std::cerr << "change to a directory that exists and run the command again\n";
  } catch (const std::bad_alloc&) {
    std::cerr << "railwright: out of memory: the question needs more than this process may have; "
                 "ask for fewer nodes or points, or run it where there is more\n";
  } catch (const std::exception& error) {
    std::cerr << "railwright: internal error: " << error.what() << '\n';
  }
  return kInternal;
}

}  // namespace

std::string program_version() { return RAILWRIGHT_VERSION; }

int run_main(int argc, char** argv) {
  guard_standard_streams();
  std::ostringstream out;
  Streams streams{out, std::cerr, {.color = wants_color(), .width = terminal_width()}};
  try {
    const int code = parse_and_run(argc, argv, streams);
    write_standard_output(out.view());
    return code;
  } catch (...) {
    return tell_failure();
  }
}

}  // namespace railwright::cli

int main(int argc, char** argv) { return railwright::cli::run_main(argc, argv); }
