// SPDX-License-Identifier: Apache-2.0
// Numbers that infeasible designs also have.
#include <string>

#include "number_groups.hpp"
#include "railwright/workloads/training/simulate.hpp"

namespace railwright::simulation {

namespace {

using Format = NumberFormat;
using Each = EachNumber;

/// Returns the memory that an accelerator keeps between steps.
core::DataSize model_state(const models::MemoryUse& use) {
  using Item = models::MemoryItem;
  return use.of(Item::kParameters) + use.of(Item::kGradients) + use.of(Item::kOptimizerState);
}

Number<SimulationResult> of_layout(std::string_view key, std::string word,
                                   int models::Layout::* degree) {
  return {.path = "layout." + std::string(key),
          .word = std::move(word),
          .format = Format::kCount,
          .is_whole = true,
          .read = [degree](const SimulationResult& of) { return of.layout.*degree; }};
}

/// Makes a number for each tier outside the accelerators that holds state.
Number<SimulationResult> of_tiers(const std::string& key, core::DataSize models::TierUse::* size) {
  return {.path = "offload.*." + key,
          .format = Format::kBytes,
          .read_each = [size](const SimulationResult& of, const Each& each) {
            for (const models::TierUse& use : of.tiers) each(use.tier, use.*size);
          }};
}

/// Makes a number for each tier of switches except the front end.
template <class T>
Number<SimulationResult> of_switches(const std::string& key, T core::SwitchTier::* number) {
  return {.path = "fabric.*." + key,
          .format = Format::kCount,
          .read_each = [number](const SimulationResult& of, const Each& each) {
            for (const core::SwitchTier& tier : of.parts.fabric.switches) {
              if (tier.name != core::kFrontEndTier) each(tier.name, tier.*number);
            }
          }};
}

const core::FabricBill& bill(const SimulationResult& of) { return of.parts.fabric; }

const core::Shortfall* first_shortfall(const SimulationResult& of) {
  const auto& all = of.parts.shortfalls;
  return all.empty() ? nullptr : &all.front();
}

}  // namespace

Numbers<SimulationResult> work_numbers() {
  Number<SimulationResult> dp = of_layout("dp", "data parallel", &models::Layout::dp);
  dp.column = "dp";
  dp.column_place = 2;
  return {{.path = "num_accelerators",
           .word = "accelerators",
           .format = Format::kCount,
           .column = "num_accelerators",
           .column_place = 1,
           .is_whole = true,
           .beside = {"accelerators", 40},
           .read = [](const SimulationResult& of) { return of.num_accelerators; }},
          {.path = "num_parameters",
           .word = "parameters",
           .format = Format::kLarge,
           .read = [](const SimulationResult& of) { return of.num_parameters; }},
          {.path = "samples_per_step",
           .word = "samples a step",
           .format = Format::kCount,
           .read = [](const SimulationResult& of) { return of.samples_per_step; }},
          {.path = "tokens_per_step",
           .word = "tokens a step",
           .format = Format::kCount,
           .read =
               [](const SimulationResult& of) {
                 const std::int64_t tokens = of.tokens_per_step;
                 return tokens > 0 ? NumberValue(tokens) : NumberValue();
               }},
          {.path = "steps",
           .format = Format::kCount,
           .read = [](const SimulationResult& of) { return of.steps; }},
          {.path = "num_microbatches",
           .word = "micro-batches of a replica",
           .format = Format::kCount,
           .column = "num_microbatches",
           .column_place = 3,
           .is_whole = true,
           .read = [](const SimulationResult& of) { return of.layout.num_microbatches; }},
          of_layout("tp", "tensor parallel", &models::Layout::tp),
          of_layout("pp", "pipeline stages", &models::Layout::pp),
          dp,
          of_layout("virtual_stages", "virtual stages", &models::Layout::virtual_stages),
          {.path = "bubble_fraction",
           .format = Format::kShare,
           .column = "bubble_fraction",
           .column_place = 11,
           .read = [](const SimulationResult& of) { return of.bubble_fraction; }}};
}

Numbers<SimulationResult> memory_numbers() {
  return {{.path = "memory_per_accelerator_bytes",
           .format = Format::kMemory,
           .column = "memory_per_accelerator_bytes",
           .column_place = 4,
           .beside = {"memory of an accelerator", 20},
           .read = [](const SimulationResult& of) { return of.memory.total(); }},
          {.path = "memory_reserved_bytes",
           .format = Format::kMemory,
           .read = [](const SimulationResult& of) { return of.memory_reserved; }},
          {.path = "memory_capacity_bytes",
           .format = Format::kMemory,
           .column = "memory_capacity_bytes",
           .column_place = 5,
           .beside = {"of", 21},
           .read = [](const SimulationResult& of) { return of.memory_capacity; }},
          {.path = "memory.*_bytes",
           .format = Format::kMemory,
           .read_each =
               [](const SimulationResult& of, const Each& each) {
                 for (const models::MemoryLine& line : of.memory.lines) {
                   each(line.name, line.size);
                 }
               }},
          {.path = "model_state_bytes",
           .format = Format::kMemory,
           .read = [](const SimulationResult& of) { return model_state(of.memory); }},
          of_tiers("parameters_bytes", &models::TierUse::parameters),
          of_tiers("gradients_bytes", &models::TierUse::gradients),
          of_tiers("optimizer_state_bytes", &models::TierUse::optimizer_state),
          of_tiers("activations_bytes", &models::TierUse::activations)};
}

namespace {

Numbers<SimulationResult> fabric_numbers() {
  return {{.path = "fabric.switches",
           .format = Format::kCount,
           .beside = {"switches", 41},
           .read = [](const SimulationResult& of) { return bill(of).num_switches(); }},
          {.path = "fabric.ports_used",
           .format = Format::kCount,
           .beside = {"switch ports used", 42},
           .read = [](const SimulationResult& of) { return of.parts.ports_used; }},
          {.path = "fabric.ports_free",
           .format = Format::kCount,
           .read = [](const SimulationResult& of) { return of.parts.ports_free; }},
          of_switches("switches", &core::SwitchTier::count),
          of_switches("ports_down", &core::SwitchTier::ports_down),
          of_switches("ports_up", &core::SwitchTier::ports_up),
          of_switches("oversubscription", &core::SwitchTier::oversubscription),
          {.path = "fabric.oversubscription",
           .read = [](const SimulationResult& of) { return bill(of).oversubscription(); }},
          {.path = "fabric.bisection_bytes_per_s",
           .format = Format::kBytesPerSecond,
           .read = [](const SimulationResult& of) { return of.bisection; }},
          {.path = "fabric.rack_units",
           .format = Format::kCount,
           .read = [](const SimulationResult& of) { return bill(of).rack_units; }},
          {.path = "fabric.power_w",
           .format = Format::kPower,
           .read = [](const SimulationResult& of) { return bill(of).power; }},
          {.path = "fabric.shortfall.needed",
           .read =
               [](const SimulationResult& of) {
                 const core::Shortfall* missing = first_shortfall(of);
                 return missing != nullptr ? NumberValue(missing->needed) : NumberValue();
               }},
          {.path = "fabric.shortfall.available", .read = [](const SimulationResult& of) {
             const core::Shortfall* missing = first_shortfall(of);
             return missing != nullptr ? NumberValue(missing->available) : NumberValue();
           }}};
}

/// Returns `size`, or nothing without storage.
NumberValue of_storage(const SimulationResult& of, core::DataSize size) {
  return of.storage_raw_capacity > core::DataSize{} ? NumberValue(size) : NumberValue();
}

}  // namespace

Numbers<SimulationResult> cluster_numbers() {
  Numbers<SimulationResult> all = fabric_numbers();
  all.push_back(
      {.path = "storage.raw_capacity_bytes",
       .word = "raw capacity",
       .format = Format::kBytes,
       .read = [](const SimulationResult& of) { return of_storage(of, of.storage_raw_capacity); }});
  all.push_back({.path = "storage.usable_capacity_bytes",
                 .word = "usable capacity",
                 .format = Format::kBytes,
                 .read = [](const SimulationResult& of) {
                   return of_storage(of, of.storage_usable_capacity);
                 }});
  return all;
}

}  // namespace railwright::simulation
