// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>
#include <ostream>
#include <span>

#include "railwright/output/json/json.hpp"
#include "railwright/workloads/training/outputs.hpp"

namespace railwright::output {

namespace {

using simulation::ResultColumn;

void write_csv(std::ostream& out, std::span<const ResultColumn> columns) {
  if (columns.empty()) return;
  fmt::memory_buffer line;
  const auto put = [&](std::size_t i, const auto& value) {
    fmt::format_to(std::back_inserter(line), "{}{}", i == 0 ? "" : ",", value);
  };
  for (std::size_t i = 0; i < columns.size(); ++i) put(i, columns[i].name);
  for (std::size_t row = 0; row < columns.front().values.size(); ++row) {
    out << fmt::to_string(line) << "\n";
    line.clear();
    for (std::size_t i = 0; i < columns.size(); ++i) put(i, columns[i].values[row]);
  }
  out << fmt::to_string(line) << "\n";
}

std::string columns_json(std::span<const ResultColumn> columns) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const ResultColumn& column : columns) json[std::string(column.name)] = column.values;
  return json.dump() + "\n";
}

}  // namespace

void write_load_csv(std::ostream& out, const simulation::StorageRun& storage) {
  write_csv(out, load_columns(storage));
}

std::string load_json(const simulation::StorageRun& storage) {
  return columns_json(load_columns(storage));
}

void write_jobs_csv(std::ostream& out, const simulation::QueueResult& queue) {
  write_csv(out, job_columns(queue));
}

std::string jobs_json(const simulation::QueueResult& queue) {
  return columns_json(job_columns(queue));
}

}  // namespace railwright::output
