// SPDX-License-Identifier: Apache-2.0
#include "series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace railwright::planner {

namespace {

constexpr double kMebibyte = 1024.0 * 1024.0;
constexpr double kClassesFrom[] = {0.0, kMebibyte, 64.0 * kMebibyte};

/// Bytes that a size says; 0 where it is no size (the scenario's reader then says so).
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

double median(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2.0;
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
      const double to = i + 1 < std::size(kClassesFrom) ? kClassesFrom[i + 1] : INFINITY;
      std::vector<double> errors;
      for (const ValidationCase& c : cases) {
        if (c.group != group || c.role != ClaimRole::kValidate || !c.relative_error) continue;
        if (!c.size_bytes || *c.size_bytes < kClassesFrom[i] || *c.size_bytes >= to) continue;
        errors.push_back(std::abs(*c.relative_error));
      }
      if (errors.empty()) continue;
      classes.push_back({.group = group,
                         .from_bytes = kClassesFrom[i],
                         .num_rows = static_cast<int>(errors.size()),
                         .median_absolute_error = median(errors)});
    }
  }
  return classes;
}

}  // namespace railwright::planner
