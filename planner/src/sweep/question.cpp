// SPDX-License-Identifier: Apache-2.0
#include "question.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

#include "railwright/core/config/reader.hpp"
#include "railwright/core/config/writer.hpp"
#include "railwright/simulation/scenario/sweep_space_fields.hpp"
#include "railwright/simulation/scenario/with_settings.hpp"
#include "railwright/workloads/kinds.hpp"
#include "railwright/workloads/pools_of_kinds.hpp"
#include "row.hpp"

namespace railwright::planner {

namespace {

/// FNV-1a of 64 bits.
class Hash {
 public:
  void add(std::string_view text) {
    for (const char c : text) add_byte(static_cast<unsigned char>(c));
    add_byte(0xFF);  // so that "ab", "c" is not "a", "bc"
  }
  [[nodiscard]] std::string text() const { return fmt::format("{:016x}", state_); }

 private:
  void add_byte(unsigned char byte) { state_ = (state_ ^ byte) * 0x100000001B3ULL; }

  std::uint64_t state_ = 0xCBF29CE484222325ULL;
};

/// Drops sources, including places in files, which do not change the question.
void forget_sources(core::Node& node) {
  if (node.find("value") != nullptr) {
    std::erase_if(node.entries, [](const core::Entry& entry) { return entry.key == "source"; });
  }
  for (core::Entry& entry : node.entries) forget_sources(entry.value);
  for (core::Node& item : node.items) forget_sources(item);
}

/// Whether a value may name a device: numbers and truth values cannot.
bool may_name_devices(const core::Node& value) {
  if (!value.is_scalar() || value.quoted) return true;
  double number = 0.0;
  const char* end = value.text.data() + value.text.size();
  const auto [stop, error] = std::from_chars(value.text.data(), end, number);
  return (error != std::errc{} || stop != end) && value.text != "true" && value.text != "false";
}

/// Selects points that together have every case and every value that may name devices, each with
/// the first value of all other keys.
std::vector<std::int64_t> probes(const Grid& grid) {
  constexpr std::size_t kMaxValues = 256;  // limit for one key
  const std::size_t num_cases = grid.num_dimensions() - grid.vary().size();
  std::vector<std::int64_t> points{0};
  for (std::size_t d = 0; d < grid.num_dimensions(); ++d) {
    for (std::size_t i = 1; i < std::min(grid.num_values(d), kMaxValues); ++i) {
      const bool is_needed =
          d < num_cases || i == 1 || may_name_devices(grid.vary()[d - num_cases].values[i]);
      if (is_needed) points.push_back(static_cast<std::int64_t>(i) * grid.stride(d));
    }
  }
  return points;
}

/// Lists problems of a point's fields that no other value of a key would cure.
std::vector<core::Diagnostic> lasting_problems(const simulation::ScenarioKind& kind,
                                               const core::Node& tree,
                                               const core::Catalogue& catalogue) {
  std::vector<core::Diagnostic> problems = kind.field_problems(tree, catalogue);
  std::erase_if(problems, [](const core::Diagnostic& problem) {
    return problem.message != "unknown key" && problem.where.line == 0;
  });
  return problems;
}

/// Counts the points that have each problem.
class SweepProblems {
 public:
  void add(const std::vector<core::Diagnostic>& problems) {
    ++num_points_;
    for (const core::Diagnostic& problem : problems) {
      auto [entry, is_new] = counts_.try_emplace({problem.path, problem.message}, 0, problem);
      ++entry->second.first;
    }
  }
  [[nodiscard]] std::vector<core::Diagnostic> of_all() const {
    std::vector<core::Diagnostic> all;
    for (const auto& [key, entry] : counts_) {
      if (entry.first == num_points_) all.push_back(entry.second);
    }
    return all;
  }

