// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/out/json.hpp"

#include <nlohmann/json.hpp>

#include "result_json.hpp"

namespace railwright::planner {

namespace {

using Json = nlohmann::ordered_json;

Json layout_json(const models::Layout& layout) {
  return {{"tp", layout.tp},
          {"pp", layout.pp},
          {"dp", layout.dp},
          {"virtual_stages", layout.virtual_stages},
          {"sequence_parallel", layout.sequence_parallel}};
}

Json memory_json(const models::MemoryUse& memory) {
  Json lines = Json::object();
  for (const models::MemoryLine& line : memory.lines) {
    lines[std::string(line.name) + "_bytes"] = line.size.base();
  }
  return lines;
}

Json breakdown_json(const Breakdown& breakdown) {
  Json causes = Json::object();
  for (std::size_t i = 0; i < kCauseNames.size(); ++i) {
    causes[std::string(kCauseNames[i])] = breakdown.time[i].base();
  }
  return causes;
}

Json storage_json(const RunResult& run) {
  const CheckpointResult& checkpoint = run.checkpoint;
  return {{"checkpoint_bytes", checkpoint.bytes},
          {"checkpoint_files", checkpoint.num_files},
          {"checkpoint_time_s", checkpoint.time.base()},
          {"mean_write_bytes_per_s", checkpoint.mean_write.base()},
          {"peak_write_bytes_per_s", checkpoint.peak_write.base()},
          {"peak_read_bytes_per_s", run.peak_read.base()}};
}

Json parts_json(const core::PartsList& parts) {
  Json list = Json::array();
  for (const core::Part& part : parts.parts) {
    list.push_back({{"kind", part.kind}, {"name", part.name}, {"count", part.count}});
  }
  return list;
}

}  // namespace

nlohmann::ordered_json result_json(const SimulationResult& result) {
  Json json = {{"name", result.name},
               {"method", result.method == Method::kSimulate ? "simulate" : "estimate"},
               {"feasible", result.feasible()}};
  Json reasons = Json::array();
  for (const Infeasibility& reason : result.infeasible) reasons.push_back(reason.what);
  json["infeasible"] = std::move(reasons);
  json["num_accelerators"] = result.num_accelerators;
  json["num_parameters"] = result.num_parameters;
  json["tokens_per_step"] = result.tokens_per_step;
  json["num_microbatches"] = result.layout.num_microbatches;
  json["steps"] = result.steps;
  json["layout"] = layout_json(result.layout);
  json["bubble_fraction"] = result.bubble_fraction;
  json["memory_per_accelerator_bytes"] = result.memory.total().base();
  json["memory_capacity_bytes"] = result.memory_capacity.base();
  json["memory"] = memory_json(result.memory);
  json["parts"] = parts_json(result.parts);
  if (!result.feasible()) return json;
  json["step_time_s"] = result.step_time.base();
  json["training_time_s"] = result.run.training_time.base();
  json["tokens_per_s"] = result.tokens_per_s;
  json["model_flops_utilization"] = result.model_flops_utilization;
  json["limit"] = result.limit;
  json["breakdown"] = breakdown_json(result.breakdown);
  Json loads = Json::object();
  for (const TierLoad& load : result.loads) {
    loads[std::string(core::to_string(load.tier))] = {
        {"utilization", load.utilization}, {"busiest_link_bytes", load.busiest_bytes.base()}};
  }
  json["links"] = std::move(loads);
  json["storage"] = storage_json(result.run);
  return json;
}

std::string to_json(const SimulationResult& result) { return result_json(result).dump(2) + "\n"; }

}  // namespace railwright::planner
