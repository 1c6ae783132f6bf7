// SPDX-License-Identifier: Apache-2.0
#include "units/unit_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "railwright/core/units/nearest.hpp"

namespace railwright::core {

namespace {

constexpr Exponents kTime{1, 0, 0, 0, 0};
constexpr Exponents kData{0, 1, 0, 0, 0};
constexpr Exponents kWork{0, 0, 1, 0, 0};
constexpr Exponents kEnergy{0, 0, 0, 1, 0};
constexpr Exponents kPower{-1, 0, 0, 1, 0};
constexpr Exponents kDollars{0, 0, 0, 0, 1};

constexpr double kKi = 1024.0;

constexpr auto kUnits = std::to_array<Unit>({
    {"s", 1.0, kTime},
    {"ms", 1.0, kTime, 1e3},
    {"us", 1.0, kTime, 1e6},
    {"ns", 1.0, kTime, 1e9},
    {"ps", 1.0, kTime, 1e12},
    {"min", 60.0, kTime},
    {"h", 3600.0, kTime},
    {"d", 86400.0, kTime},
    {"day", 86400.0, kTime},
    {"days", 86400.0, kTime},
    {"week", 7.0 * 86400.0, kTime},
    {"weeks", 7.0 * 86400.0, kTime},
    {"y", 365.25 * 86400.0, kTime},
    {"b", 0.125, kData},
    {"kb", 0.125e3, kData},
    {"Mb", 0.125e6, kData},
    {"Gb", 0.125e9, kData},
    {"Tb", 0.125e12, kData},
    {"B", 1.0, kData},
    {"kB", 1e3, kData},
    {"MB", 1e6, kData},
    {"GB", 1e9, kData},
    {"TB", 1e12, kData},
    {"PB", 1e15, kData},
    {"EB", 1e18, kData},
    {"KiB", kKi, kData},
    {"MiB", kKi* kKi, kData},
    {"GiB", kKi* kKi* kKi, kData},
    {"TiB", kKi* kKi* kKi* kKi, kData},
    {"PiB", kKi* kKi* kKi* kKi* kKi, kData},
    {"FLOP", 1.0, kWork},
    {"kFLOP", 1e3, kWork},
    {"MFLOP", 1e6, kWork},
    {"GFLOP", 1e9, kWork},
    {"TFLOP", 1e12, kWork},
    {"PFLOP", 1e15, kWork},
    {"EFLOP", 1e18, kWork},
    {"ZFLOP", 1e21, kWork},
    {"YFLOP", 1e24, kWork},
    {"J", 1.0, kEnergy},
    {"kJ", 1e3, kEnergy},
    {"MJ", 1e6, kEnergy},
    {"kWh", 3.6e6, kEnergy},
    {"MWh", 3.6e9, kEnergy},
    {"GWh", 3.6e12, kEnergy},
    {"W", 1.0, kPower},
    {"kW", 1e3, kPower},
    {"MW", 1e6, kPower},
    {"GW", 1e9, kPower},
    {"USD", 1.0, kDollars},
});

using Spelling = std::pair<std::string_view, std::string_view>;

constexpr auto kSpelledOut = std::to_array<Spelling>({
    {"sec", "s"},
    {"secs", "s"},
    {"second", "s"},
    {"seconds", "s"},
    {"minute", "min"},
    {"mins", "min"},
    {"minutes", "min"},
    {"hr", "h"},
    {"hrs", "h"},
    {"hour", "h"},
    {"hours", "h"},
    {"year", "y"},
    {"years", "y"},
    {"$", "USD"},
    {"dollar", "USD"},
    {"dollars", "USD"},
});

/// Longest first, so that "Gbits" is not taken for a misspelt "Gbit".
constexpr auto kLongSuffixes = std::to_array<Spelling>({
    {"bytes", "B"},
    {"Bytes", "B"},
    {"byte", "B"},
    {"Byte", "B"},
    {"bits", "b"},
    {"bit", "b"},
});

/// Returns the known units that `unit` may mean; sets `rate` if it also implies "/s" (Gbps,
/// TFLOPS).
std::vector<std::string> meant(std::string_view unit, bool& rate) {
  rate = false;
  for (const auto& [word, name] : kSpelledOut) {
    if (unit == word) return {std::string(name)};
  }
  for (const auto& [suffix, name] : kLongSuffixes) {
    if (!unit.ends_with(suffix)) continue;
    const std::string candidate =
        std::string(unit.substr(0, unit.size() - suffix.size())).append(name);
    if (find_unit(candidate) != nullptr) return {candidate};
  }
  std::vector<std::string> found;
  const auto add_same_letters = [&found](std::string_view word) {
    for (const Unit& known : kUnits) {
      if (lower_case(known.name) == lower_case(word)) found.emplace_back(known.name);
    }
  };
  add_same_letters(unit);
  if (!found.empty()) return found;
  rate = true;
  if (lower_case(unit).ends_with("flops")) {
    add_same_letters(unit.substr(0, unit.size() - 1));
  } else if (unit.ends_with("ps")) {
    const std::string_view prefix = unit.substr(0, unit.size() - 2);
    if (find_unit(prefix) != nullptr) {
      found.emplace_back(prefix);
    } else {
      add_same_letters(prefix);
    }
  }
  if (!found.empty()) return found;
  rate = false;
  std::vector<std::string> names;
  for (const Unit& known : kUnits) names.emplace_back(known.name);
  std::string near = nearest(unit, names);
  if (!near.empty()) found.push_back(std::move(near));
  return found;
}

}  // namespace

const Unit* find_unit(std::string_view name) {
  const auto* const found = std::find_if(kUnits.begin(), kUnits.end(),
                                         [name](const Unit& unit) { return unit.name == name; });
  return found == kUnits.end() ? nullptr : found;
}

std::vector<std::string> unit_names(const Exponents& exponents) {
  std::vector<std::string> names;
  for (const Unit& unit : kUnits) {
    if (unit.exponents == exponents) names.emplace_back(unit.name);
  }
  for (const Unit& over : kUnits) {
    for (const Unit& under : kUnits) {
      Exponents both = over.exponents;
      for (std::size_t i = 0; i < both.size(); ++i) both[i] -= under.exponents[i];
      if (both == exponents) names.push_back(fmt::format("{}/{}", over.name, under.name));
    }
  }
  return names;
}

std::string unit_hint(std::string_view unit, std::string_view whole) {
  if (unit == "mo" || unit == "month" || unit == "months") {
    return "months differ in length: write days or weeks, such as '13 week'";
  }
  bool rate = false;
  const std::vector<std::string> names = meant(unit, rate);
  if (names.empty()) return {};
  std::string text;
  for (const std::string& name : names) {
    if (!text.empty()) text += " or ";
    // Repeat the text around the word, so that the suggestion can be pasted.
    std::string replacement(whole);
    const std::size_t at = replacement.find(unit);
    if (at == std::string::npos) {
      replacement = name;
    } else {
      replacement.replace(at, unit.size(), name);
    }
    if (rate && whole.find('/') == std::string_view::npos) replacement += "/s";
    text += fmt::format("'{}'", replacement);
  }
  return fmt::format("did you mean {}?", text);
}

}  // namespace railwright::core
