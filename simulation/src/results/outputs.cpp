// SPDX-License-Identifier: Apache-2.0
#include "railwright/simulation/results/outputs.hpp"

#include <algorithm>
#include <iterator>

#include "power_outputs.hpp"

namespace railwright::simulation {

namespace {

class List {
 public:
  void count(std::string_view path, std::int64_t value) { add(path).value = value; }
  void number(std::string_view path, double value) { add(path).value = value; }
  template <class D>
  void quantity(std::string_view path, core::Quantity<D> value) {
    number(path, value.base());
  }
  void all(std::vector<Output> more) { std::ranges::move(more, std::back_inserter(outputs_)); }
  std::vector<Output> take() { return std::move(outputs_); }

 private:
  Output& add(std::string_view path) {
    Output& output = outputs_.emplace_back();
    output.path = path;
    return output;
  }

  std::vector<Output> outputs_;
};

/// What an accelerator keeps of the model between steps.
core::DataSize model_state(const models::MemoryUse& use) {
  core::DataSize state;
  for (const models::MemoryLine& line : use.lines) {
    const bool kept =
        line.name == "parameters" || line.name == "gradients" || line.name == "optimizer_state";
    if (kept) state += line.size;
  }
  return state;
}

void add_layout(const models::Layout& layout, List& list) {
  list.count("num_microbatches", layout.num_microbatches);
  list.count("layout.tp", layout.tp);
  list.count("layout.pp", layout.pp);
  list.count("layout.dp", layout.dp);
  list.count("layout.virtual_stages", layout.virtual_stages);
}

void add_fabric(const SimulationResult& result, List& list) {
  const core::FabricBill& bill = result.parts.fabric;
  list.count("fabric.switches", bill.num_switches());
  list.count("fabric.ports_used", result.parts.ports_used);
  list.count("fabric.ports_free", result.parts.ports_free);
  for (const core::SwitchTier& tier : bill.switches) {
    if (tier.name == core::kFrontEndTier) continue;
    const std::string path = "fabric." + tier.name;
    list.count(path + ".switches", tier.count);
    list.count(path + ".ports_down", tier.ports_down);
    list.count(path + ".ports_up", tier.ports_up);
    list.number(path + ".oversubscription", tier.oversubscription);
  }
  list.number("fabric.oversubscription", bill.oversubscription());
  list.quantity("fabric.bisection_bytes_per_s", result.bisection);
  list.count("fabric.rack_units", bill.rack_units);
  list.quantity("fabric.power_w", bill.power);
  const core::Shortfall* shortfall =
      result.parts.shortfalls.empty() ? nullptr : &result.parts.shortfalls.front();
  if (shortfall == nullptr) return;
  list.number("fabric.shortfall.needed", shortfall->needed);
  list.number("fabric.shortfall.available", shortfall->available);
}

void add_run(const JobRun& run, List& list) {
  list.quantity("training_time_s", run.training_time());
  list.number("training_time_low_s", run.training_time_s.low);
  list.number("training_time_high_s", run.training_time_s.high);
  list.number("effective_training_time", run.effective_training_time.mean);
  for (std::size_t i = 0; i < kNumRunCauses; ++i) {
    list.number("run." + std::string(kRunCauseNames[i]), run.time_s[i]);
  }
  list.number("run.num_interruptions", run.num_interruptions);
  for (const auto& [name, component] : core::EnumNames<models::Component>::kNames) {
    list.number("run.failures." + std::string(name),
                run.failures[static_cast<std::size_t>(component)]);
  }
  if (run.mean_time_to_interruption == core::Duration::infinity()) return;
  list.quantity("run.mean_time_to_interruption_s", run.mean_time_to_interruption);
  list.quantity("run.young_interval_s", run.young_interval);
  list.quantity("run.daly_interval_s", run.daly_interval);
  if (run.best_interval.base() > 0.0) {
    list.quantity("run.best_interval_s", run.best_interval);
  }
}

void add_transfers(const JobRun& run, bool has_storage, List& list) {
  const CheckpointResult& checkpoint = run.checkpoint;
  list.count("storage.checkpoint_bytes", checkpoint.bytes);
  list.count("storage.checkpoint_files", checkpoint.num_files);
  list.quantity("storage.checkpoint_time_s", checkpoint.time);
  list.number("storage.num_checkpoints", run.num_checkpoints);
  if (run.snapshot.base() > 0.0) {
    list.quantity("storage.snapshot_time_s", run.snapshot_time);
    list.quantity("storage.snapshot_bytes_per_node", run.snapshot);
  }
  list.quantity("storage.mean_write_bytes_per_s", checkpoint.mean_write);
  list.quantity("storage.peak_write_bytes_per_s", checkpoint.peak_write);
  list.quantity("storage.peak_read_bytes_per_s", run.peak_read);
  if (!has_storage) return;
  list.count("storage.restore_bytes", run.restore.bytes);
  list.quantity("storage.restore_time_s", run.restore.time);
  list.number("storage.bytes_written", run.bytes_written);
  list.number("storage.bytes_read", run.bytes_read);
}

void add_local(const LocalRun& local, List& list) {
  list.count("storage.local_checkpoint_bytes", local.checkpoint.bytes);
  list.quantity("storage.local_checkpoint_time_s", local.checkpoint.time);
  list.quantity("storage.local_peak_write_bytes_per_s", local.checkpoint.peak_write);
  list.quantity("storage.local_restore_time_s", local.restore.time);
  list.number("storage.num_local_restores", local.num_restores);
  list.number("storage.num_drained", local.num_drained);
  list.number("storage.local_bytes_written", local.bytes_written);
  list.number("storage.local_bytes_read", local.bytes_read);
  list.quantity("storage.local_max_used_bytes", local.max_used);
  if (local.capacity < core::DataSize::infinity()) {
    list.quantity("storage.local_capacity_bytes", local.capacity);
  }
}

void add_storage(const StorageRun& storage, List& list) {
  list.quantity("storage.run_peak_read_bytes_per_s", storage.peak_read);
  list.quantity("storage.run_peak_write_bytes_per_s", storage.peak_write);
  list.quantity("storage.run_95th_read_bytes_per_s", storage.percentile_95_read);
  list.quantity("storage.run_95th_write_bytes_per_s", storage.percentile_95_write);
  list.quantity("storage.run_mean_read_bytes_per_s", storage.mean_read);
  list.quantity("storage.run_mean_write_bytes_per_s", storage.mean_write);
  list.quantity("storage.run_peak_node_read_bytes_per_s", storage.peak_node_read);
  list.quantity("storage.run_peak_node_write_bytes_per_s", storage.peak_node_write);
  list.number("storage.run_peak_operations_per_s", storage.peak_operations_per_s);
  list.number("storage.peak_processor_load", storage.peak_processor_load);
  list.quantity("storage.max_used_bytes", storage.max_used);
  if (storage.full_after < core::Duration::infinity()) {
    list.quantity("storage.full_after_s", storage.full_after);
  }
}

}  // namespace

std::vector<Output> outputs(const SimulationResult& result) {
  List list;
  list.count("num_accelerators", result.num_accelerators);
  list.count("num_parameters", result.num_parameters);
  list.count("samples_per_step", result.samples_per_step);
  if (result.tokens_per_step > 0) list.count("tokens_per_step", result.tokens_per_step);
  list.count("steps", result.steps);
  add_layout(result.layout, list);
  list.number("bubble_fraction", result.bubble_fraction);
  list.quantity("memory_per_accelerator_bytes", result.memory.total());
  list.quantity("memory_capacity_bytes", result.memory_capacity);
  for (const models::MemoryLine& line : result.memory.lines) {
    list.quantity("memory." + std::string(line.name) + "_bytes", line.size);
  }
  list.quantity("model_state_bytes", model_state(result.memory));
  for (const models::TierUse& use : result.tiers) {
    const std::string path = "offload." + use.tier;
    list.quantity(path + ".parameters_bytes", use.parameters);
    list.quantity(path + ".gradients_bytes", use.gradients);
    list.quantity(path + ".optimizer_state_bytes", use.optimizer_state);
  }
  add_fabric(result, list);
  if (result.storage_raw_capacity > core::DataSize{}) {
    list.quantity("storage.raw_capacity_bytes", result.storage_raw_capacity);
    list.quantity("storage.usable_capacity_bytes", result.storage_usable_capacity);
  }
  if (!result.feasible()) return list.take();
  list.quantity("step_time_s", result.step_time);
  list.quantity("step_time_low_s", result.step_time_low);
  list.quantity("step_time_high_s", result.step_time_high);
  add_run(result.run.job(), list);
  list.number("samples_per_s", result.samples_per_s);
  if (result.tokens_per_step > 0) list.number("tokens_per_s", result.tokens_per_s);
  list.number("model_flops_utilization", result.model_flops_utilization);
  list.number("model_flops_utilization_causal", result.model_flops_utilization_causal);
  list.number("hardware_flops_utilization", result.hardware_flops_utilization);
  for (std::size_t i = 0; i < kCauseNames.size(); ++i) {
    list.quantity("breakdown." + std::string(kCauseNames[i]), result.breakdown.time[i]);
  }
  for (const TierLoad& load : result.loads) {
    const std::string tier = "links." + std::string(core::to_string(load.tier));
    list.number(tier + ".utilization", load.utilization);
    list.quantity(tier + ".busiest_link_bytes", load.busiest_bytes);
  }
  const bool has_storage = result.run.storage.num_nodes > 0;
  add_transfers(result.run.job(), has_storage, list);
  if (result.run.job().local) add_local(*result.run.job().local, list);
  if (has_storage) add_storage(result.run.storage, list);
  for (const StorageNeed& need : result.run.needs) {
    std::string target(need.target);
    std::ranges::replace(target, ' ', '_');
    list.count("storage.nodes_needed." + target, need.num_nodes);
  }
  if (result.power) list.all(outputs(*result.power));
  if (result.cost) list.all(outputs(*result.cost));
  return list.take();
}

std::vector<Output> outputs(const JobRun& run) {
  List list;
  add_run(run, list);
  add_transfers(run, run.checkpoint.bytes > 0, list);
  return list.take();
}

std::vector<Output> outputs(const StorageRun& storage) {
  List list;
  if (storage.num_nodes > 0) add_storage(storage, list);
  return list.take();
}

std::vector<LoadColumn> load_columns(const StorageRun& storage) {
  const double width = storage.bin_width.base();
  std::vector<LoadColumn> columns;
  if (storage.bins.empty()) return columns;
  const auto add = [&](std::string_view name, auto value_of) {
    std::vector<double> values;
    for (const LoadBin& bin : storage.bins) values.push_back(value_of(bin));
    columns.push_back({name, std::move(values)});
  };
  add("time_s", [&, i = 0](const LoadBin&) mutable { return width * i++; });
  add("read_bytes_per_s", [&](const LoadBin& bin) { return bin.read_bytes / width; });
  add("write_bytes_per_s", [&](const LoadBin& bin) { return bin.written_bytes / width; });
  add("operations_per_s", [&](const LoadBin& bin) { return bin.operations / width; });
  add("peak_read_bytes_per_s", [](const LoadBin& bin) { return bin.peak_read; });
  add("peak_write_bytes_per_s", [](const LoadBin& bin) { return bin.peak_write; });
  add("peak_node_read_bytes_per_s", [](const LoadBin& bin) { return bin.peak_node_read; });
  add("peak_node_write_bytes_per_s", [](const LoadBin& bin) { return bin.peak_node_write; });
  add("peak_operations_per_s", [](const LoadBin& bin) { return bin.peak_operations; });
  add("peak_processor_load", [](const LoadBin& bin) { return bin.peak_processor_load; });
  add("used_bytes", [](const LoadBin& bin) { return bin.used; });
  return columns;
}

}  // namespace railwright::simulation
