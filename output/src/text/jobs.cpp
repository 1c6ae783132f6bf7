// SPDX-License-Identifier: Apache-2.0
#include "railwright/simulation/jobs/jobs.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "../json/number_json.hpp"
#include "railwright/core/units/text.hpp"
#include "railwright/output/json/json.hpp"
#include "railwright/output/json/storage_load.hpp"
#include "railwright/output/text/text.hpp"
#include "railwright/output/words/table.hpp"
#include "railwright/simulation/results/outputs.hpp"
#include "storage_text.hpp"

namespace railwright::output {

namespace {

using core::Duration;
using core::to_text;
using Json = nlohmann::ordered_json;

std::string share(double part, double whole) {
  return whole > 0.0 ? fmt::format("{:.1f} %", 100.0 * part / whole) : "";
}

double time_of(const simulation::JobRun& run, simulation::RunCause cause) {
  return run.time_s[static_cast<std::size_t>(cause)];
}

}  // namespace

std::string to_text(const simulation::JobsResult& result, const TextStyle& style) {
  std::string text = result.name + "\n\n";
  if (!result.feasible()) {
    text += "does not fit\n";
    for (const simulation::Infeasibility& reason : result.infeasible)
      text += "  " + reason.what + "\n";
    return text;
  }
  Table table({"job", "time", "alone", "in steps", "waits for data", "for checkpoints", "lost",
               "interruptions"});
  for (std::size_t j = 0; j < result.run.jobs.size(); ++j) {
    const simulation::JobRun& run = result.run.jobs[j];
    const double time = run.training_time_s.mean;
    const double lost = time_of(run, simulation::RunCause::kLostWork) +
                        time_of(run, simulation::RunCause::kRestart) +
                        time_of(run, simulation::RunCause::kRestore);
    table.add_row({run.name, to_text(run.training_time()), to_text(result.alone[j]),
                   share(time_of(run, simulation::RunCause::kSteps), time),
                   share(time_of(run, simulation::RunCause::kDataStall), time),
                   share(time_of(run, simulation::RunCause::kCheckpointStall), time),
                   share(lost, time), fmt::format("{:.1f}", run.num_interruptions)});
  }
  text += table.text(style);
  if (result.run.storage.num_nodes > 0) text += "\n" + storage_text(result.run.storage);
  return text;
}

std::string to_json(const simulation::JobsResult& result, bool with_load) {
  Json json = {{"name", result.name}, {"feasible", result.feasible()}};
  Json reasons = Json::array();
  for (const simulation::Infeasibility& reason : result.infeasible) reasons.push_back(reason.what);
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

}  // namespace railwright::output
