// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>
#include <optional>

#include "optional_json.hpp"
#include "railwright/output/json/json.hpp"

namespace railwright::output {

namespace {

using Json = nlohmann::ordered_json;

Json factor_json(const validation::FittedFactor& factor) {
  Json error;
  if (factor.log_error) error = factor.value * *factor.log_error;
  return {{"value", factor.value},
          {"standard_error", std::move(error)},
          {"fitted", factor.is_fitted},
          {"at_bound", factor.is_at_bound}};
}

Json prior_json(const validation::CalibratedRun& run) {
  const auto place = run.place();
  return {{"predicted_s", run.prior.predicted.base()},
          {"low_s", optional_json(run.prior.low)},
          {"high_s", optional_json(run.prior.high)},
          {"relative_error", run.prior.error},
          {"measured_is", place ? Json(to_string(*place)) : Json()}};
}

Json run_json(const validation::CalibratedRun& run) {
  Json error;
  if (run.standard_error) error = run.standard_error->base();
  return {{"name", run.name},
          {"source", run.source},
          {"measured_s", run.measured.base()},
          {"standard_error_s", std::move(error)},
          {"before", prior_json(run)},
          {"predicted_s", run.predicted.base()},
          {"relative_error", run.error},
          {"left_out_relative_error", optional_json(run.left_out)},
          {"nic_share", run.nic_share}};
}

}  // namespace

std::string to_json(const validation::SiteFit& fit) {
  Json json = {{"refused", fit.is_refused()}, {"refusal", fit.refusal}, {"advice", fit.advice}};
  json["factors"] = {{"compute_efficiency", factor_json(fit.compute)},
                     {"nic_efficiency", factor_json(fit.nic)}};
  json["correlation"] = optional_json(fit.correlation);
  json["model_error"] = fit.model_error;
  json["runs"] = Json::array();
  for (const validation::CalibratedRun& run : fit.runs) json["runs"].push_back(run_json(run));
  json["spread"] = fit.spread;
  json["step_time_low"] = fit.band.low;
  json["step_time_high"] = fit.band.high;
  json["notes"] = fit.notes;
  return json.dump(2) + "\n";
}

std::string to_json(const validation::StorageReport& report) {
  Json json;
  json["tool"] = report.tool;
  json["jobs"] = Json::array();
  for (const validation::StorageJob& job : report.jobs) {
    json["jobs"].push_back({{"name", job.name},
                            {"num_streams", job.num_streams},
                            {"num_clients", job.num_clients},
                            {"read_bytes_per_s", job.read.rate.base()},
                            {"write_bytes_per_s", job.write.rate.base()},
                            {"read_latency_s", job.read.latency.base()},
                            {"write_latency_s", job.write.latency.base()}});
  }
  json["settings"] = settings_of(report);
  json["notes"] = report.notes;
  return json.dump(2) + "\n";
}

}  // namespace railwright::output
