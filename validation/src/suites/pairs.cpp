// SPDX-License-Identifier: Apache-2.0
// Compares pairs of rows that differ in one key: the effect of a change, whatever the level.
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "error_groups.hpp"
#include "training_facts.hpp"

namespace railwright::validation {

namespace {

using Settings = std::map<std::string, std::string>;

constexpr const char* kNodes = "cluster.nodes";
constexpr const char* kBatch = "workload.global_batch";
constexpr const char* kWeakScaling = "cluster.nodes and workload.global_batch";
constexpr std::size_t kMaxDifferences = 2;

/// Lists paths at which two scenarios differ, up to one more than a pair may have.
std::vector<std::string> differences(const Settings& one, const Settings& other) {
  std::vector<std::string> paths;
  auto a = one.begin();
  auto b = other.begin();
  while ((a != one.end() || b != other.end()) && paths.size() <= kMaxDifferences) {
    const bool only_b = a == one.end() || (b != other.end() && b->first < a->first);
    const bool only_a = b == other.end() || (a != one.end() && a->first < b->first);
    if (only_a || only_b) {
      paths.push_back(only_a ? a->first : b->first);
    } else if (a->second != b->second) {
      paths.push_back(a->first);
    }
    if (!only_b) ++a;
    if (!only_a) ++b;
  }
  return paths;
}

std::optional<std::string> key_of(const std::vector<std::string>& paths) {
  if (paths.size() == 1) return paths.front();
  if (paths.size() == 2 && paths.front() == kNodes && paths.back() == kBatch) return kWeakScaling;
  return {};
}

/// Errors of the predicted ratio of a pair's times, and of the ratio 1.
struct PairErrors {
  std::vector<double> predicted;
  std::vector<double> no_change;

  void add(const ValidationCase& a, const ValidationCase& b) {
    const double published = b.published / a.published;
    predicted.push_back(*b.predicted / *a.predicted / published - 1.0);
    no_change.push_back(1.0 / published - 1.0);
  }
  [[nodiscard]] ErrorGroup group(std::string name) const {
    return {.by = "pair",
            .name = std::move(name),
            .errors = statistics_of(predicted),
            .same_baseline = {},
            .constant_baseline = statistics_of(no_change)};
  }
};

bool is_held_out(const ValidationCase& c) {
  return is_training_step(c) && c.role == ClaimRole::kValidate && c.predicted;
}

}  // namespace

std::vector<ErrorGroup> pairs_of(const std::vector<ValidationCase>& cases) {
  std::map<std::string, std::vector<const ValidationCase*>> families;
  for (const ValidationCase& c : cases) {
    if (is_held_out(c)) families[c.group].push_back(&c);
  }
  PairErrors all;
  std::map<std::string, PairErrors> by_key;
  for (const auto& [family, rows] : families) {
    for (auto b = rows.begin(); b != rows.end(); ++b) {
      for (auto a = rows.begin(); a != b; ++a) {
        const auto key = key_of(differences((*a)->training->settings, (*b)->training->settings));
        if (!key) continue;
        all.add(**a, **b);
        by_key[*key].add(**a, **b);
      }
    }
  }
  if (by_key.empty()) return {};
  std::vector<ErrorGroup> groups{all.group("all")};
  for (const auto& [key, errors] : by_key) groups.push_back(errors.group(key));
  return groups;
}

}  // namespace railwright::validation
