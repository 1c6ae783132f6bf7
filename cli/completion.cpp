// SPDX-License-Identifier: Apache-2.0
// Completion in shells: the scripts ask the program itself what may follow, so they never age.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "common.hpp"
#include "railwright/output/catalogue/catalogue_text.hpp"
#include "railwright/simulation/scenario/data_path.hpp"

namespace railwright::cli {

namespace {

/// Stands among the words where a shell offers its own files.
constexpr const char* kFiles = ":files";

constexpr std::string_view kBash =
    R"sh(# Completion of railwright for bash: source <(railwright completion bash)
_railwright() {
  local line files='' program=${COMP_WORDS[0]/#\~/$HOME}
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == :files ]]; then files=1; else COMPREPLY+=("${line%%$'\t'*}"); fi
  done < <("$program" completion words -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  if [[ $files ]]; then
    compopt -o filenames 2>/dev/null
    while IFS= read -r line; do COMPREPLY+=("$line"); done \
      < <(compgen -f -- "${COMP_WORDS[COMP_CWORD]}")
  fi
}
complete -F _railwright railwright
)sh";

constexpr std::string_view kZsh = R"sh(#compdef railwright
# Completion of railwright for zsh: source <(railwright completion zsh)
_railwright() {
  local line files
  local -a found
  for line in "${(@f)$(${~words[1]} completion words -- "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    case $line in
      '') ;;
      :files) files=1 ;;
      *) line=${line//:/\\:}; found+=("${line/$'\t'/:}") ;;
    esac
  done
  (( $#found )) && _describe railwright found
  [[ -n $files ]] && _files
  return 0
}
if [[ $funcstack[1] == _railwright ]]; then _railwright "$@"; else compdef _railwright railwright; fi
)sh";

constexpr std::string_view kFish =
    R"sh(# Completion of railwright for fish: railwright completion fish | source
function __railwright_words
    set -l words (commandline -opc) (commandline -ct)
    for line in ($words[1] completion words -- $words[2..-1] 2>/dev/null)
        if test "$line" = ":files"
            __fish_complete_path (commandline -ct)
        else
            echo $line
        end
    end
end
complete -c railwright -f -a '(__railwright_words)'
)sh";

/// Returns "--out" of "--out,-o".
std::string long_name(const OptionSpec& spec) { return spec.name.substr(0, spec.name.find(',')); }

bool takes_value(const OptionSpec& spec) { return spec.kind != OptionKind::kFlag; }

bool is_positional(const OptionSpec& spec) {
  return spec.kind == OptionKind::kPositional || spec.kind == OptionKind::kPositionals;
}

bool takes_files(const OptionSpec& spec) {
  constexpr auto kPlaces =
      std::to_array<std::string_view>({"FILE", "DIR", "TABLE", "OUT", "PIECE"});
  return std::ranges::any_of(
      kPlaces, [&](std::string_view place) { return spec.value.find(place) != std::string::npos; });
}

std::vector<std::string> entry_names(const std::string& kind) {
  const core::Catalogue catalogue(simulation::catalogue_roots());
  if (kind != kAnyEntry && kind != kKinds) return catalogue.names(kind);
  std::vector<std::string> names;
  for (const auto& item : output::list_catalogue(catalogue, "").items) {
    names.push_back(kind == kKinds ? item.kind : item.name);
  }
  const auto repeated = std::ranges::unique(names);  // a kind's entries stand together
  names.erase(repeated.begin(), repeated.end());
  return names;
}

/// Words with what they mean, which may be empty.
class Words {
 public:
  explicit Words(std::string start) : start_(std::move(start)) {}

  void add(const std::string& word, const std::string& meaning = {}) {
    if (!word.starts_with(start_)) return;
    text_ += meaning.empty() ? word + '\n' : fmt::format("{}\t{}\n", word, meaning);
  }
  void add_values(const OptionSpec& spec) {
    for (const std::string& choice : spec.choices) add(choice);
    if (!spec.catalogue.empty()) {
      for (const std::string& name : entry_names(spec.catalogue)) add(name);
    }
    if (takes_files(spec)) text_ += fmt::format("{}\n", kFiles);
  }
  void add_options(const Verb& verb) {
    for (const OptionSpec& spec : verb.options) {
      if (!is_positional(spec)) add(long_name(spec), spec.help);
    }
    add("--help", "Print this help message and exit");
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string start_;
  std::string text_;
};

const OptionSpec* option_named(const Verb& verb, const std::string& name) {
  const auto found = std::ranges::find(verb.options, name, long_name);
  return found == verb.options.end() ? nullptr : &*found;
}

/// Returns the positional that stands after `count` others; null if there is none.
const OptionSpec* positional_after(const Verb& verb, int count) {
  for (const OptionSpec& spec : verb.options) {
    if (!is_positional(spec)) continue;
    if (spec.kind == OptionKind::kPositionals || count-- == 0) return &spec;
  }
  return nullptr;
}

/// Returns what may stand for the last word after the words before it, a line each.
std::string following(const std::vector<std::string>& words) {
  Words found(words.back());
  Verb root{.name = "railwright", .help = {}, .options = {}, .run = nullptr, .verbs = all_verbs()};
  const Verb* verb = &root;
  std::size_t at = words.front() == "help" && words.size() > 1 ? 1 : 0;
  for (; at + 1 < words.size() && !verb->verbs.empty(); ++at) {
    const auto below = std::ranges::find(verb->verbs, words[at], &Verb::name);
    if (below == verb->verbs.end()) return {};
    verb = &*below;
  }
  const OptionSpec* waiting = nullptr;
  int num_positionals = 0;
  for (; at + 1 < words.size(); ++at) {
    if (waiting != nullptr) {
      waiting = nullptr;
    } else if (words[at].starts_with("--")) {
      const OptionSpec* option = option_named(*verb, words[at]);
      if (option != nullptr && takes_value(*option)) waiting = option;
    } else {
      ++num_positionals;
    }
  }
  if (waiting != nullptr) {
    found.add_values(*waiting);
    return found.text();
  }
  for (const Verb& below : verb->verbs) found.add(below.name, below.help);
  if (verb == &root) {
    found.add("help", "The options of a command");
    found.add("--version", "Display program version information and exit");
  }
  if (words.back().starts_with('-') || verb == &root) {
    found.add_options(*verb);
  } else if (const OptionSpec* positional = positional_after(*verb, num_positionals)) {
    found.add_values(*positional);
  }
  return found.text();
}

int run_completion(const Options& options, Streams& streams) {
  const std::string shell = options.text("shell");
  const std::vector<std::string>& words = options.list("word");
  if (shell == "words") {
    streams.out << following(words.empty() ? std::vector<std::string>{""} : words);
    return kOk;
  }
  if (!words.empty()) {
    throw core::ConfigError({{{words.front()}, "", "not expected after " + shell, ""}});
  }
  streams.out << (shell == "bash" ? kBash : shell == "zsh" ? kZsh : kFish);
  return kOk;
}

}  // namespace

Verb completion_verb() {
  return {.name = "completion",
          .help = "A script that completes the words of commands in bash, zsh or fish",
          .options = {{.name = "shell",
                       .kind = OptionKind::kPositional,
                       .value = "SHELL",
                       .help = "The shell; `words` prints what may stand for the last WORD",
                       .required = true,
                       .choices = {"bash", "zsh", "fish", "words"}},
                      {.name = "word",
                       .kind = OptionKind::kPositionals,
                       .value = "WORD...",
                       .help = "The words of a command so far, without the program, after --"}},
          .run = run_completion};
}

}  // namespace railwright::cli
