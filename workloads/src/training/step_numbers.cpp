// SPDX-License-Identifier: Apache-2.0
// Numbers of a step: its time, its breakdown and its utilization of the cluster.
#include <iterator>
#include <string>

#include "number_groups.hpp"
#include "railwright/workloads/training/simulate.hpp"

namespace railwright::simulation {

namespace {

using Format = NumberFormat;
using Each = EachNumber;

/// Returns the step time by cause.
Numbers<SimulationResult> breakdown_numbers() {
  Numbers<SimulationResult> all;
  for (std::size_t i = 0; i < kCauses.size(); ++i) {
    const std::string name(kCauses[i].name);
    all.push_back({.path = "breakdown." + name,
                   .word = std::string(kCauses[i].words),
                   .format = Format::kTime,
                   .color = kCauses[i].name,
                   .column = "breakdown_" + name + "_s",
                   .column_place = 12,
                   .read = [i](const SimulationResult& of) { return of.breakdown.time[i]; }});
  }
  return all;
}

Numbers<SimulationResult> link_numbers() {
  return {{.path = "links.*.utilization",
           .format = Format::kShare,
           .read_each =
               [](const SimulationResult& of, const Each& each) {
                 for (const TierLoad& load : of.loads) {
                   each(core::to_string(load.tier), load.utilization);
                 }
               }},
          {.path = "links.*.busiest_link_bytes",
           .format = Format::kBytes,
           .read_each = [](const SimulationResult& of, const Each& each) {
             for (const TierLoad& load : of.loads) {
               each(core::to_string(load.tier), load.busiest_bytes);
             }
           }}};
}

Numbers<SimulationResult> utilization_numbers() {
  return {{.path = "model_flops_utilization",
           .word = "model FLOPs utilization",
           .format = Format::kShare,
           .column = "model_flops_utilization",
           .column_place = 9,
           .beside = {"model FLOPs utilization", 4},
           .read = [](const SimulationResult& of) { return of.model_flops_utilization; }},
          {.path = "model_flops_utilization_causal",
           .format = Format::kShare,
           .read = [](const SimulationResult& of) { return of.model_flops_utilization_causal; }},
          {.path = "hardware_flops_utilization",
           .format = Format::kShare,
           .column = "hardware_flops_utilization",
           .column_place = 10,
           .read = [](const SimulationResult& of) { return of.hardware_flops_utilization; }}};
}

Numbers<SimulationResult> throughput_numbers() {
  return {{.path = "samples_per_s",
           .column = "samples_per_s",
           .column_place = 7,
           .beside = {"samples/s", 3},
           .read = [](const SimulationResult& of) { return of.samples_per_s; }},
          {.path = "tokens_per_s",
           .format = Format::kCount,
           .column = "tokens_per_s",
           .column_place = 8,
           .beside = {"tokens/s", 2},
           .read = [](const SimulationResult& of) {
             const bool has_tokens = of.tokens_per_step > 0;
             return has_tokens ? NumberValue(of.tokens_per_s) : NumberValue();
           }}};
}

}  // namespace

Numbers<SimulationResult> step_time_numbers() {
  return {{.path = "step_time_s",
           .word = "step time",
           .format = Format::kTime,
           .column = "step_time_s",
           .column_place = 6,
           .beside = {"step time", 1},
           .read = [](const SimulationResult& of) { return of.step_time; }},
          {.path = "step_time_low_s",
           .format = Format::kTime,
           .read = [](const SimulationResult& of) { return of.step_time_low; }},
          {.path = "step_time_high_s",
           .format = Format::kTime,
           .read = [](const SimulationResult& of) { return of.step_time_high; }},
          {.path = "placement.draws",
           .format = Format::kCount,
           .read =
               [](const SimulationResult& of) {
                 const auto& placement = of.placement;
                 return placement ? NumberValue(placement->num_draws) : NumberValue();
               }},
          {.path = "placement.step_time_low_s",
           .format = Format::kTime,
           .read =
               [](const SimulationResult& of) {
                 const auto& placement = of.placement;
                 return placement ? NumberValue(placement->low) : NumberValue();
               }},
          {.path = "placement.step_time_high_s",
           .format = Format::kTime,
           .read = [](const SimulationResult& of) {
             const auto& placement = of.placement;
             return placement ? NumberValue(placement->high) : NumberValue();
           }}};
}

Numbers<SimulationResult> step_numbers() {
  Numbers<SimulationResult> all;
  for (auto numbers : {throughput_numbers, utilization_numbers, breakdown_numbers, link_numbers}) {
    Numbers<SimulationResult> some = numbers();
    std::move(some.begin(), some.end(), std::back_inserter(all));
  }
  return all;
}

}  // namespace railwright::simulation