 private:
  int num_points_ = 0;
  std::map<std::pair<std::string, std::string>, std::pair<int, core::Diagnostic>> counts_;
};

/// Rejects settings that cannot be applied to the scenario.
void check_settings(const core::Node& tree, const Grid& grid) {
  std::vector<core::Diagnostic> problems;
  const auto check = [&](const std::string& setting) {
    core::Node copy = tree;
    try {
      core::set_path(copy, setting);
    } catch (const core::ConfigError& error) {
      problems.insert(problems.end(), error.diagnostics().begin(), error.diagnostics().end());
    }
  };
  for (const simulation::Variant& one : grid.cases()) std::ranges::for_each(one.set, check);
  for (const simulation::Variation& one : grid.vary())
    check(one.key + "=" + core::to_yaml(one.values.front()));
  if (!problems.empty()) throw core::ConfigError(std::move(problems));
}

std::string in_words(const std::vector<simulation::Variation>& vary) {
  std::string text;
  for (const simulation::Variation& one : vary) {
    core::Node list;
    list.kind = core::Node::Kind::kSequence;
    list.items = one.values;
    text += one.key + ": " + core::to_yaml(list) + "\n";
  }
  return text;
}

std::string in_words(const std::vector<simulation::Variant>& cases) {
  std::string text;
  for (const simulation::Variant& one : cases) text += core::to_yaml(core::to_node(one)) + "\n";
  return text;
}

}  // namespace

SweepInput read_input(const core::Node& tree, const std::vector<simulation::Variation>& vary) {
  simulation::check_kind_has_pools(tree);
  SweepInput input{.kind = &simulation::kind_of(tree), .tree = tree, .name = {}, .space = {}};
  if (const core::Node* section = tree.find("sweep")) {
    core::Reader reader;
    reader.read(*section, "sweep", input.space);
    reader.throw_if_any();
  }
  for (const simulation::Variation& one : vary) {
    const auto known = std::ranges::find(input.space.vary, one.key, &simulation::Variation::key);
    if (known == input.space.vary.end()) {
      input.space.vary.push_back(one);
    } else {
      *known = one;
    }
  }
  if (const core::Node* name = tree.find("name")) input.name = name->text;
  std::erase_if(input.tree.entries, [](const core::Entry& entry) {
    return entry.key == "sweep" || entry.key == "comparison" || entry.key == "search" ||
           entry.key == "goals";
  });
  return input;
}

SweepQuestion make_question(const SweepBase& base) {
  const auto& [kind, tree, catalogue, grid, options] = base;
  check_settings(tree, grid);
  SweepQuestion question;
  SweepProblems problems;
  Hash hash;
  std::string base_scenario;
  for (const std::int64_t point : probes(grid)) {
    const core::Node varied = simulation::with_settings(tree, grid.settings(point));
    try {
      core::Node complete = kind.complete(varied, catalogue);
      forget_sources(complete);
      hash.add(core::to_yaml(complete));
      problems.add({});
    } catch (const core::ConfigError&) {
      problems.add(lasting_problems(kind, varied, catalogue));
    }
  }
  if (auto all = problems.of_all(); !all.empty()) throw core::ConfigError(std::move(all));
  try {
    base_scenario = core::to_yaml(kind.complete(tree, catalogue));
  } catch (const core::ConfigError&) {
    base_scenario = core::to_yaml(tree);  // the file alone is no valid point
  }
  const char* method = options.method == simulation::Method::kSimulate ? "simulate" : "estimate";
  question.facts = {{"railwright_version", options.version},
                    {"method", method},
                    {"extent", options.with_run ? "run" : "step"},
                    {"vary", in_words(grid.vary())},
                    {"cases", in_words(grid.cases())},
                    {"num_points", std::to_string(grid.num_points())},
                    {"base_scenario", base_scenario}};
  for (const auto& [key, value] : question.facts) {
    if (key == "base_scenario") continue;  // the points hash all of it, without file names
    hash.add(key);
    hash.add(value);
  }
  question.fingerprint = hash.text();
  question.num_points = grid.num_points();
  question.columns = grid.columns();
  question.goals = kind.facts.goals;
  for (SweepColumn& column : output_columns(kind, options.with_run)) {
    question.columns.push_back(std::move(column));
  }
  return question;
}

}  // namespace railwright::planner
