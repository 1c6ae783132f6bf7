// SPDX-License-Identifier: Apache-2.0
// Numbers of power, energy and money, and of the storage nodes that targets need.
#include <algorithm>
#include <string>
#include <string_view>

#include "number_groups.hpp"
#include "railwright/workloads/training/outputs.hpp"
#include "railwright/workloads/training/simulate.hpp"

namespace railwright::simulation {

namespace {

using Format = NumberFormat;

template <class Value>
Number<SimulationResult> of_power(std::string_view path, NumberFormat format, Value value_of) {
  return {
      .path = std::string(path), .format = format, .read = [value_of](const SimulationResult& of) {
        return of.power ? NumberValue(value_of(*of.power)) : NumberValue();
      }};
}

void add_parts(const std::string& key, models::PowerByPart RunPower::* power,
               Numbers<SimulationResult>& all) {
  struct Part {
    std::string_view name;
    core::Power models::PowerByPart::* power;
  };
  all.push_back(of_power("power." + key + ".nodes_w", Format::kPower,
                         [power](const RunPower& run) { return (run.*power).nodes.total(); }));
  for (std::size_t i = 0; i < models::kNodeParts.size(); ++i) {
    const std::string path = "power." + key + "." + std::string(models::kNodeParts[i]) + "_w";
    all.push_back(of_power(path, Format::kPower, [power, i](const RunPower& run) {
      return (run.*power).nodes.by_part[i];
    }));
  }
  for (const Part part : {Part{"switches_w", &models::PowerByPart::switches},
                          Part{"transceivers_w", &models::PowerByPart::transceivers},
                          Part{"storage_nodes_w", &models::PowerByPart::storage_nodes},
                          Part{"cpu_nodes_w", &models::PowerByPart::cpu_nodes}}) {
    all.push_back(of_power("power." + key + "." + std::string(part.name), Format::kPower,
                           [power, part](const RunPower& run) { return run.*power.*part.power; }));
  }
}

/// Reads a number of the power over a step, which only a traced one has.
template <class Value>
auto of_step(Value (PowerSeries::*read)() const) {
  return [read](const RunPower& power) {
    return power.over_step ? NumberValue(((*power.over_step).*read)()) : NumberValue();
  };
}

void add_energy(Numbers<SimulationResult>& all) {
  Number<SimulationResult> total =
      of_power("energy.energy_j", Format::kEnergy,
               [](const RunPower& power) { return power.total_energy(); });
  total.column = "energy_j";
  total.beside = {"energy", 31};
  all.push_back(total);
  for (std::size_t i = 0; i < kNumRunCauses; ++i) {
    all.push_back(of_power("energy." + std::string(kRunCauses[i].name) + "_j", Format::kEnergy,
                           [i](const RunPower& power) { return power.energy[i]; }));
  }
  const auto per = [](double RunPower::* count) {
    return [count](const RunPower& power) {
      const bool any = power.*count > 0.0;
      return any ? NumberValue(power.total_energy() / power.*count) : NumberValue();
    };
  };
  all.push_back(of_power("energy.carbon_kg", Format::kMass, [](const RunPower& power) {
    return power.carbon_intensity > 0.0 ? NumberValue(power.carbon_kg()) : NumberValue();
  }));
  all.push_back(of_power("energy.per_sample_j", Format::kEnergy, per(&RunPower::samples)));
  all.push_back(of_power("energy.per_token_j", Format::kEnergy, per(&RunPower::tokens)));
}

template <class Value>
Number<SimulationResult> of_run_cost(const std::string& key, std::string_view word,
                                     Value value_of) {
  return {.path = "cost." + key,
          .word = std::string(word),
          .format = Format::kMoney,
          .read = [value_of](const SimulationResult& of) {
            return of.cost ? NumberValue(value_of(*of.cost)) : NumberValue();
          }};
}

}  // namespace

std::string key_of(const StorageNeed& need) {
  std::string key(need.target);
  std::ranges::replace(key, ' ', '_');
  return key;
}

Numbers<SimulationResult> need_numbers() {
  return {{.path = "storage.nodes_needed.*",
           .format = Format::kCount,
           .read_each = [](const SimulationResult& of, const EachNumber& each) {
             for (const StorageNeed& need : of.run.needs) {
               each(key_of(need), need.num_nodes);
             }
           }}};
}

Numbers<SimulationResult> power_numbers() {
  Number<SimulationResult> mean =
      of_power("power.mean_power_w", Format::kPower,
               [](const RunPower& power) { return power.mean_power(); });
  mean.column = "mean_power_w";
  mean.beside = {"mean power", 30};
  Numbers<SimulationResult> all{
      mean,
      of_power("power.peak_power_w", Format::kPower,
               [](const RunPower& power) { return power.peak_power(); }),
      of_power("power.idle_power_w", Format::kPower,
               [](const RunPower& power) { return power.idle_power(); }),
      of_power("power.node_step_w", Format::kPower,
               [](const RunPower& power) { return power.node_step; }),
      of_power("power.stop_swing_w", Format::kPower,
               [](const RunPower& power) { return power.stop_swing(); }),
      of_power("power.to_liquid_w", Format::kPower,
               [](const RunPower& power) { return power.to_liquid(); }),
      of_power("power.step_swing_w", Format::kPower, of_step(&PowerSeries::swing)),
      of_power("power.step_ramp_w_per_s", Format::kPowerPerSecond,
               of_step(&PowerSeries::ramp_w_per_s)),
      of_power("power.clock", Format::kShare,
               [](const RunPower& power) { return power.node.clock; })};
  add_parts("mean", &RunPower::mean, all);
  add_parts("peak", &RunPower::peak, all);
  add_energy(all);
  return all;
}

Numbers<SimulationResult> cost_numbers() {
  Number<SimulationResult> ownership = of_run_cost(
      "ownership_usd", "owned, in all", [](const RunCost& cost) { return cost.ownership.total(); });
  ownership.beside = {"cost of ownership", 32};
  Number<SimulationResult> run =
      of_run_cost("run_usd", "this run", [](const RunCost& cost) { return cost.run; });
  run.column = "run_cost_usd";
  run.beside = {"cost of the run", 33};
  Number<SimulationResult> electricity =
      of_run_cost("run_electricity_usd", "electricity of this run",
                  [](const RunCost& cost) { return cost.run_electricity; });
  electricity.text_part = TextPart::kCost;
  electricity.line = "its electricity";
  return {
      of_run_cost("capital_usd", "bought", [](const RunCost& c) { return c.ownership.capital; }),
      of_run_cost("electricity_usd", "electricity",
                  [](const RunCost& cost) { return cost.ownership.electricity; }),
      of_run_cost("maintenance_usd", "maintenance",
                  [](const RunCost& cost) { return cost.ownership.maintenance; }),
      of_run_cost("staff_usd", "staff", [](const RunCost& cost) { return cost.ownership.staff; }),
      of_run_cost("software_usd", "licences and support",
                  [](const RunCost& cost) { return cost.ownership.software; }),
      of_run_cost("labour_usd", "put up",
                  [](const RunCost& cost) { return cost.ownership.labour; }),
      of_run_cost("residual_usd", "left at the end",
                  [](const RunCost& cost) { return cost.ownership.residual; }),
      {.path = "cost.rent_usd.*",
       .format = Format::kMoney,
       .read_each =
           [](const SimulationResult& of, const EachNumber& each) {
             if (!of.cost) return;
             for (const RentedRun& one : of.cost->rented) each(one.way, one.cost);
           }},
      {.path = "cost.rent_time_s.*",
       .format = Format::kTime,
       .read_each =
           [](const SimulationResult& of, const EachNumber& each) {
             if (!of.cost) return;
             for (const RentedRun& one : of.cost->rented) each(one.way, one.time);
           }},
      ownership,
      run,
      electricity,
      of_run_cost("usd_per_million_samples", "a million samples",
                  [](const RunCost& cost) { return cost.per_million_samples; }),
      of_run_cost("usd_per_million_tokens", "a million tokens", [](const RunCost& cost) {
        const bool has_tokens = cost.per_million_tokens > core::Money{};
        return has_tokens ? NumberValue(cost.per_million_tokens) : NumberValue();
      })};
}

}  // namespace railwright::simulation
