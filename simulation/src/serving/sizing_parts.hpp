// SPDX-License-Identifier: Apache-2.0
// Steps that the sizing of replicas for whole requests and of those for parts of them share.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "railwright/simulation/serving/serving.hpp"
#include "replica.hpp"

namespace railwright::simulation {

/// One way to divide the model, or why it is infeasible.
struct Option {
  InferenceResult result;
  double miss = 0.0;  ///< distance from feasible, as a share of what is wanted
};

/// Whether `a` carries the load with fewer nodes, then accelerators, or misses by less.
bool better(const Option& a, const Option& b);

/// Returns the divisions of a node that the heads allow, or the wanted one.
std::vector<int> divisions(const CheckedInference& checked, const std::optional<int>& wanted);

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
InferenceResult undecided(const CheckedInference& checked, int tp);

/// Times that a batch may take.
struct BatchLatencies {
  core::Duration first_token = core::Duration::infinity();
  core::Duration output_token = core::Duration::infinity();
  core::Duration added{};  ///< to each output token, beside the replica's own time
};
/// Returns the wanted time; infinite without one.
core::Duration or_forever(const std::optional<core::Duration>& wanted);

/// Chooses the largest batch that fits and is in time, with its limit, cycle, memory and times.
void choose_batch(const Replica& replica, const BatchLatencies& latencies, InferenceResult& result);

/// Says what limits the batch, and what takes the most of the time of an iteration.
std::string limit_text(const InferenceResult& result);

/// Returns the replicas that answer `wanted` requests/s at `of_one` each; at least one.
std::int64_t replicas_for(double wanted, double of_one);

/// Reports a run that misses the wanted latencies, and by how much.
void check_latencies(const models::Inference& inference, Option& option);

}  // namespace railwright::simulation
