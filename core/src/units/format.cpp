// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string>

#include "railwright/core/units/text.hpp"
#include "units/number.hpp"

namespace railwright::core {

namespace {

struct Step {
  double from;  ///< smallest size that uses this step, in base units
  double unit;
  std::string_view name;
};

constexpr auto kTimeSteps = std::to_array<Step>({{0.0, 1e-12, "ps"},
                                                 {1e-9, 1e-9, "ns"},
                                                 {1e-6, 1e-6, "us"},
                                                 {1e-3, 1e-3, "ms"},
                                                 {1.0, 1.0, "s"},
                                                 {120.0, 60.0, "min"},
                                                 {7200.0, 3600.0, "h"},
                                                 {172800.0, 86400.0, "d"}});
constexpr auto kDataSteps = std::to_array<Step>({{0.0, 1.0, "B"},
                                                 {1e3, 1e3, "kB"},
                                                 {1e6, 1e6, "MB"},
                                                 {1e9, 1e9, "GB"},
                                                 {1e12, 1e12, "TB"},
                                                 {1e15, 1e15, "PB"},
                                                 {1e18, 1e18, "EB"}});
constexpr auto kWorkSteps = std::to_array<Step>({{0.0, 1.0, "FLOP"},
                                                 {1e3, 1e3, "kFLOP"},
                                                 {1e6, 1e6, "MFLOP"},
                                                 {1e9, 1e9, "GFLOP"},
                                                 {1e12, 1e12, "TFLOP"},
                                                 {1e15, 1e15, "PFLOP"},
                                                 {1e18, 1e18, "EFLOP"},
                                                 {1e21, 1e21, "ZFLOP"},
                                                 {1e24, 1e24, "YFLOP"}});
constexpr auto kEnergySteps = std::to_array<Step>({{0.0, 1.0, "J"},
                                                   {1e3, 1e3, "kJ"},
                                                   {1e6, 1e6, "MJ"},
                                                   {3.6e6, 3.6e6, "kWh"},
                                                   {3.6e9, 3.6e9, "MWh"},
                                                   {3.6e12, 3.6e12, "GWh"}});
constexpr auto kPowerSteps =
    std::to_array<Step>({{0.0, 1.0, "W"}, {1e3, 1e3, "kW"}, {1e6, 1e6, "MW"}, {1e9, 1e9, "GW"}});

// Prices use a fixed unit of quantity, whatever their size.
constexpr auto kPerHour = std::to_array<Step>({{0.0, 1.0 / 3600.0, "USD/h"}});
constexpr auto kPerKilowattHour = std::to_array<Step>({{0.0, 1.0 / 3.6e6, "USD/kWh"}});
constexpr auto kPerGigabyte = std::to_array<Step>({{0.0, 1e-9, "USD/GB"}});

constexpr Exponents kMoney{0, 0, 0, 0, 1};

/// A dimension that has a name in railwright. `steps` apply to the part before `suffix`.
struct Known {
  Exponents exponents;
  std::string_view name;
  std::string_view example;
  std::span<const Step> steps;
  std::string_view suffix;
};

const std::array<Known, 12> kKnown{{
    {{0, 0, 0, 0, 0}, "a plain number", "0.5", {}, ""},
    {{1, 0, 0, 0, 0}, "time", "s", kTimeSteps, ""},
    {{0, 1, 0, 0, 0}, "data", "GB", kDataSteps, ""},
    {{-1, 1, 0, 0, 0}, "data/time", "GB/s", kDataSteps, "/s"},
    {{0, 0, 1, 0, 0}, "work", "TFLOP", kWorkSteps, ""},
    {{-1, 0, 1, 0, 0}, "work/time", "TFLOP/s", kWorkSteps, "/s"},
    {{0, 0, 0, 1, 0}, "energy", "kWh", kEnergySteps, ""},
    {{-1, 0, 0, 1, 0}, "power", "W", kPowerSteps, ""},
    {{0, 0, 0, 0, 1}, "money", "USD", {}, ""},
    {{-1, 0, 0, 0, 1}, "money/time", "USD/h", kPerHour, ""},
    {{0, 0, 0, -1, 1}, "money/energy", "USD/kWh", kPerKilowattHour, ""},
    {{0, -1, 0, 0, 1}, "money/data", "USD/GB", kPerGigabyte, ""},
}};

const Known* find_known(const Exponents& exponents) {
  const auto* const found =
      std::find_if(kKnown.begin(), kKnown.end(),
                   [&exponents](const Known& known) { return known.exponents == exponents; });
  return found == kKnown.end() ? nullptr : found;
}

using Words = std::array<std::string_view, 5>;

/// Composes "B/s": the words with positive exponents, then "/" before each with a negative one.
std::string composed(const Exponents& exponents, const Words& words, std::string_view none) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    for (int n = 0; n < exponents[i]; ++n) text.append(text.empty() ? "" : "*").append(words[i]);
  }
  if (text.empty()) text = none;
  for (std::size_t i = 0; i < words.size(); ++i) {
    for (int n = 0; n > exponents[i]; --n) text.append("/").append(words[i]);
  }
  return text;
}

