// SPDX-License-Identifier: Apache-2.0
#include "shell_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "findings.hpp"
#include "railwright/core/config/text_file.hpp"
#include "shell_branches.hpp"
#include "shell_flow.hpp"
#include "shell_split.hpp"
#include "shell_variables.hpp"

namespace railwright::importers {

namespace {

constexpr std::size_t kMaxOptions = 5000;
constexpr std::size_t kMaxText = 65536;  ///< characters of a variable that grows by `+=`
constexpr std::size_t kMostArguments = 9;

/// Ends of names that people give to variables of options.
constexpr auto kNamesOfOptions =
    std::to_array<std::string_view>({"ARGS", "ARG", "OPTS", "OPTIONS", "FLAGS", "PARAMS", "EXTRA"});

/// Commands that start no training and no service; what they say of options is prose.
constexpr auto kSpeakers = std::to_array<std::string_view>(
    {"echo", "printf", "pip", "pip3", "apt", "apt-get", "git", "wget", "curl", "sed", "grep", "awk",
     "mkdir", "rm", "cp", "mv", "ls", "cd"});

class ShellReading final : public ShellRunner {
 public:
  ShellReading(const std::string& file, std::span<const std::string_view> short_names)
      : file_(file),
        short_names_(short_names),
        variables_([this](const std::string& name) { branches_.touch(name); }),
        branches_([this](const std::string& key) { return value_of(key); },
                  [this](const std::string& key, ShellValue value) {
                    set_value(key, std::move(value));
                  }) {
    result_.options.kind = core::Node::Kind::kMapping;
    result_.options.where = {file};
    result_.variables.kind = core::Node::Kind::kMapping;
    result_.variables.where = {file};
  }

  void script(std::string_view text) {
    take_head(text);
    const std::vector<ShellCommand> commands = shell_commands(text, file_, 1, is_script(text));
    ShellFlow(commands, branches_, *this).all();
  }

  void run(std::span<const ShellWord> words) override {
    const bool is_prose = !words[0].is_quoted && std::ranges::count(kSpeakers, words[0].text) > 0;
    if (is_prose) return;
    if (!words[0].is_quoted && words[0].text == "unset") return unset(words.subspan(1));
    program_ = starts_program(words) ? ++num_programs_ : 0;
    read(words, 0);
    program_ = 0;
  }

  void unset(std::span<const ShellWord> names) {
    for (const ShellWord& name : names) {
      if (!std::ranges::all_of(name.text, is_shell_name_char)) continue;
      branches_.touch(name.text);
      set_value(name.text, {});
    }
  }

  void loop(const std::string& name, std::span<const ShellWord> values) override {
    if (!std::ranges::all_of(name, is_shell_name_char) || name.empty()) return;
    branches_.touch(name);
    const std::string text = resolved(values[0].text);
    const bool is_one = values.size() == 1 && text.find_first_of("$ *{") == std::string::npos;
    set_value(name, is_one ? ShellValue{.text = text}
                           : ShellValue{.reason = "one of a loop of line " +
                                                  std::to_string(values[0].where.line)});
  }

  void enter(std::span<const ShellWord> arguments, bool are_open) override {
    std::vector<ShellValue> before;
    std::vector<ShellValue> now(kMostArguments);
    for (std::size_t i = 0; i < kMostArguments; ++i) {
      before.push_back(value_of(std::to_string(i + 1)));
      if (i < arguments.size() && !are_open) {
        const std::string text = resolved(arguments[i].text);
        now[i] = argument_of(text);
        // Without quotes, one that is empty, unknown or has blanks may be no word, or several.
        const bool is_word = text.find_first_not_of(" \t\n") != std::string::npos &&
                             !has_outer_blank(text) && now[i].reason.empty();
        are_open = !is_word && !arguments[i].is_quoted;
      }
      if (are_open && now[i].reason.empty()) {
        now[i] = {.reason = "an argument of a function, whose call leaves open which"};
      }
    }
    callers_.push_back(std::move(before));
    variables_.set_arguments(now);
  }

  void leave() override {
    variables_.set_arguments(callers_.back());
    callers_.pop_back();
  }

  std::string resolved(std::string_view text) override { return variables_.resolved(text); }

  [[nodiscard]] bool is_unset(std::string_view name) const override {
    return variables_.is_unset(name);
  }

