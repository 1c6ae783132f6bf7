// SPDX-License-Identifier: Apache-2.0
// The one list of the numbers a simulation gives: JSON, validation and tables of many points all
// read it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "railwright/planner/verbs/simulate.hpp"

namespace railwright::planner {

struct SizingResult;

/// A number by its dotted path in the JSON; the name's suffix is its unit in SI.
struct Output {
  std::string path;
  std::variant<std::int64_t, double> value;

  [[nodiscard]] double number() const;
  /// "/run/steps_s" of "run.steps_s".
  [[nodiscard]] std::string json_pointer() const;
};

/// Times and loads only where the scenario is feasible.
std::vector<Output> outputs(const SimulationResult& result);
/// Of one job of several: as those of its simulation that are about its run.
std::vector<Output> outputs(const JobRun& run);
std::vector<Output> outputs(const StorageRun& storage);
/// Of the cheapest cluster; nothing where none meets the goals.
std::vector<Output> outputs(const SizingResult& result);

/// One number of the storage's load for each bin of time.
struct LoadColumn {
  std::string_view name;
  std::vector<double> values;
};
/// `time_s` is the start of a bin. None where storage saw nothing.
std::vector<LoadColumn> load_columns(const StorageRun& storage);

}  // namespace railwright::planner
