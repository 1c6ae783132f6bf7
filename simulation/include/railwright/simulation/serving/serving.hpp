// SPDX-License-Identifier: Apache-2.0
// How many nodes answer the requests of a model, and what limits them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/fields.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/models/inference/batching.hpp"
#include "railwright/models/inference/inference.hpp"
#include "railwright/models/inference/passes.hpp"
#include "railwright/models/memory/memory.hpp"
#include "railwright/simulation/results/result_number.hpp"
#include "railwright/simulation/scenario/scenario.hpp"

namespace railwright::simulation {

/// A scenario with `inference` in place of `workload`.
struct InferenceScenario {
  std::string name;
  models::Inference inference;
  topologies::Cluster cluster;

  static constexpr auto fields() {
    using core::field;
    return core::field_list(
        field("name", &InferenceScenario::name, "The scenario in a few words."),
        field("inference", &InferenceScenario::inference, "What is asked of which model."),
        field("cluster", &InferenceScenario::cluster,
              "Nodes there are; the result says how many are needed."));
  }
};

struct CheckedInference {
  models::Inference inference;
  CheckedCluster cluster;
};

/// What keeps the batch from being larger.
enum class BatchLimit : std::uint8_t { kMemory, kTimeToFirstToken, kTimePerOutputToken, kMaxBatch };

/// Weights outside device memory.
struct Offloaded {
  std::string tier;
  int level = 2;  ///< of the hierarchy; device memory is 1
  core::DataSize size;
  core::Bandwidth rate;  ///< into all accelerators of a node
  core::Duration time;   ///< to read all weights once, as every pass does
};

/// Over requests.
struct Percentiles {
  core::Duration mean;
  core::Duration p50;
  core::Duration p90;
  core::Duration p99;
};

/// What a simulated run of requests gave.
struct ServingRun {
  std::int64_t num_requests = 0;
  std::int64_t num_replicas = 0;
  core::Duration duration;  ///< from the first arrival to the last answer
  double requests_per_s = 0.0;
  double output_tokens_per_s = 0.0;  ///< of all replicas
  Percentiles time_to_first_token;
  Percentiles time_per_output_token;
  Percentiles latency;            ///< from arrival to the last token
  double mean_batch = 0.0;        ///< requests under way in an iteration
  double busy_fraction = 0.0;     ///< of the replicas' time
  double cache_fraction = 0.0;    ///< of the cache, the most that was reserved
  double within_latencies = 1.0;  ///< share of the requests that met both wanted latencies
};

struct InferenceResult {
  std::string name;
  std::vector<std::string> infeasible;  ///< sentences; empty when the nodes carry the load
  std::int64_t num_parameters = 0;
  core::DataSize weights;  ///< of the whole model
  int tp = 1;
  models::MemoryUse memory;  ///< of an accelerator
  core::DataSize memory_capacity;
  core::DataSize kv_cache_per_token;  ///< on all accelerators of a replica together
  std::optional<Offloaded> offload;

  std::int64_t largest_batch = 0;  ///< that memory holds
  BatchLimit batch_limit = BatchLimit::kMemory;
  models::BatchCycle cycle;
  models::PassTime prefill;
  models::PassTime decode;
  models::PassTime time;  ///< of a cycle, by what bounds it
  std::string limit;      ///< in a sentence

  std::int64_t num_replicas = 0;  ///< for the load
  std::int64_t num_accelerators = 0;
  std::int64_t nodes_for_load = 0;
  std::int64_t num_nodes = 0;  ///< with the redundant ones
  double node_requests_per_s = 0.0;
  double node_tokens_per_s = 0.0;
  double accelerator_tokens_per_s = 0.0;
  std::optional<ServingRun> run;  ///< where the scenario has `inference.load`

  [[nodiscard]] bool feasible() const { return infeasible.empty(); }
};

/// Whether a scenario's tree is one of these.
bool is_inference(const core::Node& tree);

/// Throws ConfigError with every problem.
CheckedInference read_inference(const core::Node& tree, const core::Catalogue& catalogue);

/// The division that needs fewest nodes, its largest batch within the latencies, and how many
/// nodes that makes.
InferenceResult simulate(const CheckedInference& checked);

std::vector<Output> outputs(const InferenceResult& result);

}  // namespace railwright::simulation

namespace railwright::core {
template <>
struct EnumNames<simulation::BatchLimit> {
  static constexpr std::array<std::pair<std::string_view, simulation::BatchLimit>, 4> kNames{
      {{"memory", simulation::BatchLimit::kMemory},
       {"time_to_first_token", simulation::BatchLimit::kTimeToFirstToken},
       {"time_per_output_token", simulation::BatchLimit::kTimePerOutputToken},
       {"max_batch", simulation::BatchLimit::kMaxBatch}}};
};
}  // namespace railwright::core
