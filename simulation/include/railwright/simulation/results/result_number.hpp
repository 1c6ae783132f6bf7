// SPDX-License-Identifier: Apache-2.0
// A number of a result as one record: its path in JSON, its name, its format for people, and the
// function that reads it from a result. JSON, text, tables of sweeps, pages and Python follow from
// it.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "railwright/core/units/quantity.hpp"

namespace railwright::simulation {

/// A number by its dotted path in the JSON; the name's suffix is its unit in SI.
struct Output {
  std::string path;
  std::variant<std::int64_t, double> value;

  [[nodiscard]] double number() const;
  /// Returns "/run/steps_s" for "run.steps_s".
  [[nodiscard]] std::string json_pointer() const;
};

/// Format of a number for people. Each format has its own unit.
enum class NumberFormat : std::uint8_t {
  kCount,
  kLarge,  ///< a count in millions, billions or trillions
  kPlain,
  kShare,  ///< 0 to 1, read in %
  kTime,
  kBytes,
  kMemory,  ///< bytes of a device, read in binary units
  kBytesPerSecond,
  kPower,
  kPowerPerSecond,
  kEnergy,
  kMass,
  kMoney,
};
/// Returns the SI unit: "s", "B", "B/s", "W", "J", "USD"; empty for a format without one.
std::string_view unit_of(NumberFormat format);
/// Returns the name in pages and Python: "count", "bytes_per_s".
std::string_view name_of(NumberFormat format);

/// A count, a number in SI, or nothing if a result has no such number.
class NumberValue {
 public:
  NumberValue() = default;
  template <std::integral T>
  NumberValue(T count) : value_(static_cast<std::int64_t>(count)) {}  // NOLINT(*-explicit-*)
  NumberValue(double number) : value_(number) {}                      // NOLINT(*-explicit-*)
  template <class D>
  NumberValue(core::Quantity<D> quantity) : value_(quantity.base()) {}  // NOLINT(*-explicit-*)

  [[nodiscard]] explicit operator bool() const { return value_.has_value(); }
  [[nodiscard]] const std::variant<std::int64_t, double>& operator*() const { return *value_; }
  /// Returns the number, which must exist.
  [[nodiscard]] double number() const;

 private:
  std::optional<std::variant<std::int64_t, double>> value_;
};

/// Part of a simulation's text at whose end numbers have lines of their own.
enum class TextPart : std::uint8_t { kNone, kAnswer, kCheckpoint, kStorage, kCost };

/// A label and its place among others; without a place it comes last.
struct Label {
  static constexpr int kLast = 1000;
  std::string_view text{};
  int place = kLast;
};

/// Receives the numbers of a path with a `*`.
using EachNumber = std::function<void(std::string_view name, NumberValue value)>;

/// A number of a `Result`. Its path is unique; one with a `*` stands for a number of each name.
template <class Result>
struct Number {
  std::string path;
  std::string word{};  ///< name in tables of pages and in notebooks: "checkpoint written in"
  NumberFormat format = NumberFormat::kPlain;
  std::string_view color{};  ///< in charts: the name of a cause of a step
  std::string column{};      ///< in tables of sweeps; empty: none
  int column_place = Label::kLast;
  bool is_whole = false;    ///< a column of integers
  Label beside{};           ///< its row in comparisons of designs; empty: none
  bool hides_zero = false;  ///< hides zeros in that row
  TextPart text_part = TextPart::kNone;
  std::string_view line{};  ///< label of its line in that part

  std::function<NumberValue(const Result&)> read{};
  /// Reads the numbers of a path with a `*`, in place of `read`.
  std::function<void(const Result&, const EachNumber&)> read_each{};
  bool needs_run = false;  ///< a step alone has none; set by its part

  /// Reads the number; nothing if `result` has none, and for a path with a `*`.
  [[nodiscard]] NumberValue of(const Result& result) const {
    return read ? read(result) : NumberValue();
  }
  /// Returns its name in tables.
  [[nodiscard]] std::string_view label() const { return word.empty() ? beside.text : word; }
};
template <class Result>
using Numbers = std::vector<Number<Result>>;

/// Part of a result that numbers are about.
template <class Whole, class Part>
struct PartOf {
  const Part* (*find)(const Whole&);  ///< returns null if a result lacks the part
  bool needs_run = false;             ///< only what ran over time has it
};

/// Returns the number of a part as a number of the whole.
template <class Whole, class Part>
Number<Whole> lifted(Number<Part> number, const PartOf<Whole, Part>& part) {
  Number<Whole> whole{.path = std::move(number.path),
                      .word = std::move(number.word),
                      .format = number.format,
                      .color = number.color,
                      .column = std::move(number.column),
                      .column_place = number.column_place,
                      .is_whole = number.is_whole,
                      .beside = number.beside,
                      .hides_zero = number.hides_zero,
                      .text_part = number.text_part,
                      .line = number.line,
                      .needs_run = number.needs_run || part.needs_run};
  if (number.read) {
    whole.read = [find = part.find, read = std::move(number.read)](const Whole& result) {
      const Part* found = find(result);
      return found != nullptr ? read(*found) : NumberValue();
    };
  } else {
    whole.read_each = [find = part.find, read = std::move(number.read_each)](
                          const Whole& result, const EachNumber& each) {
      if (const Part* found = find(result)) read(*found, each);
    };
  }
  return whole;
}

template <class Whole, class Part>
Numbers<Whole> lifted(Numbers<Part> numbers, const PartOf<Whole, Part>& part) {
  Numbers<Whole> all;
  for (Number<Part>& number : numbers) all.push_back(lifted(std::move(number), part));
  return all;
}

/// Numbers about one part of a result.
template <class Whole>
struct NumberGroup {
  template <class Part>
  NumberGroup(const PartOf<Whole, Part>& part, Numbers<Part> (*make)())
      : numbers(lifted(make(), part)) {}

  Numbers<Whole> numbers;
};

/// Returns the numbers of all groups, in the order of the JSON.
template <class Whole>
Numbers<Whole> table_of(std::span<const NumberGroup<Whole>> groups) {
  Numbers<Whole> all;
  for (const NumberGroup<Whole>& group : groups) {
    all.insert(all.end(), group.numbers.begin(), group.numbers.end());
  }
  return all;
}

/// Returns "links.leaf.utilization" for the path "links.*.utilization" and the name "leaf".
std::string path_of(std::string path, std::string_view name);

/// Returns the `numbers` that `result` has, in their order.
template <class Result>
std::vector<Output> outputs(const Numbers<Result>& numbers, const Result& result) {
  std::vector<Output> all;
  const auto add = [&](std::string path, const NumberValue& value) {
    if (value) all.push_back({.path = std::move(path), .value = *value});
  };
  for (const Number<Result>& number : numbers) {
    if (!number.read_each) {
      add(number.path, number.of(result));
      continue;
    }
    number.read_each(result, [&](std::string_view name, const NumberValue& value) {
      add(path_of(number.path, name), value);
    });
  }
  return all;
}

}  // namespace railwright::simulation
