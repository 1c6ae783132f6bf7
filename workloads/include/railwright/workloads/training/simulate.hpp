// SPDX-License-Identifier: Apache-2.0
// `simulate`: one scenario in, its times, memory, storage load and limits out.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "railwright/core/config/fields.hpp"
#include "railwright/core/parts_list.hpp"
#include "railwright/models/memory/memory.hpp"
#include "railwright/simulation/closed_form/closed_form_error.hpp"
#include "railwright/simulation/run/run.hpp"
#include "railwright/simulation/scenario/provenance.hpp"
#include "railwright/simulation/step/link_loads.hpp"
#include "railwright/simulation/step/step_trace.hpp"
#include "railwright/workloads/simulate_options.hpp"
#include "railwright/workloads/training/run_cost.hpp"
#include "railwright/workloads/training/run_power.hpp"
#include "railwright/workloads/training/unstated.hpp"

namespace railwright::core {
class Fabric;
}  // namespace railwright::core

namespace railwright::topologies {
struct BuiltCluster;
}  // namespace railwright::topologies

namespace railwright::simulation {

struct CheckedScenario;

/// Something that does not fit, and by how much.
struct Infeasibility {
  std::string what;  ///< a sentence with both numbers
};

/// The setting that makes a scenario fit its accelerators' memory, as for `--set`.
struct FittingChange {
  std::string setting;
  core::DataSize memory;     ///< memory of an accelerator with the setting
  core::Duration step_time;  ///< in closed form
};

/// Spread of a step over the places of scattered nodes; the step is the mean over these draws.
/// Links and traces are those of the draw whose step is nearest to it.
struct PlacementSpread {
  int num_draws = 0;
  core::Duration low;   ///< the shortest step
  core::Duration high;  ///< the longest
  std::uint64_t typical_draw = 0;
  core::Duration typical_step;
};

struct SimulationResult {
  std::string name;
  Method method = Method::kSimulate;
  models::Layout layout;
  std::int64_t num_parameters = 0;
  std::int64_t samples_per_step = 0;  ///< sequences or images
  std::int64_t tokens_per_step = 0;   ///< 0 for images
  std::int64_t steps = 0;
  int num_accelerators = 0;
  double bubble_fraction = 0.0;

  std::vector<Infeasibility> infeasible;  ///< empty when the design can run; else no times
  core::PartsList parts;
  core::DataSize storage_raw_capacity;     ///< 0 without storage
  core::DataSize storage_usable_capacity;  ///< left by protection, times data reduction
  core::Bandwidth bisection;               ///< between the halves of the nodes
  /// The single change on the same accelerators with the shortest step, if only memory does not
  /// suffice.
  std::optional<FittingChange> smallest_change;
  models::MemoryUse memory;
  core::DataSize memory_reserved;  ///< by its process at the peak
  core::DataSize memory_capacity;
  std::vector<models::TierUse> tiers;  ///< state that a node keeps outside its accelerators

  core::Duration step_time;
  core::Duration step_time_low;  ///< a tenth of unmeasured sites is faster (see Installation)
  core::Duration step_time_high;
  std::optional<PlacementSpread> placement;  ///< if nodes are scattered
  std::optional<Basis> basis;
  std::vector<UnstatedSetting> unstated;             ///< those that move the step most come first
  std::optional<ClosedFormError> closed_form_error;  ///< only from kEstimate
  Breakdown breakdown;
  double samples_per_s = 0.0;
  double tokens_per_s = 0.0;
  /// Work of the model (six operations per token and parameter of a matrix, head included, and 12 L
  /// h s for attention) over the work at peak rate in that time [@chowdhery2022palm].
  double model_flops_utilization = 0.0;
  double model_flops_utilization_causal = 0.0;  ///< attention counted half
  double hardware_flops_utilization = 0.0;      ///< with recomputation
  std::vector<TierLoad> loads;                  ///< only from kSimulate
  std::vector<LinkLoad> busiest_links;          ///< only from kSimulate
  /// Bytes that a step puts on each link of the fabric; only from kSimulate, and only if storage is
  /// on the scale-out fabric.
  std::vector<double> link_bytes;
  std::optional<StepTrace> trace;
  RunResult run;
  std::optional<RunPower> power;  ///< if the step is feasible
  std::optional<RunCost> cost;    ///< if the step is feasible and the scenario has prices
  std::string limit;              ///< sentence on what limits the step

  [[nodiscard]] bool feasible() const { return infeasible.empty(); }
};

SimulationResult simulate(const CheckedScenario& checked, const SimulateOptions& options = {});

/// Returns this with the settings that nobody stated (see add_settings), for which the cluster and
/// its transfers are made once.
SimulationResult simulate_with_unstated(const CheckedScenario& checked,
                                        const core::Catalogue& catalogue,
                                        const SimulateOptions& options = {});

/// Returns the facts of a design and what of it does not fit; simulates nothing, and leaves the
/// bisection out.
SimulationResult check_design(const CheckedScenario& checked,
                              const topologies::BuiltCluster& built);

/// Checks what fits and simulates the step; leaves `run`, power and cost out.
SimulationResult simulate_without_run(const CheckedScenario& checked,
                                      const topologies::BuiltCluster& built,
                                      const SimulateOptions& options = {});

/// Computes the speed of steps, over `step_time` alone, while the first NIC of the first node has
/// only what `reliability.degraded_links` leaves of its rate; 1 without them.
double degraded_link_speed(const CheckedScenario& checked, const core::Fabric& fabric,
                           const SimulateOptions& options, core::Duration step_time);

/// Reports jobs that never finish, and storage, local tiers and host memory that overflow.
void check_run(const RunResult& run, std::vector<Infeasibility>& reasons);

}  // namespace railwright::simulation
