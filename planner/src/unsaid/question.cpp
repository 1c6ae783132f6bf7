// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/unsaid/question.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <optional>
#include <system_error>
#include <utility>

#include "railwright/core/config/date_time.hpp"
#include "railwright/core/config/reader.hpp"
#include "railwright/core/config/writer.hpp"
#include "railwright/core/hardware/node_fields.hpp"
#include "railwright/simulation/scenario/with_settings.hpp"
#include "railwright/workloads/kinds.hpp"

namespace railwright::planner {

namespace {

/// Time between two requests of a user: an estimate, a question read and answered a minute.
constexpr double kSecondsBetweenRequests = 60.0;

class Asking {
 public:
  Asking(core::Node scenario, const core::Catalogue& catalogue)
      : tree_(std::move(scenario)), catalogue_(catalogue) {
    if (tree_.kind == core::Node::Kind::kNull) tree_.kind = core::Node::Kind::kMapping;
  }

  core::Node with(const std::vector<Said>& words) {
    is_service_ =
        simulation::describes(tree_, "inference") ||
        std::ranges::any_of(words, [](const Said& said) { return said.word->key.empty(); });
    for (const Said& said : words) {
      if (is_unknown_name(said)) continue;
      const std::string_view key = is_service_ ? said.word->service_key : said.word->key;
      if (key.empty()) {
        report(said, is_service_ ? "is a training job's, and this is a service"
                                 : "is a service's, and this is a training job");
      } else if (is_day(said)) {
        put_days(said);
      } else if (said.word->name == "tokens" && !is_tokens(said.text)) {
        report(said, "expected a number of tokens, such as 1.5T");
      } else if (said.word->name != "gpus") {
        put(key, value_of(said), said.place);
      }
    }
    seek_most_tokens(words);
    if (!problems_.empty()) throw core::ConfigError(std::move(problems_));
    for (const Said& said : words) {  // of the node that another word may name
      if (said.word->name == "gpus") put("cluster.nodes", nodes_of(said), said.place);
    }
    if (!problems_.empty()) throw core::ConfigError(std::move(problems_));
    return std::move(tree_);
  }

 private:
  void report(const Said& said, std::string message) {
    problems_.push_back({{said.place, 0, 0}, "", std::move(message), ""});
  }

  /// Whether the word is a name that the catalogue lacks, which it reports.
  bool is_unknown_name(const Said& said) {
    const std::string_view kind = said.word->catalogue;
    if (kind.empty() || said.text.find('{') != std::string::npos) return false;
    if (catalogue_.contains(kind, said.text)) return false;
    core::Diagnostic problem = catalogue_.not_found(kind, said.text);
    problem.where = {said.place, 0, 0};
    problems_.push_back(std::move(problem));
    return true;
  }

  void put(std::string_view key, const std::string& value, const std::string& place) {
    if (value.empty()) return;
    core::set_path(tree_, fmt::format("{}={}", key, value));
    core::find_path(tree_, key)->where = {place, 0, 0};
  }

  /// Whether the word is a deadline by a day, such as 2027-06-01.
  static bool is_day(const Said& said) {
    return said.word->name == "deadline" && core::date_time_of(said.text + "T00:00:00").has_value();
  }

  /// Puts the day, and today as the start if the scenario has none.
  void put_days(const Said& said) {
    put("goals.by", said.text, said.place);
    if (core::find_path(tree_, "goals.start") != nullptr) return;
    const std::chrono::year_month_day day =
        std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
    const std::string today =
        fmt::format("{:04}-{:02}-{:02}", static_cast<int>(day.year()),
                    static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day()));
    if (said.text <= today) report(said, fmt::format("is not after today, {}", today));
    put("goals.start", today, said.place);
  }

  /// A budget or a power without tokens asks for as many as they allow.
  void seek_most_tokens(const std::vector<Said>& words) {
    const auto is_limit = [](const Said& said) {
      return said.word->name == "budget" || said.word->name == "power";
    };
    const auto limit = std::ranges::find_if(words, is_limit);
    if (limit == words.end() || is_service_) return;
    for (const char* key :
         {"goals.tokens", "goals.tokens_per_parameter", "goals.find", "workload.steps"}) {
      if (core::find_path(tree_, key) != nullptr) return;
    }
    put("goals.find", "most_tokens", limit->place);
  }

