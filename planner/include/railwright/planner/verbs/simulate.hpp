// SPDX-License-Identifier: Apache-2.0
// `simulate`: one scenario in, its times, memory, storage load and limits out.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "railwright/core/parts_list.hpp"
#include "railwright/models/memory/memory.hpp"
#include "railwright/planner/run/run.hpp"
#include "railwright/planner/scenario/scenario.hpp"
#include "railwright/planner/step/link_loads.hpp"
#include "railwright/planner/step/trace.hpp"

namespace railwright::planner {

enum class Method : std::uint8_t {
  kSimulate,  ///< events and flows
  kEstimate,  ///< closed form
};

struct SimulateOptions {
  Method method = Method::kSimulate;
  Symmetry symmetry = Symmetry::kFolded;
  bool trace = false;  ///< of kSimulate: whether the result has a trace of the step
};

/// Something that does not fit, and by how much.
struct Infeasibility {
  std::string what;  ///< a sentence with both numbers
};

struct SimulationResult {
  std::string name;
  Method method = Method::kSimulate;
  models::Layout layout;
  std::int64_t num_parameters = 0;
  std::int64_t tokens_per_step = 0;
  std::int64_t steps = 0;
  int num_accelerators = 0;
  double bubble_fraction = 0.0;

  std::vector<Infeasibility> infeasible;  ///< empty when the design can run; else no times
  core::PartsList parts;
  core::Bandwidth bisection;  ///< between the halves of the nodes
  models::MemoryUse memory;
  core::DataSize memory_capacity;

  core::Duration step_time;
  Breakdown breakdown;
  double tokens_per_s = 0.0;
  double model_flops_utilization = 0.0;
  std::vector<TierLoad> loads;          ///< only from kSimulate
  std::vector<LinkLoad> busiest_links;  ///< the same
  std::optional<StepTrace> trace;
  RunResult run;
  std::string limit;  ///< what limits the step, in a sentence

  [[nodiscard]] bool feasible() const { return infeasible.empty(); }
};

SimulationResult simulate(const CheckedScenario& checked, const SimulateOptions& options = {});

}  // namespace railwright::planner
