// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <ostream>

#include "railwright/output/json/json.hpp"
#include "railwright/simulation/results/outputs.hpp"

namespace railwright::output {

void write_load_csv(std::ostream& out, const simulation::StorageRun& storage) {
  const std::vector<simulation::LoadColumn> columns = load_columns(storage);
  for (const simulation::LoadColumn& column : columns) {
    out << (&column == &columns.front() ? "" : ",") << column.name;
  }
  out << "\n";
  for (std::size_t i = 0; i < storage.bins.size(); ++i) {
    for (const simulation::LoadColumn& column : columns) {
      out << fmt::format("{}{}", &column == &columns.front() ? "" : ",", column.values[i]);
    }
    out << "\n";
  }
}

std::string load_json(const simulation::StorageRun& storage) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const simulation::LoadColumn& column : load_columns(storage)) {
    json[std::string(column.name)] = column.values;
  }
  return json.dump() + "\n";
}

}  // namespace railwright::output