  ShellOptions take() {
    result_.defaults = variables_.defaults();
    for (const auto& [name, text] : variables_.of_file()) {
      if (text.find('$') == std::string::npos) {
        core::add_entry(result_.variables, name, core::text_node(text));
      } else {
        result_.unset_variables.push_back(
            {.name = name, .option = shown(name), .value = text, .where = {file_}});
      }
    }
    return std::move(result_);
  }

 private:
  /// Returns an argument of a function, by the word of its call.
  [[nodiscard]] ShellValue argument_of(const std::string& text) const {
    if (text.find('$') == std::string::npos || is_shell_argument(text)) return {.text = text};
    const std::string why = variables_.why_unknown(text);
    return {.reason = why.empty() ? shown(text) + ", which the file does not set" : why};
  }

  /// Sets what schedulers tell a script: the first node's place, and what the head of a batch job
  /// has: "#SBATCH --nodes=4" is SLURM_NNODES.
  void take_head(std::string_view text) {
    for (const char* name : {"NODE_RANK", "SLURM_NODEID", "SLURM_PROCID", "LWS_WORKER_INDEX"}) {
      variables_.preset(name, "0");
    }
    for (const std::string_view line : core::lines_of(text)) {
      if (!line.starts_with("#SBATCH")) continue;
      for (const std::string_view start : {"#SBATCH --nodes=", "#SBATCH -N ", "#SBATCH --nodes "}) {
        if (!line.starts_with(start)) continue;
        const std::string_view digits = line.substr(start.size());
        const std::string count(digits.substr(0, digits.find_first_not_of("0123456789")));
        if (count.empty()) continue;
        for (const char* name : {"SLURM_NNODES", "SLURM_JOB_NUM_NODES"})
          variables_.preset(name, count);
      }
    }
  }

  /// Reads the words of one command.
  void read(std::span<const ShellWord> words, int depth) {
    std::optional<ShellWord> option;
    std::vector<ShellWord> values;
    std::vector<std::string> operands;
    for (const ShellWord& word : words) {
      if (names_option(word.text)) {
        if (option) put(*option, values);
        option.reset();
        values.clear();
        std::ranges::move(operands, std::back_inserter(result_.operands));
        operands.clear();
        // `--key=value` has its value, `--key` takes the words after it.
        if (word.text.find('=') != std::string::npos) {
          put(word, {});
        } else {
          option = word;
        }
      } else if (assign(word, depth)) {
        is_readonly_ = false;
      } else if (option) {
        values.push_back(word);
      } else if (word.text.find("--") != std::string::npos && depth == 0) {
        read_inside(word.text, word.where.line);
      } else {
        is_readonly_ = word.text == "readonly";
        if (result_.operands.size() + operands.size() < kMaxOptions) {
          operands.push_back(resolved(word.text));
        }
      }
    }
    if (option) put(*option, values);
    // "vllm serve NAME" needs no option, and "pretrain.py $ARGS" has those of a variable.
    const bool is_given_variables =
        !operands.empty() && operands.back().starts_with('$') &&
        std::ranges::any_of(operands, [](const auto& word) { return word.ends_with(".py"); });
    if (is_given_variables || std::ranges::count(operands, "serve") > 0) {
      std::ranges::move(operands, std::back_inserter(result_.operands));
    }
  }

  /// Reads the options within a quoted text.
  void read_inside(std::string_view text, int first_line) {
    for (const ShellCommand& command : shell_commands(text, file_, first_line, false)) {
      read(command.words, 1);
    }
  }

  /// Returns what a variable holds, or an option: its key begins with "--".
  [[nodiscard]] ShellValue value_of(const std::string& key) const {
    if (!key.starts_with("--")) return variables_.value_of(key);
    ShellValue value;
    const std::string_view name = std::string_view(key).substr(2);
    const auto unset = std::ranges::find(result_.unset, name, &UnsetOption::name);
    if (unset != result_.unset.end()) {
      value.text = unset->value;
      value.where = unset->where;
      value.reason = unset->reason;
    } else if (const core::Node* node = result_.options.find(name)) {
      value.node = *node;
    }
    return value;
  }