  /// Returns the text as a scenario has it.
  std::string value_of(const Said& said) {
    const std::string_view name = said.word->name;
    if (name == "tokens" || name == "nodes" || name == "requests-per-s") return plain(said.text);
    if (lacks_unit(said)) return {};
    if (name == "budget") return dollars(said.text);
    if (name == "users") {
      const std::optional<double> users = number(plain(said.text));
      if (users && *users > 0.0) return fmt::format("{:.6g}", *users / kSecondsBetweenRequests);
      report(said, "expected a number of users, such as 2000");
      return {};
    }
    if (name != "deadline") return said.text;
    const bool is_weeks = said.text.ends_with('w');
    const std::string digits = said.text.substr(0, said.text.size() - (is_weeks ? 1 : 0));
    if (is_weeks && number(digits)) return digits + " week";
    if (said.text.find_first_of("0123456789") != std::string::npos) return said.text;
    report(said, "expected a time such as 6w or 42d, or a day such as 2027-06-01");
    return {};
  }

  /// Whether the text is a number alone where a unit decides what it means, which it reports.
  bool lacks_unit(const Said& said) {
    const std::string_view name = said.word->name;
    const std::string_view units = name == "deadline"                 ? "#d or #w"
                                   : name == "ttft" || name == "tpot" ? "#ms or #s"
                                   : name == "power"                  ? "#kW or #MW"
                                                                      : "";
    if (units.empty() || !number(said.text)) return false;
    std::string choices(units);
    for (std::size_t at = choices.find('#'); at != choices.npos; at = choices.find('#')) {
      choices.replace(at, 1, said.text);
    }
    report(said, fmt::format("has no unit: write {}", choices));
    return true;
  }

  static bool is_tokens(const std::string& text) {
    const std::optional<double> tokens = number(plain(text));
    return tokens && *tokens >= 1.0;
  }

  /// "50M" and "50M USD" are "50e6 USD"; other text stays.
  static std::string dollars(const std::string& text) {
    constexpr std::string_view kUnit = "USD";
    std::string amount = text;
    if (amount.ends_with(kUnit)) amount.resize(amount.size() - kUnit.size());
    while (amount.ends_with(' ')) amount.pop_back();
    amount = plain(amount);
    return number(amount) ? amount + " USD" : text;
  }

  /// "1.5T", "1.5 T" and "1.5 trillion" are "1.5e12", "2,000" is "2000"; other text stays.
  static std::string plain(const std::string& text) {
    constexpr std::array<std::array<std::string_view, 3>, 4> kSuffixes{{{"k", "thousand", "3"},
                                                                        {"M", "million", "6"},
                                                                        {"B", "billion", "9"},
                                                                        {"T", "trillion", "12"}}};
    const std::string bare = without_thousands(text);
    for (const auto& [letter, word, zeros] : kSuffixes) {
      const std::string_view suffix = bare.ends_with(word) ? word : letter;
      if (!bare.ends_with(suffix)) continue;
      std::string digits = bare.substr(0, bare.size() - suffix.size());
      while (digits.ends_with(' ')) digits.pop_back();
      return number(digits) ? fmt::format("{}e{}", digits, zeros) : text;
    }
    return bare;
  }

  /// Drops commas that groups of three digits follow.
  static std::string without_thousands(std::string text) {
    for (std::size_t at = text.rfind(','); at != text.npos; at = text.rfind(',')) {
      const std::size_t end = text.find_first_not_of("0123456789", at + 1);
      const std::size_t num_digits = std::min(end, text.size()) - at - 1;
      if (num_digits == 0 || num_digits % 3 != 0) break;
      text.erase(at, 1);
    }
    return text;
  }

  static std::optional<double> number(const std::string& text) {
    double value = 0.0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc{} || stop != end) return std::nullopt;
    return value;
  }

