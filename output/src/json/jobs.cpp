// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>
#include <utility>

#include "number_json.hpp"
#include "power_series_json.hpp"
#include "railwright/output/json/json.hpp"
#include "railwright/workloads/training/outputs.hpp"

namespace railwright::output {

namespace {

using Json = nlohmann::ordered_json;

Json pool_json(const simulation::PoolRun& pool) {
  Json json = {{"name", pool.name},
               {"node", pool.node},
               {"num_nodes", pool.num_nodes},
               {"num_accelerators", pool.num_accelerators},
               {"mean_power_w", pool.mean_power.base()},
               {"energy_j", pool.energy.base()},
               {"tokens", pool.tokens},
               {"tokens_per_s", pool.tokens_per_s}};
  if (pool.tokens > 0.0) json["energy_per_token_j"] = pool.energy_per_token().base();
  if (!pool.ownership) return json;
  json["ownership_usd"] = pool.ownership->total().base();
  json["ownership_is_partial"] = !pool.ownership->unpriced.empty();
  if (pool.tokens > 0.0) json["usd_per_million_tokens"] = pool.per_million_tokens.base();
  return json;
}

Json division_json(const simulation::Division& division) {
  Json parts = Json::array();
  for (const simulation::PartOfStep& part : division.parts) {
    parts.push_back({{"pool", part.pool},
                     {"num_replicas", part.num_replicas},
                     {"micro_batches", part.micro_batches},
                     {"time_s", part.time.base()}});
  }
  return {{"step_time_s", division.step_time.base()}, {"parts", std::move(parts)}};
}

Json divided_json(const simulation::DividedStep& step) {
  return {{"job", step.job},
          {"division", step.is_balanced ? "balanced" : "even"},
          {"exchange_s", step.exchange.base()},
          {"even", division_json(step.even)},
          {"balanced", division_json(step.balanced)}};
}

/// Writes what a load asks for and what it gets; nothing of a training.
Json load_job_json(const simulation::JobsResult& result, std::size_t job) {
  const simulation::JobRun& run = result.run.jobs[job];
  const simulation::StorageLoad& asked = *result.loads[job];
  const auto seconds = [&](simulation::RunCause cause) {
    return run.time_s[static_cast<std::size_t>(cause)];
  };
  Json load = {{"time_s", run.training_time_s.mean},
               {"time_alone_s", result.alone[job].base()},
               {"busy_share", busy_share(run)},
               {"bytes_written", run.bytes_written},
               {"bytes_read", asked.read.base() > 0.0 ? run.bytes_read : 0.0}};
  if (asked.every) {
    load["write_bytes"] = asked.write.base();
    load["every_s"] = asked.every->base();
    load["num_writes"] = run.num_checkpoints;
    if (run.num_checkpoints > 0.0) {
      load["write_time_s"] = seconds(simulation::RunCause::kCheckpointStall) / run.num_checkpoints;
    }
    load["write_time_alone_s"] = run.checkpoint.time.base();
    load["read_back_alone_s"] = run.restore.time.base();
  }
  if (asked.read.base() > 0.0) {
    load["read_bytes_per_s"] = asked.read.base();
    load["share_read"] = share_read(run);
  }
  return {{"name", run.name}, {"load", std::move(load)}};
}

}  // namespace

std::string to_json(const simulation::JobsResult& result, bool with_load) {
  Json json = {{"name", result.name}, {"feasible", result.feasible()}};
  Json reasons = Json::array();
  for (const simulation::Infeasibility& reason : result.infeasible) reasons.push_back(reason.what);
  json["infeasible"] = std::move(reasons);
  json["jobs"] = Json::array();
  put(outputs(result), json);
  if (!result.feasible()) return json.dump(2) + "\n";
  json["num_replicas"] = result.run.num_replicas;
  for (std::size_t j = 0; j < result.run.jobs.size(); ++j) {
    if (result.is_load(j)) {
      json["jobs"].push_back(load_job_json(result, j));
      continue;
    }
    Json job = {{"name", result.run.jobs[j].name},
                {"alone_training_time_s", result.alone[j].base()},
                {"step_time_s", result.step_times[j].base()},
                {"step_time_alone_s", result.step_times_alone[j].base()},
                {"step_time_low", result.step_intervals[j].low},
                {"step_time_high", result.step_intervals[j].high}};
    put(outputs(result.run.jobs[j]), job);
    json["jobs"].push_back(std::move(job));
  }
  const bool has_costs = !result.pools.empty() && result.pools.front().ownership;
  if (result.pools.size() > 1 || has_costs) {
    json["pools"] = Json::array();
    for (const simulation::PoolRun& pool : result.pools) json["pools"].push_back(pool_json(pool));
  }
  if (result.shared_ownership) {
    json["shared_ownership_usd"] = result.shared_ownership->total().base();
    json["ownership_usd"] = total_cost(result).base();
  }
  for (const simulation::DividedStep& step : result.divided_steps) {
    json["divided_steps"].push_back(divided_json(step));
  }
  if (result.run.storage.num_nodes > 0) {
    json["storage"]["node"] = result.storage_node;
    json["storage"]["num_nodes"] = result.run.storage.num_nodes;
  }
  for (const simulation::StorageNeed& need : result.run.needs) {
    json["storage"]["nodes_needed"][simulation::key_of(need)] = need.num_nodes;
  }
  if (result.power.over_time) {
    json["power"]["over_time"] = power_series_json(*result.power.over_time);
  }
  if (with_load) json["storage"]["load_over_time"] = Json::parse(load_json(result.run.storage));
  return json.dump(2) + "\n";
}

}  // namespace railwright::output