  void set_value(const std::string& key, ShellValue value) {
    if (!key.starts_with("--")) return variables_.set(key, value);
    const std::string name = key.substr(2);
    std::erase_if(result_.unset, [&](const UnsetOption& one) { return one.name == name; });
    std::erase_if(result_.options.entries,
                  [&](const core::Entry& entry) { return entry.key == name; });
    if (value.node) {
      result_.options.entries.push_back({name, value.node->where, std::move(*value.node)});
    } else if (value.text || !value.reason.empty()) {
      result_.unset.push_back({.name = name,
                               .option = spelling_[name],
                               .value = value.text.value_or(""),
                               .where = value.where,
                               .reason = value.reason});
    }
  }

  [[nodiscard]] bool names_option(std::string_view word) const {
    if (has_outer_blank(word)) return false;
    return (word.starts_with("--") && word.size() > 2) ||
           std::ranges::count(short_names_, word.substr(0, word.find('='))) > 0;
  }

  /// Reads NAME=value, where the value may itself hold options.
  bool assign(const ShellWord& word, int depth) {
    const std::size_t equals = word.text.find('=');
    if (equals == std::string::npos || equals == 0 || word.text.front() == '-') return false;
    const std::string_view before = std::string_view(word.text).substr(0, equals);
    if (!std::ranges::all_of(before.substr(0, before.find('+')), is_shell_name_char) ||
        before.find('+') < before.size() - 1) {
      return false;
    }
    std::string name = word.text.substr(0, equals);
    const bool appends = name.ends_with('+');
    if (appends) name.pop_back();
    const std::string value = word.text.substr(equals + 1);
    if (readonly_.contains(name)) return true;
    if (is_readonly_) readonly_.insert(name);
    if (value.starts_with("--") || value.find(" --") != std::string::npos ||
        value.find("\n--") != std::string::npos) {
      of_options_.insert(name);
      if (depth == 0) read_inside(value, word.where.line);
    } else if (value.find_first_not_of(" \t\n") == std::string::npos) {
      of_options_.insert(name);  // an array stands after it, or nothing
    } else {
      std::string text = resolved(value);
      if (appends) text.insert(0, variables_.text_of(name));
      if (!variables_.is_full() && text.size() <= kMaxText) {
        branches_.touch(name);
        variables_.set(name, {.text = std::move(text)});
      }
    }
    return true;
  }

  void put(const ShellWord& option, std::vector<ShellWord> values) {
    const std::size_t equals = option.text.find('=');
    std::string name = option.text.substr(0, equals);
    name.erase(0, name.find_first_not_of('-'));
    if (equals != std::string::npos) {
      values.insert(values.begin(),
                    {.text = option.text.substr(equals + 1), .where = option.where});
    }
    std::ranges::replace(name, '-', '_');
    // A list of Megatron's YAML: "--num-layers: 32".
    if (name.ends_with(':')) name.pop_back();
    cut_at_program(values);
    std::erase_if(values, [&](const ShellWord& word) { return holds_options(word.text); });
    core::Node node = node_of(values, option.where);
    spelling_.try_emplace(name, shown(option.text.substr(0, equals)));
    branches_.touch("--" + name);
    const std::string text = core::to_yaml(node);
    if (const auto reason = contested_.find(name); reason != contested_.end()) {
      set_value("--" + name,
                {.text = shown(text), .where = option.where, .reason = reason->second});
      return;
    }
    if (text.find('$') != std::string::npos) {
      std::erase_if(result_.options.entries,
                    [&](const core::Entry& entry) { return entry.key == name; });
      std::erase_if(result_.unset, [&](const UnsetOption& one) { return one.name == name; });
      throw_if_full(result_.unset.size(), option.where);
      result_.unset.push_back({.name = std::move(name),
                               .option = shown(option.text.substr(0, equals)),
                               .value = shown(text),
                               .where = option.where,
                               .reason = variables_.why_unknown(text)});
      return;
    }
    std::erase_if(result_.unset, [&](const UnsetOption& one) { return one.name == name; });
    core::Node* old = result_.options.find(name);
    const std::size_t program_before = std::exchange(program_of_[name], program_);
    if (old == nullptr) {
      throw_if_full(result_.options.entries.size(), option.where);
      result_.options.entries.push_back({std::move(name), option.where, std::move(node)});
      return;
    }
    const bool is_other = core::to_yaml(*old) != text;
    const bool is_of_another_program =
        program_before != 0 && program_ != 0 && program_before != program_;
    if (is_other && is_of_another_program) {
      const std::string reason = fmt::format("{} in one command of the file, {} in another",
                                             shown(core::to_yaml(*old)), shown(text));
      std::erase_if(result_.options.entries,
                    [&](const core::Entry& entry) { return entry.key == name; });
      contested_[name] = reason;
      result_.unset.push_back({.name = std::move(name),
                               .option = shown(option.text.substr(0, equals)),
                               .value = shown(text),
                               .where = option.where,
                               .reason = reason});
      return;
    }
    if (is_other && !branches_.is_open()) {
      result_.doubled.push_back(fmt::format("{} {}, then {}", shown(option.text),
                                            shown(core::to_yaml(*old)), shown(text)));
    }
    *old = std::move(node);
  }

