// SPDX-License-Identifier: Apache-2.0
#include "holdout_split.hpp"

#include <map>
#include <set>
#include <utility>

#include "railwright/core/sim/random.hpp"

namespace railwright::validation {

namespace {

/// Returns FNV-1a, which is identical on every platform. [@fowler2019fnv]
std::uint64_t hash_of(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3U;
  }
  return hash;
}

struct Configuration {
  std::string name;
  std::size_t num_rows = 0;
  bool is_drawn = false;
};

struct Family {
  std::vector<Configuration> configurations;  ///< in shuffled order
  std::size_t num_rows = 0;
  std::size_t num_drawn = 0;
};

std::map<std::string, Family> families_of(const std::vector<HoldoutRow>& rows) {
  std::map<std::string, std::map<std::string, std::size_t>> counts;
  for (const HoldoutRow& row : rows) ++counts[row.family][row.configuration];
  std::map<std::string, Family> families;
  for (const auto& [name, configurations] : counts) {
    Family& family = families[name];
    for (const auto& [configuration, num_rows] : configurations) {
      family.configurations.push_back({configuration, num_rows, false});
      family.num_rows += num_rows;
    }
  }
  return families;
}

void shuffle(std::vector<Configuration>& configurations, core::RandomStream random) {
  for (std::size_t i = configurations.size(); i > 1; --i) {
    std::swap(configurations[i - 1], configurations[random.below(i)]);
  }
}

/// Draws configurations while `num_drawn` stays within `most`; returns whether it drew any.
bool take(Family& family, std::size_t& num_drawn, double most, bool only_one) {
  bool any = false;
  for (Configuration& configuration : family.configurations) {
    if (static_cast<double>(num_drawn + configuration.num_rows) > most) continue;
    configuration.is_drawn = any = true;
    num_drawn += configuration.num_rows;
    if (only_one) break;
  }
  return any;
}

}  // namespace

std::vector<bool> draw_holdout(const std::vector<HoldoutRow>& rows, const Draw& draw) {
  auto families = families_of(rows);
  std::size_t num_drawn = 0;
  for (auto& [name, family] : families) {
    shuffle(family.configurations, core::RandomStream(draw.seed, hash_of(name)));
    take(family, family.num_drawn, draw.share * static_cast<double>(family.num_rows), false);
    num_drawn += family.num_drawn;
  }
  for (auto& [name, family] : families) {
    if (family.num_drawn > 0 || family.configurations.size() < 2) continue;
    take(family, num_drawn, draw.share * static_cast<double>(rows.size()), true);
  }
  std::set<std::pair<std::string, std::string>> drawn;
  for (const auto& [name, family] : families) {
    for (const Configuration& c : family.configurations) {
      if (c.is_drawn) drawn.emplace(name, c.name);
    }
  }
  std::vector<bool> result;
  result.reserve(rows.size());
  for (const HoldoutRow& row : rows) {
    result.push_back(drawn.contains({row.family, row.configuration}));
  }
  return result;
}

}  // namespace railwright::validation
