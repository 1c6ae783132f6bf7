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
#include "railwright/simulation/run/run.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/simulation/step/link_loads.hpp"
#include "railwright/simulation/step/step_trace.hpp"
#include "railwright/simulation/training/run_cost.hpp"
#include "railwright/simulation/training/run_power.hpp"

namespace railwright::simulation {

enum class Method : std::uint8_t {
  kSimulate,  ///< events and flows
  kEstimate,  ///< closed form
};

struct SimulateOptions {
  Method method = Method::kSimulate;
  Symmetry symmetry = Symmetry::kFolded;
  bool trace = false;  ///< of kSimulate: a trace of the step, and spans of the run
  RunsDone tell{};     ///< how many of the runs are simulated; may be empty
};

/// Something that does not fit, and by how much.
struct Infeasibility {
  std::string what;  ///< a sentence with both numbers
};

/// The setting that makes a scenario fit its accelerators' memory, as for `--set`.
struct FittingChange {
  std::string setting;
  core::DataSize memory;     ///< of an accelerator with it
  core::Duration step_time;  ///< in closed form
};

struct SimulationResult {
  std::string name;
  Method method = Method::kSimulate;
  models::Layout layout;
  std::int64_t num_parameters = 0;
  std::int64_t samples_per_step = 0;  ///< sequences or images
  std::int64_t tokens_per_step = 0;   ///< none of images
  std::int64_t steps = 0;
  int num_accelerators = 0;
  double bubble_fraction = 0.0;

  std::vector<Infeasibility> infeasible;  ///< empty when the design can run; else no times
  core::PartsList parts;
  core::DataSize storage_raw_capacity;     ///< none without storage
  core::DataSize storage_usable_capacity;  ///< what protection leaves, times data reduction
  core::Bandwidth bisection;               ///< between the halves of the nodes
  /// Of single changes on the same accelerators the one with the shortest step, where memory alone
  /// does not suffice.
  std::optional<FittingChange> smallest_change;
  models::MemoryUse memory;
  core::DataSize memory_capacity;
  std::vector<models::TierUse> tiers;  ///< what a node keeps outside its accelerators

  core::Duration step_time;
  core::Duration step_time_low;  ///< a tenth of unmeasured sites is faster (see Installation)
  core::Duration step_time_high;
  std::optional<Basis> basis;
  Breakdown breakdown;
  double samples_per_s = 0.0;
  double tokens_per_s = 0.0;
  /// Work of the model (six operations a token and parameter of a matrix, head included, and
  /// 12 L h s for attention) over what the peak allows in that time [@chowdhery2022palm].
  double model_flops_utilization = 0.0;
  double model_flops_utilization_causal = 0.0;  ///< attention counted half
  double hardware_flops_utilization = 0.0;      ///< with what is computed again
  std::vector<TierLoad> loads;                  ///< only from kSimulate
  std::vector<LinkLoad> busiest_links;          ///< the same
  /// What a step puts on each link of the fabric; the same, and only of one that storage is on.
  std::vector<double> link_bytes;
  std::optional<StepTrace> trace;
  RunResult run;
  std::optional<RunPower> power;  ///< of runs that are feasible
  std::optional<RunCost> cost;    ///< the same, where the scenario has prices
  std::string limit;              ///< what limits the step, in a sentence

  [[nodiscard]] bool feasible() const { return infeasible.empty(); }
};

SimulationResult simulate(const CheckedScenario& checked, const SimulateOptions& options = {});

/// The same but for `run`: what does not fit, and the step.
SimulationResult simulate_without_run(const CheckedScenario& checked,
                                      const topologies::BuiltCluster& built,
                                      const SimulateOptions& options = {});

/// Jobs that get nowhere, and storage that overflows.
void check_run(const RunResult& run, std::vector<Infeasibility>& reasons);

}  // namespace railwright::simulation
