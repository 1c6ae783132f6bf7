// SPDX-License-Identifier: Apache-2.0
#include "differences.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace railwright::simulation {

namespace {

std::string gigabits(core::Bandwidth rate) {
  return fmt::format("{:.3g} Gb/s", 8e-9 * rate.base());
}

/// Whether a published fabric covers a step's own: one switch equals any fabric that is not
/// oversubscribed.
bool fits(const std::string& own, const std::string& published) {
  return own == published || (own == "single_switch" && published.find(':') == std::string::npos);
}

/// One trait of a step and of a combination, in words, and whether they fit.
struct Trait {
  std::string own;
  std::string published;
  bool fits = false;
};

Trait trait(const char* format, const std::string& own, const std::string& published) {
  return {fmt::format(fmt::runtime(format), own), published, own == published};
}

/// Returns the traits of a step and of a combination; those of the network only if the step spans
/// nodes.
std::vector<Trait> traits_against(const StepTraits& own, const TrackCombination& one) {
  std::vector<Trait> traits = {trait("parallelism {}", own.layout, one.layout),
                               trait("nodes of {}", own.node, one.node)};
  if (own.transport.empty()) return traits;
  const bool is_apart = !one.transport.empty();
  const auto add = [&](const char* format, const std::string& text, std::string published) {
    traits.push_back(trait(format, text, is_apart ? std::move(published) : "one node alone"));
  };
  const auto number = [](double value) { return fmt::format("{:.3g}", value); };
  add("transport {}", own.transport, one.transport);
  if (!is_apart) return traits;
  add("{} NICs an accelerator", number(own.nics_per_accelerator), number(one.nics_per_accelerator));
  add("NICs of {}", gigabits(own.nic_rate), gigabits(one.nic_rate));
  add("fabric {}", own.fabric, one.fabric);
  traits.back().fits = fits(own.fabric, one.fabric);
  return traits;
}

/// Returns the traits that no combination has; if each occurs in some, those that the nearest one
/// lacks.
std::vector<std::string> combination_changes(const TrackRow& row, const StepTraits& own) {
  std::map<std::size_t, std::pair<std::string, std::vector<std::string>>> unknown;
  std::optional<std::vector<std::string>> nearest;
  std::set<std::size_t> known;
  for (const TrackCombination& one : row.combinations) {
    std::vector<std::string> lacks;
    const std::vector<Trait> traits = traits_against(own, one);
    for (std::size_t i = 0; i < traits.size(); ++i) {
      if (traits[i].fits) {
        known.insert(i);
        continue;
      }
      lacks.push_back(traits[i].own);
      auto& [text, published] = unknown[i];
      text = traits[i].own;
      if (std::ranges::find(published, traits[i].published) == published.end()) {
        published.push_back(traits[i].published);
      }
    }
    if (lacks.empty()) return {};
    if (!nearest || lacks.size() < nearest->size()) nearest = std::move(lacks);
  }
  std::vector<std::string> changes;
  for (auto& [i, change] : unknown) {
    if (known.contains(i)) continue;
    std::ranges::sort(change.second);
    changes.push_back(
        fmt::format("{} (published: {})", change.first, fmt::join(change.second, ", ")));
  }
  if (changes.empty() && nearest) {
    changes.push_back(
        fmt::format("{} (published, but not with all of the rest)", fmt::join(*nearest, " and ")));
  }
  return changes;
}

}  // namespace

std::vector<std::string> differences_from(const TrackRow& row, const StepTraits& traits) {
  std::vector<std::string> changes = combination_changes(row, traits);
  if (traits.sequence_length < row.shortest_sequence ||
      traits.sequence_length > row.longest_sequence) {
    changes.push_back(fmt::format("sequence length {} (published: {} to {})",
                                  traits.sequence_length, row.shortest_sequence,
                                  row.longest_sequence));
  }
  if (traits.num_accelerators > row.num_accelerators) {
    changes.push_back(fmt::format("{} accelerators (published: up to {})", traits.num_accelerators,
                                  row.num_accelerators));
  }
  for (const std::string& setting : traits.settings) {
    if (std::ranges::find(row.settings, setting) == row.settings.end()) changes.push_back(setting);
  }
  return changes;
}

std::vector<std::string> differences_apart(const std::vector<TrackRow>& rows,
                                           const StepTraits& traits) {
  std::vector<std::string> changes;
  std::set<std::string> published;
  bool is_together = false;
  for (const TrackRow& row : rows) {
    if (row.software != traits.software) continue;
    published.insert(row.settings.begin(), row.settings.end());
    is_together = is_together || row.accelerator == traits.accelerator;
  }
  if (!published.empty() || num_steps(rows, &TrackRow::software, traits.software) > 0) {
    changes.push_back(is_together ? fmt::format("precision {}", core::to_string(traits.precision))
                                  : fmt::format("{} on {}", traits.software, traits.accelerator));
  }
  for (const std::string& setting : traits.settings) {
    if (!published.contains(setting)) changes.push_back(setting);
  }
  return changes;
}

int num_steps(const std::vector<TrackRow>& rows, std::string TrackRow::* of,
              const std::string& name) {
  int sum = 0;
  for (const TrackRow& row : rows) {
    if (row.*of == name) sum += row.left_out + row.fitted;
  }
  return sum;
}

}  // namespace railwright::simulation
