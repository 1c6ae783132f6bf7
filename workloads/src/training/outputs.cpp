// SPDX-License-Identifier: Apache-2.0
#include "railwright/workloads/training/outputs.hpp"

#include <string>
#include <utility>
#include <variant>

namespace railwright::simulation {

namespace {

std::string with_name(std::string path, std::string_view name) {
  return path.replace(path.find('*'), 1, name);
}

}  // namespace

std::vector<Output> outputs(const std::vector<ScopedNumber>& numbers, const NumberSource& source) {
  std::vector<Output> all;
  const auto add = [&](std::string path, const NumberValue& value) {
    if (value) all.push_back({.path = std::move(path), .value = *value});
  };
  for (const ScopedNumber& one : numbers) {
    if (!has(source, one.scope)) continue;
    const ResultNumber& number = one.number;
    if (number.read) {
      add(number.path, number.read(source));
    } else {
      number.read_each(source, [&](std::string_view name, const NumberValue& value) {
        add(with_name(number.path, name), value);
      });
    }
  }
  return all;
}

NumberSource source_of(const SimulationResult& result) {
  const bool has_step = result.feasible();
  return {.result = &result,
          .job = has_step && !result.run.jobs.empty() ? &result.run.job() : nullptr,
          .storage = &result.run.storage,
          .has_step = has_step,
          .has_storage = has_step && result.run.storage.num_nodes > 0};
}

std::vector<Output> outputs(const SimulationResult& result) {
  return outputs(result_numbers(), source_of(result));
}

std::vector<Output> outputs(const JobRun& run) {
  return outputs(result_numbers(), {.job = &run, .has_storage = run.checkpoint.bytes > 0});
}

std::vector<Output> outputs(const StorageRun& storage) {
  return outputs(result_numbers(), {.storage = &storage, .has_storage = storage.num_nodes > 0});
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
