// SPDX-License-Identifier: Apache-2.0
// Steps that the sizing of replicas for whole requests and of those for parts of them share.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "railwright/core/arithmetic.hpp"
#include "railwright/workloads/serving/replica_sizes.hpp"
#include "railwright/workloads/serving/serving.hpp"
#include "replica.hpp"

namespace railwright::simulation {

/// One way to divide the model, or why it is infeasible.
struct Option {
  InferenceResult result;
  double miss = 0.0;  ///< distance from feasible, as a share of what is wanted
};

/// Whether `a` carries the load with fewer nodes, then accelerators, or misses by less.
bool better(const Option& a, const Option& b);

/// Replicas of `size` accelerators on nodes of `in_node`: a node holds several, or several nodes
/// one.
struct NodeFilling {
  int in_node = 1;
  int size = 1;

  [[nodiscard]] std::int64_t replicas_of(std::int64_t num_nodes) const {
    return size <= in_node ? num_nodes * (in_node / size) : num_nodes / nodes_of_one();
  }
  [[nodiscard]] std::int64_t nodes_for(std::int64_t num_replicas) const {
    if (size > in_node) return num_replicas * nodes_of_one();
    const std::int64_t of_node = in_node / size;
    return core::ceil_div(num_replicas, of_node);
  }
  /// Replicas on a node; a part of one where it takes several.
  [[nodiscard]] double replicas_per_node() const {
    return size <= in_node ? static_cast<double>(in_node / size)
                           : 1.0 / static_cast<double>(nodes_of_one());
  }
  [[nodiscard]] std::int64_t nodes_of_one() const { return core::ceil_div(size, in_node); }
};
NodeFilling node_filling(const CheckedInference& checked, int size);

/// Returns a replica in words, as in "tp 4" or "tp 8, pp 2".
std::string name_of(const models::ReplicaSize& size);

/// A time with no other request, against the wanted one.
struct TimeAlone {
  const char* what = "";  ///< "the first token"
  core::Duration time;
  std::optional<core::Duration> wanted;
};
/// Returns why times are too long even for one request at a time; "" if none is. Raises `miss`.
/// `division`: the replica, as in "tp 4".
std::string missed_latency(const std::string& division, const std::vector<TimeAlone>& times,
                           double& miss);

/// Says by how much one request does not fit.
std::string too_large(const models::MemoryUse& use, core::DataSize capacity,
                      const std::string& division);

/// Returns the result of a division before batches are chosen.
InferenceResult undecided(const CheckedInference& checked, const models::ReplicaSize& size);

/// Times that a batch may take.
struct BatchLatencies {
  core::Duration first_token = core::Duration::infinity();
  core::Duration output_token = core::Duration::infinity();
  core::Duration added{};  ///< to each output token, beside the replica's own time
};
/// Returns the wanted time; infinite without one.
core::Duration or_forever(const std::optional<core::Duration>& wanted);

/// The largest batch that fits and is in time.
struct ChosenBatch {
  std::int64_t batch = 0;
  std::int64_t largest = 0;  ///< that memory holds
  BatchLimit limit = BatchLimit::kMemory;
};
ChosenBatch batch_within(const Replica& replica, const BatchLatencies& latencies);

/// Chooses that batch, and adds its limit, cycle, memory and times.
void choose_batch(const Replica& replica, const BatchLatencies& latencies, InferenceResult& result);

/// Sets the batch, with its cycle, memory and times.
void set_batch(const Replica& replica, std::int64_t batch, InferenceResult& result);

/// Says what limits the batch, and what takes the most of the time of an iteration.
std::string limit_text(const InferenceResult& result);

/// Counts the accelerators and nodes of so many replicas, and what they answer.
void count_nodes(const CheckedInference& checked, std::int64_t num_replicas,
                 InferenceResult& result);

/// Returns the replicas that answer `wanted` requests/s at `of_one` each; at least one.
std::int64_t replicas_for(double wanted, double of_one);

/// Reports replicas that do not answer the wanted requests/s; `what` they do, as in " for prompts".
void check_rate(const models::Inference& inference, std::int64_t count, double of_one,
                std::string_view what, Option& option);

/// Reports a run that misses the wanted latencies or rejects too many requests, and by how much.
void check_latencies(const models::Inference& inference, Option& option);

}  // namespace railwright::simulation
