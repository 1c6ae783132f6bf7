// SPDX-License-Identifier: Apache-2.0
#include "grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>

#include "railwright/planner/sweep/sweep.hpp"

namespace railwright::planner {

namespace {

template <class T>
bool is_whole(const std::string& text, T& value) {
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc{} && stop == end;
}

ColumnType type_of(const std::vector<SweepValue>& cells) {
  const std::size_t first = cells.front().index();
  const bool alike =
      std::ranges::all_of(cells, [&](const SweepValue& cell) { return cell.index() == first; });
  constexpr auto kTypes =
      std::to_array<ColumnType>({ColumnType::kAny, ColumnType::kBool, ColumnType::kInteger,
                                 ColumnType::kReal, ColumnType::kText});
  return alike ? kTypes[first] : ColumnType::kAny;
}

/// Whether a later setting of `key` may undo an earlier one of `path`.
bool covers(const std::string& key, const std::string& path) {
  return path == key || path.starts_with(key + ".");
}

std::vector<core::Diagnostic> problems_of(const std::vector<simulation::Variant>& cases,
                                          const std::vector<simulation::Variation>& vary,
                                          std::int64_t max_points) {
  std::vector<core::Diagnostic> problems;
  std::set<std::string> keys;
  std::set<std::string> names;
  for (const simulation::Variant& one : cases) {
    if (names.insert(one.name).second) continue;
    problems.push_back(
        {{"sweep"}, "sweep.cases", fmt::format("two are called '{}'", one.name), {}});
  }
  double points = static_cast<double>(std::max<std::size_t>(1, cases.size()));
  for (const simulation::Variation& one : vary) {
    points *= static_cast<double>(one.values.size());
    if (!keys.insert(one.key).second) {
      problems.push_back({{"sweep"}, "sweep.vary", fmt::format("'{}' stands twice", one.key), {}});
    }
    if (one.values.empty()) {
      problems.push_back(
          {{"sweep"}, "sweep.vary", fmt::format("'{}' needs at least one value", one.key), {}});
    }
  }
  if (vary.empty() && cases.empty()) {
    problems.push_back({{"sweep"},
                        "sweep",
                        "nothing varies",
                        "write `sweep: {vary: [...]}` into the scenario or give --vary key=a,b,c"});
  }
  if (points > static_cast<double>(max_points)) {
    problems.push_back({{"sweep"},
                        "sweep",
                        fmt::format("{:.0f} points are more than the {} that a sweep may have",
                                    points, max_points),
                        {}});
  }
  return problems;
}

}  // namespace

SweepValue cell_of(const core::Node& value) {
  if (value.kind == core::Node::Kind::kNull) return {};
  if (!value.is_scalar()) return core::to_yaml(value);
  if (value.quoted) return value.text;
  std::int64_t whole = 0;
  double number = 0.0;
  if (is_whole(value.text, whole)) return whole;
  if (is_whole(value.text, number) && std::isfinite(number)) return number;
  if (value.text == "true" || value.text == "false") return value.text == "true";
  return value.text;
}

Grid::Grid(std::vector<simulation::Variant> cases, std::vector<simulation::Variation> vary,
           Bounds bounds)
    : cases_(std::move(cases)), vary_(std::move(vary)) {
  auto problems = problems_of(cases_, vary_, bounds.max_points);
  if (!problems.empty()) throw core::ConfigError(std::move(problems));
  if (!cases_.empty()) {
    Dimension dimension{.name = "case"};
    dimension.size = static_cast<std::int64_t>(cases_.size());
    for (const simulation::Variant& one : cases_) {
      dimension.settings.push_back(one.set);
      dimension.cells.emplace_back(one.name);
    }
    dimensions_.push_back(std::move(dimension));
  }
  for (std::size_t k = 0; k < vary_.size(); ++k) {
    const bool is_undone = std::any_of(
        vary_.begin() + static_cast<std::ptrdiff_t>(k) + 1, vary_.end(),
        [&](const simulation::Variation& later) { return covers(later.key, vary_[k].key); });
    add_key(vary_[k], bounds.has_fast_keys && !is_undone);
  }
  for (std::size_t d = dimensions_.size(); d-- > 0;) {
    dimensions_[d].stride = num_points_;
    num_points_ *= dimensions_[d].size;
    if (!dimensions_[d].is_fast) num_groups_ *= dimensions_[d].size;
  }
}

void Grid::add_key(const simulation::Variation& variation, bool may_be_fast) {
  Dimension dimension{.name = variation.key};
  dimension.size = static_cast<std::int64_t>(variation.values.size());
  for (const core::Node& value : variation.values) {
    dimension.settings.push_back({variation.key + "=" + core::to_yaml(value)});
    dimension.cells.push_back(cell_of(value));
    if (!may_be_fast) continue;
    if (auto fast = FastValue::read(variation.key, value)) {
      dimension.fast.push_back(std::move(*fast));
    }
  }
  dimension.is_fast = !dimension.fast.empty();
  dimensions_.push_back(std::move(dimension));
}

std::int64_t Grid::group_of(std::int64_t point) const {
  std::int64_t group = 0;
  for (const Dimension& one : dimensions_) {
    if (!one.is_fast) group = group * one.size + point / one.stride % one.size;
  }
  return group;
}

std::int64_t Grid::point_on(std::int64_t group, std::int64_t i) const {
  std::int64_t point = 0;
  for (std::size_t d = dimensions_.size(); d-- > 0;) {
    const Dimension& one = dimensions_[d];
    std::int64_t& number = one.is_fast ? i : group;
    point += number % one.size * one.stride;
    number /= one.size;
  }
  return point;
}

std::vector<std::string> Grid::settings(std::int64_t point) const {
  std::vector<std::string> all;
  for (const Dimension& one : dimensions_) {
    const auto& more = one.settings[one.digit(point)];
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

std::vector<std::string> Grid::group_settings(std::int64_t group) const {
  const std::int64_t point = point_on(group, 0);
  std::vector<std::string> all;
  for (const Dimension& one : dimensions_) {
    std::size_t digit = one.digit(point);
    if (one.is_fast) {
      const auto sound = std::ranges::find_if(
          one.fast, [](const FastValue& value) { return value.problems().empty(); });
      if (sound == one.fast.end()) continue;
      digit = static_cast<std::size_t>(sound - one.fast.begin());
    }
    all.insert(all.end(), one.settings[digit].begin(), one.settings[digit].end());
  }
  return all;
}

void Grid::apply(std::int64_t point, simulation::Configuration& configuration,
                 std::vector<core::Diagnostic>& problems) const {
  for (const Dimension& one : dimensions_) {
    if (!one.is_fast) continue;
    const FastValue& value = one.fast[one.digit(point)];
    value.apply(configuration);
    problems.insert(problems.end(), value.problems().begin(), value.problems().end());
  }
}

bool Grid::varies_fast(std::string_view key) const {
  return std::ranges::any_of(dimensions_,
                             [&](const Dimension& one) { return one.is_fast && one.name == key; });
}

std::vector<SweepColumn> Grid::columns() const {
  std::vector<SweepColumn> all;
  for (const Dimension& one : dimensions_) all.push_back({one.name, type_of(one.cells)});
  return all;
}

void Grid::cells(std::int64_t point, std::vector<SweepValue>& out) const {
  for (const Dimension& one : dimensions_) out.push_back(one.cells[one.digit(point)]);
}

}  // namespace railwright::planner
