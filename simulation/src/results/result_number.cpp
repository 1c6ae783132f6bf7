// SPDX-License-Identifier: Apache-2.0
#include "railwright/simulation/results/result_number.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace railwright::simulation {

namespace {

struct FormatFacts {
  std::string_view name;
  std::string_view unit;
};
/// Names and units in the order of NumberFormat.
constexpr auto kFormats = std::to_array<FormatFacts>({{"count", ""},
                                                      {"big", ""},
                                                      {"plain", ""},
                                                      {"percent", ""},
                                                      {"s", "s"},
                                                      {"bytes", "B"},
                                                      {"memory", "B"},
                                                      {"bytes_per_s", "B/s"},
                                                      {"w", "W"},
                                                      {"w_per_s", "W/s"},
                                                      {"j", "J"},
                                                      {"kg", "kg"},
                                                      {"usd", "USD"}});

double as_double(const std::variant<std::int64_t, double>& value) {
  return std::visit([](auto v) { return static_cast<double>(v); }, value);
}

}  // namespace

double Output::number() const { return as_double(value); }

std::string Output::json_pointer() const {
  std::string pointer = "/" + path;
  std::ranges::replace(pointer, '.', '/');
  return pointer;
}

std::string_view unit_of(NumberFormat format) {
  return kFormats[static_cast<std::size_t>(format)].unit;
}

std::string_view name_of(NumberFormat format) {
  return kFormats[static_cast<std::size_t>(format)].name;
}

double NumberValue::number() const { return as_double(*value_); }

std::string path_of(std::string path, std::string_view name) {
  return path.replace(path.find('*'), 1, name);
}

}  // namespace railwright::simulation