  /// Returns the nodes that hold so many accelerators.
  std::string nodes_of(const Said& said) {
    const core::Node unnamed = core::text_node(kDefaultNode);
    const core::Node* named = core::find_path(tree_, "cluster.node");
    core::Reader reader(&catalogue_);
    core::ComputeNode node;
    reader.read(named == nullptr ? unnamed : *named, "cluster.node", node);
    reader.throw_if_any();
    const std::optional<double> wanted = number(plain(said.text));
    const int size = node.num_accelerators.value;
    const auto whole =
        wanted && *wanted >= 1.0 && *wanted < 1e9 ? static_cast<std::int64_t>(*wanted) : 0;
    if (whole > 0 && whole % size == 0) return std::to_string(whole / size);
    const std::int64_t below = whole / size * size;
    report(said, whole == 0   ? "expected a number of accelerators, such as 384"
                 : below == 0 ? fmt::format("{0} has {1} accelerators: name {1}, or a smaller "
                                            "node; `railwright catalogue list nodes` has them",
                                            node.name, size)
                              : fmt::format("{} has {} accelerators: {} or {} fill nodes",
                                            node.name, size, below, below + size));
    return {};
  }

  core::Node tree_;
  const core::Catalogue& catalogue_;
  bool is_service_ = false;
  std::vector<core::Diagnostic> problems_;
};

[[noreturn]] void refuse_question(std::string message, std::string hint) {
  throw core::ConfigError({{{"railwright"}, "", std::move(message), std::move(hint)}});
}

bool names_model(const Said& said) { return said.word->name == "model"; }

}  // namespace

std::string written(const Word& word, Door door) {
  if (door == Door::kCommand) return fmt::format("--{}", word.name);
  std::string name(word.name);
  std::ranges::replace(name, '-', '_');
  return name;
}

Said said(const Word& word, std::string text, Door door) {
  std::string place =
      fmt::format("{}{}{}", written(word, door), door == Door::kCommand ? " " : "=", text);
  return {&word, std::move(text), std::move(place)};
}

core::Node stated(Question question, const core::Catalogue& catalogue, Asked asked, Door door) {
  const bool is_python = door == Door::kPython;
  const bool is_alone = !question.scenario;
  const bool needs_model = asked != Asked::kFabric;
  if (is_alone && needs_model && std::ranges::none_of(question.words, names_model)) {
    refuse_question(is_python ? "nothing to answer: give a scenario, or ask with model=..."
                              : "nothing to answer: name a scenario FILE, or ask with --model NAME",
                    is_python ? "rw.examples() has some" : "`railwright help` has examples");
  }
  const auto counts_nodes = [](const Said& said) {
    return said.word->name == "nodes" || said.word->name == "gpus";
  };
  if (is_alone && asked == Asked::kSize && std::ranges::any_of(question.words, counts_nodes)) {
    refuse_question(is_python ? "size() finds how many nodes: leave nodes and gpus out"
                              : "`size` finds how many nodes: leave --nodes and --gpus out",
                    is_python ? "simulate() answers for a number of nodes"
                              : "`simulate` answers for a number of nodes");
  }
  core::Node tree = is_alone ? core::Node{} : std::move(*question.scenario);
  if (!question.words.empty()) tree = with_words(std::move(tree), question.words, catalogue);
  if (is_alone) tree = simulation::with_settings(std::move(tree), question.settings);
  const bool needs_nodes = is_alone && asked != Asked::kSize;
  if (needs_nodes && core::find_path(tree, "cluster.nodes") == nullptr) {
    refuse_question(is_python ? "on how many nodes? give nodes=N or gpus=N"
                              : "on how many nodes? name --nodes N or --gpus N",
                    is_python ? "size() finds how many" : "`size` finds how many");
  }
  return tree;
}

Filled answerable(Question question, const core::Catalogue& catalogue, Asked asked, Door door) {
  return fill_in(stated(std::move(question), catalogue, asked, door), catalogue, asked);
}

core::Node with_words(core::Node scenario, const std::vector<Said>& words,
                      const core::Catalogue& catalogue) {
  return Asking(std::move(scenario), catalogue).with(words);
}

}  // namespace railwright::planner
