// SPDX-License-Identifier: Apache-2.0
#include "series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <tuple>

#include "railwright/core/arithmetic.hpp"

namespace railwright::validation {

namespace {

constexpr double kMebibyte = 1024.0 * 1024.0;
constexpr double kClassesFrom[] = {0.0, kMebibyte, 64.0 * kMebibyte};
/// Relative difference, of the lower record, above which records of one call are contradictory.
constexpr double kContradiction[] = {0.3, 0.3, 0.1};

/// Returns the index of the size class.
std::size_t class_of(double bytes) {
  const auto* above = std::ranges::upper_bound(kClassesFrom, bytes);
  return static_cast<std::size_t>(std::distance(std::begin(kClassesFrom), above)) - 1;
}

bool lies_between(const ValidationCase& c) {
  return c.predicted && *c.predicted >= *c.published_low && *c.predicted <= *c.published_high;
}

/// Parses a size to bytes; 0 if it is none, which the scenario's reader then reports.
double bytes_of(const std::string& size) {
  core::QuantityError error;
  const auto parsed = core::parse_quantity(size, error);
  return parsed ? parsed->base : 0.0;
}

}  // namespace

void add_claims(const Series& series, std::vector<Claim>& claims) {
  std::vector<std::pair<double, const std::string*>> sizes;
  for (const auto& [size, published] : series.bus_bandwidth) {
    sizes.emplace_back(bytes_of(size), &size);
  }
  std::ranges::sort(sizes);
  for (const auto& [bytes, size] : sizes) {
    Claim claim;
    claim.id = fmt::format("{}/{}/{:.0f}", series.id, series.op, bytes);
    claim.group = series.op;
    claim.quantity = "bus_bandwidth";
    claim.kind = RowKind::kPrediction;
    const bool calibrates = std::ranges::find(series.calibrate, *size) != series.calibrate.end();
    claim.role = calibrates ? ClaimRole::kCalibrate : ClaimRole::kValidate;
    claim.published = series.bus_bandwidth.at(*size);
    claim.source = series.source;
    claim.scenario = series.scenario;
    claim.set = {"benchmark.op=" + series.op, "benchmark.size=" + *size};
    claim.set.insert(claim.set.end(), series.set.begin(), series.set.end());
    claim.output = "bus_bandwidth_bytes_per_s";
    claims.push_back(std::move(claim));
  }
}

void find_contradictions(std::vector<ValidationCase>& cases) {
  std::map<std::tuple<std::string, std::string>, std::vector<ValidationCase*>> calls;
  for (ValidationCase& c : cases) {
    if (c.size_bytes && c.role != ClaimRole::kReject) calls[{c.group, c.scenario}].push_back(&c);
  }
  for (const auto& [call, records] : calls) {
    const auto [low, high] = std::ranges::minmax(records, {}, &ValidationCase::published);
    const double least = low->published;
    const double most = high->published;
    if (most <= least * (1.0 + kContradiction[class_of(*low->size_bytes)])) continue;
    for (ValidationCase* record : records) {
      record->published_low = least;
      record->published_high = most;
    }
  }
}

std::vector<SizeClass> size_classes(const std::vector<ValidationCase>& cases) {
  std::vector<std::string> groups;
  for (const ValidationCase& c : cases) {
    if (c.size_bytes && std::ranges::find(groups, c.group) == groups.end()) {
      groups.push_back(c.group);
    }
  }
  std::vector<SizeClass> classes;
  for (const std::string& group : groups) {
    for (std::size_t i = 0; i < std::size(kClassesFrom); ++i) {
      SizeClass of_size{.group = group, .from_bytes = kClassesFrom[i]};
      std::vector<double> errors;
      std::map<std::string, bool> contested;
      for (const ValidationCase& c : cases) {
        if (c.group != group || !c.size_bytes || class_of(*c.size_bytes) != i) continue;
        if (c.published_low) contested[c.scenario] = lies_between(c);
        if (c.role == ClaimRole::kValidate && c.relative_error) {
          errors.push_back(std::abs(*c.relative_error));
        }
      }
      if (errors.empty()) continue;
      of_size.num_rows = static_cast<int>(errors.size());
      of_size.median_absolute_error = core::median(errors);
      of_size.num_contested = static_cast<int>(contested.size());
      for (const auto& [call, is_between] : contested) of_size.num_between += is_between ? 1 : 0;
      classes.push_back(std::move(of_size));
    }
  }
  return classes;
}

}  // namespace railwright::validation