  static void throw_if_full(std::size_t num_options, const core::Location& where) {
    if (num_options < kMaxOptions) return;
    throw core::ConfigError({{where, "", fmt::format("more than {} options", kMaxOptions), ""}});
  }

  /// Moves what is after an option's values to the operands: the program that a launcher starts.
  void cut_at_program(std::vector<ShellWord>& values) {
    const auto program = std::ranges::find_if(values, [](const ShellWord& word) {
      return word.text == "-m" || word.text.ends_with(".py") || word.text.ends_with(".sh");
    });
    if (program == values.begin() || program == values.end()) return;
    for (auto word = program; word != values.end(); ++word) {
      if (result_.operands.size() < kMaxOptions) result_.operands.push_back(resolved(word->text));
    }
    values.erase(program, values.end());
  }

  /// Whether a word is a variable or an array of further options, by what the file sets it to or by
  /// its name. Says so where the file does not set it.
  bool holds_options(std::string_view word) {
    if (!word.starts_with('$') || word.starts_with("$(")) return false;
    std::string name(word.substr(1));
    std::erase_if(name, [](char c) { return c == '{' || c == '}'; });
    const bool is_array = name.ends_with("[@]") || name.ends_with("[*]");
    if (is_array) name.resize(name.size() - 3);
    if (name.empty() || !std::ranges::all_of(name, is_shell_name_char)) return false;
    if (of_options_.contains(name)) return true;
    if (variables_.contains(name)) return false;
    std::string upper = name;
    std::ranges::transform(upper, upper.begin(), [](unsigned char c) { return std::toupper(c); });
    const bool is_named_so =
        is_array || std::ranges::any_of(kNamesOfOptions,
                                        [&](std::string_view end) { return upper.ends_with(end); });
    if (is_named_so) result_.outside.push_back(shown(word));
    return is_named_so;
  }

  core::Node node_of(const std::vector<ShellWord>& values, const core::Location& where) {
    const auto scalar = [&](const std::string& text, const core::Location& place) {
      core::Node node;
      node.kind = core::Node::Kind::kScalar;
      node.text = text;
      node.where = place;
      return node;
    };
    if (values.empty()) return scalar("true", where);
    if (values.size() == 1) return scalar(resolved(values[0].text), values[0].where);
    core::Node list;
    list.kind = core::Node::Kind::kSequence;
    list.where = where;
    for (const ShellWord& value : values)
      list.items.push_back(scalar(resolved(value.text), value.where));
    return list;
  }

  std::string file_;
  std::span<const std::string_view> short_names_;
  ShellVariables variables_;
  std::set<std::string> readonly_;
  std::size_t num_programs_ = 0;
  std::size_t program_ = 0;                        ///< that the present command runs; 0 for none
  std::map<std::string, std::size_t> program_of_;  ///< that had an option last
  std::map<std::string, std::string> contested_;   ///< why options of two programs are not known
  std::vector<std::vector<ShellValue>> callers_;   ///< arguments before each call
  bool is_readonly_ = false;                       ///< the word before is `readonly`
  std::set<std::string> of_options_;               ///< variables that the file sets to options
  std::map<std::string, std::string> spelling_;    ///< options as they stand in the file
  ShellBranches branches_;
  ShellOptions result_;
};

}  // namespace

std::string why_unset(const UnsetOption& option) {
  return option.reason.empty() ? fmt::format("{} is set nowhere in the file", shown(option.value))
                               : option.reason;
}

ShellOptions shell_options(std::string_view text, const std::string& file,
                           std::span<const std::string_view> short_names) {
  ShellReading reading(file, short_names);
  reading.script(text);
  return reading.take();
}

}  // namespace railwright::importers