std::string base_unit(const Exponents& exponents) {
  // Write joules per second as watts, as far as they go.
  Exponents rest = exponents;
  if (rest[3] == 1 && rest[0] < 0) {
    rest[3] = 0;
    ++rest[0];
    const std::string tail = composed(rest, {"s", "B", "FLOP", "J", "USD"}, "");
    if (tail.empty() || tail[0] == '/') return "W" + tail;
  }
  return composed(exponents, {"s", "B", "FLOP", "J", "USD"}, "");
}

double rounded_to(double value, int num_digits) {
  const std::string rounded = fmt::format("{:.{}e}", value, num_digits - 1);
  std::string_view text = rounded;
  double result = value;
  take_number(text, result);
  return result;
}

std::string digits(double value) {
  const double size = std::abs(value);
  if (size >= 1e6) return fmt::format("{:.2e}", value);
  if (size >= 100.0) return fmt::format("{:.0f}", value);
  if (size >= 10.0) return fmt::format("{:.1f}", value);
  if (size >= 1.0) return fmt::format("{:.2f}", value);
  return fmt::format("{:#.3g}", value);
}

std::string with_unit(std::string number, std::string_view unit) {
  return unit.empty() ? number : std::move(number) + ' ' + std::string(unit);
}

struct Fit {
  double unit;  ///< in base units
  std::string name;
};

/// Selects the unit for `size`.
Fit fitting_unit(double size, const Exponents& exponents) {
  const Known* known = find_known(exponents);
  if (known == nullptr || known->steps.empty()) return {1.0, base_unit(exponents)};
  const Step* step = &known->steps.front();
  for (const Step& next : known->steps) {
    if (std::abs(size) >= next.from) step = &next;
  }
  return {step->unit, std::string(step->name).append(known->suffix)};
}

}  // namespace

std::string dimension_name(const Exponents& exponents) {
  const Known* known = find_known(exponents);
  if (known != nullptr) return std::string(known->name);
  return composed(exponents, {"time", "data", "work", "energy", "money"}, "1");
}

std::string_view example_unit(const Exponents& exponents) {
  const Known* known = find_known(exponents);
  return known != nullptr ? known->example : std::string_view();
}

std::string format_quantity(double base, const Exponents& exponents) {
  if (std::isinf(base) && base > 0.0) return "unlimited";
  if (base == 0.0) return with_unit("0", base_unit(exponents));
  if (!std::isfinite(base)) return with_unit(fmt::format("{}", base), base_unit(exponents));
  if (exponents == kMoney) {
    return fmt::format("{:.{}f} USD", base, std::abs(base) < 100.0 ? 2 : 0);
  }
  const Fit fit = fitting_unit(rounded_to(base, 3), exponents);
  return with_unit(digits(rounded_to(base / fit.unit, 3)), fit.name);
}

std::string format_range(double low, double high, const Exponents& exponents) {
  constexpr double kFar = 100.0;
  const bool are_near = std::isfinite(high) && std::abs(low) * kFar > std::abs(high);
  if (!are_near || exponents == kMoney) {
    return format_quantity(low, exponents) + " to " + format_quantity(high, exponents);
  }
  const Fit fit = fitting_unit(rounded_to(low, 3), exponents);
  return digits(rounded_to(low / fit.unit, 3)) + " to " +
         with_unit(digits(rounded_to(high / fit.unit, 3)), fit.name);
}

std::string memory_text(DataSize size) {
  struct Unit {
    double bytes;
    std::string_view name;
  };
  static constexpr Unit kUnits[] = {
      {1099511627776.0, "TiB"}, {1073741824.0, "GiB"}, {1048576.0, "MiB"}, {1024.0, "KiB"}};
  const double bytes = size.base();
  for (const Unit& unit : kUnits) {
    const double count = rounded_to(bytes / unit.bytes, 3);
    if (std::abs(count) >= 1.0) return with_unit(digits(count), unit.name);
  }
  return with_unit(fmt::format("{:.0f}", bytes), "B");
}

std::string format_exact(double base, const Exponents& exponents) {
  if (std::isinf(base) && base > 0.0) return "unlimited";
  return with_unit(shortest(base), base_unit(exponents));
}

std::string format_faithful(double base, const Exponents& exponents) {
  if (!std::isfinite(base) || base == 0.0) return format_exact(base, exponents);
  const Fit fit = fitting_unit(base, exponents);
  // Fifteen digits drop the rounding error of the division; seventeen keep every bit.
  for (const int num_digits : {15, 17}) {
    const double scaled = rounded_to(base / fit.unit, num_digits);
    std::string text = with_unit(shortest(scaled), fit.name);
    QuantityError ignored;
    const auto read = parse_quantity(text, ignored);
    if (read && read->base == base && read->exponents == exponents) return text;
  }
  return format_exact(base, exponents);
}

}  // namespace railwright::core
