// SPDX-License-Identifier: Apache-2.0
#include "railwright/workloads/training/outputs.hpp"

#include <algorithm>
#include <iterator>

#include "number_groups.hpp"

namespace railwright::simulation {

std::vector<Output> outputs(const SimulationResult& result) {
  return outputs(result_numbers(), result);
}

std::vector<Output> outputs(const JobRun& run) {
  std::vector<Output> all = outputs(run_numbers(), run);
  std::ranges::move(outputs(transfer_numbers(), run), std::back_inserter(all));
  return all;
}

std::vector<Output> outputs(const StorageRun& storage) {
  return storage.num_nodes > 0 ? outputs(storage_numbers(), storage) : std::vector<Output>{};
}

std::vector<ResultColumn> load_columns(const StorageRun& storage) {
  const double width = storage.bin_width.base();
  std::vector<ResultColumn> columns;
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
