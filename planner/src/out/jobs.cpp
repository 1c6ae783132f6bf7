// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/jobs/jobs.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "railwright/core/units/text.hpp"
#include "railwright/planner/out/json.hpp"
#include "railwright/planner/out/load.hpp"
#include "railwright/planner/out/table.hpp"
#include "railwright/planner/out/text.hpp"
#include "railwright/planner/verbs/outputs.hpp"
#include "storage_text.hpp"

namespace railwright::planner {

namespace {

using core::Duration;
using core::to_text;
using Json = nlohmann::ordered_json;

std::string share(double part, double whole) {
  return whole > 0.0 ? fmt::format("{:.1f} %", 100.0 * part / whole) : "";
}

double time_of(const JobRun& run, RunCause cause) {
  return run.time_s[static_cast<std::size_t>(cause)];
}

void put(const std::vector<Output>& outputs, Json& json) {
  for (const Output& output : outputs) {
    std::visit([&](auto value) { json[Json::json_pointer(output.json_pointer())] = value; },
               output.value);
  }
}

}  // namespace

std::string to_text(const JobsResult& result, const TextStyle& style) {
  std::string text = result.name + "\n\n";
  if (!result.feasible()) {
    text += "does not fit\n";
    for (const Infeasibility& reason : result.infeasible) text += "  " + reason.what + "\n";
    return text;
  }
  Table table({"job", "time", "alone", "in steps", "waits for data", "for checkpoints", "lost",
               "interruptions"});
  for (std::size_t j = 0; j < result.run.jobs.size(); ++j) {
    const JobRun& run = result.run.jobs[j];
    const double time = run.training_time_s.mean;
    const double lost = time_of(run, RunCause::kLostWork) + time_of(run, RunCause::kRestart) +
                        time_of(run, RunCause::kRestore);
    table.add_row({run.name, to_text(run.training_time()), to_text(result.alone[j]),
                   share(time_of(run, RunCause::kSteps), time),
                   share(time_of(run, RunCause::kDataStall), time),
                   share(time_of(run, RunCause::kCheckpointStall), time), share(lost, time),
                   fmt::format("{:.1f}", run.num_interruptions)});
  }
  text += table.text(style);
  if (result.run.storage.num_nodes > 0) text += "\n" + storage_text(result.run.storage);
  return text;
}

std::string to_json(const JobsResult& result, bool with_load) {
  Json json = {{"name", result.name}, {"feasible", result.feasible()}};
  Json reasons = Json::array();
  for (const Infeasibility& reason : result.infeasible) reasons.push_back(reason.what);
  json["infeasible"] = std::move(reasons);
  json["jobs"] = Json::array();
  if (!result.feasible()) return json.dump(2) + "\n";
  json["num_replicas"] = result.run.num_replicas;
  for (std::size_t j = 0; j < result.run.jobs.size(); ++j) {
    Json job = {{"name", result.run.jobs[j].name},
                {"alone_training_time_s", result.alone[j].base()}};
    put(outputs(result.run.jobs[j]), job);
    json["jobs"].push_back(std::move(job));
  }
  put(outputs(result.run.storage), json);
  if (with_load) json["storage"]["load_over_time"] = Json::parse(load_json(result.run.storage));
  return json.dump(2) + "\n";
}

}  // namespace railwright::planner
