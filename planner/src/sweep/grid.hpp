// SPDX-License-Identifier: Apache-2.0
// Maps numbers of points to the points of a sweep.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fast_keys.hpp"
#include "railwright/planner/sweep/sweep.hpp"
#include "railwright/simulation/scenario/sweep_space.hpp"

namespace railwright::planner {

/// Point i is a number whose digits choose the case and a value of each key; the last key is the
/// lowest digit. A group consists of the points with the same case and values of slow keys: they
/// differ in their Configuration alone.
class Grid {
 public:
  struct Bounds {
    bool has_fast_keys = false;  ///< if false, each point is a group
    std::int64_t max_points = 0;
  };
  /// Throws ConfigError with every problem.
  Grid(std::vector<simulation::Variant> cases, std::vector<simulation::Variation> vary,
       Bounds bounds);

  [[nodiscard]] std::int64_t num_points() const { return num_points_; }
  [[nodiscard]] std::int64_t num_groups() const { return num_groups_; }
  [[nodiscard]] std::int64_t num_in_group() const { return num_points_ / num_groups_; }
  [[nodiscard]] std::int64_t group_of(std::int64_t point) const;
  /// Returns the i-th point of a group.
  [[nodiscard]] std::int64_t point_on(std::int64_t group, std::int64_t i) const;

  /// Lists the settings that make a point of the scenario, in order.
  [[nodiscard]] std::vector<std::string> settings(std::int64_t point) const;
  /// Lists settings of slow keys, and of fast keys with a valid value.
  [[nodiscard]] std::vector<std::string> group_settings(std::int64_t group) const;
  /// Sets the values of fast keys; adds their problems to `problems`.
  void apply(std::int64_t point, simulation::Configuration& configuration,
             std::vector<core::Diagnostic>& problems) const;
  [[nodiscard]] bool varies_fast(std::string_view key) const;

  /// Columns and cells of the inputs.
  [[nodiscard]] std::vector<SweepColumn> columns() const;
  void cells(std::int64_t point, std::vector<SweepValue>& out) const;

  [[nodiscard]] const std::vector<simulation::Variant>& cases() const { return cases_; }
  [[nodiscard]] const std::vector<simulation::Variation>& vary() const { return vary_; }
  /// The case is dimension 0 if there are cases.
  [[nodiscard]] std::size_t num_dimensions() const { return dimensions_.size(); }
  [[nodiscard]] std::size_t num_values(std::size_t dimension) const {
    return static_cast<std::size_t>(dimensions_[dimension].size);
  }
  [[nodiscard]] std::int64_t stride(std::size_t dimension) const {
    return dimensions_[dimension].stride;
  }

 private:
  struct Dimension {
    std::int64_t size = 1;
    std::int64_t stride = 1;  ///< between points that differ by one in this digit
    bool is_fast = false;
    std::vector<std::vector<std::string>> settings;  ///< settings of each value
    std::vector<FastValue> fast;                     ///< fast keys only: each value
    std::vector<SweepValue> cells;
    std::string name;

    [[nodiscard]] std::size_t digit(std::int64_t point) const {
      return static_cast<std::size_t>(point / stride % size);
    }
  };

  void add_key(const simulation::Variation& variation, bool is_fast);

  std::vector<simulation::Variant> cases_;
  std::vector<simulation::Variation> vary_;
  std::vector<Dimension> dimensions_;
  std::int64_t num_points_ = 1;
  std::int64_t num_groups_ = 1;
};

}  // namespace railwright::planner
