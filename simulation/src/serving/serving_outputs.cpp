// SPDX-License-Identifier: Apache-2.0
#include "railwright/simulation/serving/serving.hpp"

namespace railwright::simulation {

namespace {

void add_time(const std::string& path, const models::PassTime& time, std::vector<Output>& list) {
  list.push_back({path + "_s", time.total().base()});
  const std::string parts = path + "_breakdown.";
  list.push_back({parts + "compute_s", time.compute.base()});
  list.push_back({parts + "bandwidth_s", time.bandwidth.base()});
  list.push_back({parts + "gaps_s", time.gaps.base()});
  list.push_back({parts + "communication_s", time.communication.base()});
  list.push_back({parts + "host_s", time.host.base()});
  list.push_back({parts + "stall_s", time.stall.base()});
}

void add_percentiles(const std::string& name, const Percentiles& times, std::vector<Output>& list) {
  list.push_back({"run." + name + ".mean_s", times.mean.base()});
  list.push_back({"run." + name + ".p50_s", times.p50.base()});
  list.push_back({"run." + name + ".p90_s", times.p90.base()});
  list.push_back({"run." + name + ".p99_s", times.p99.base()});
}

void add_run(const ServingRun& run, std::vector<Output>& list) {
  list.push_back({"run.num_requests", run.num_requests});
  list.push_back({"run.num_replicas", run.num_replicas});
  list.push_back({"run.duration_s", run.duration.base()});
  list.push_back({"run.requests_per_s", run.requests_per_s});
  list.push_back({"run.output_tokens_per_s", run.output_tokens_per_s});
  add_percentiles("time_to_first_token", run.time_to_first_token, list);
  add_percentiles("time_per_output_token", run.time_per_output_token, list);
  add_percentiles("latency", run.latency, list);
  list.push_back({"run.mean_batch", run.mean_batch});
  list.push_back({"run.busy_fraction", run.busy_fraction});
  list.push_back({"run.cache_fraction", run.cache_fraction});
  list.push_back({"run.within_latencies", run.within_latencies});
}

}  // namespace

std::vector<Output> outputs(const InferenceResult& result) {
  std::vector<Output> list{{"num_parameters", result.num_parameters},
                           {"weights_bytes", result.weights.base()},
                           {"tp", std::int64_t{result.tp}}};
  for (const models::MemoryLine& line : result.memory.lines) {
    list.push_back({"memory." + std::string(line.name) + "_bytes", line.size.base()});
  }
  list.push_back({"memory_per_accelerator_bytes", result.memory.total().base()});
  list.push_back({"memory_capacity_bytes", result.memory_capacity.base()});
  list.push_back({"kv_cache_bytes_per_token", result.kv_cache_per_token.base()});
  list.push_back({"memory_levels", std::int64_t{result.offload ? result.offload->level : 1}});
  if (result.offload) {
    list.push_back({"offload.bytes", result.offload->size.base()});
    list.push_back({"offload.bytes_per_s", result.offload->rate.base()});
    list.push_back({"offload.time_s", result.offload->time.base()});
  }
  if (result.num_nodes == 0) return list;
  list.push_back({"batch", result.cycle.batch});
  list.push_back({"largest_batch", result.largest_batch});
  add_time("prefill", result.prefill, list);
  add_time("decode", result.decode, list);
  list.push_back({"time_to_first_token_s", result.cycle.time_to_first_token().base()});
  list.push_back({"time_per_output_token_s", result.cycle.time_per_output_token().base()});
  list.push_back({"busy_fraction", 1.0 - result.time.stall / result.time.total()});
  list.push_back({"accelerator_tokens_per_s", result.accelerator_tokens_per_s});
  list.push_back({"node_tokens_per_s", result.node_tokens_per_s});
  list.push_back({"node_requests_per_s", result.node_requests_per_s});
  list.push_back({"num_replicas", result.num_replicas});
  list.push_back({"num_accelerators", result.num_accelerators});
  list.push_back({"nodes_for_load", result.nodes_for_load});
  list.push_back({"num_nodes", result.num_nodes});
  if (result.run) add_run(*result.run, list);
  return list;
}

}  // namespace railwright::simulation
