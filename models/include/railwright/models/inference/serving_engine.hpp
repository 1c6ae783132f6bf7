// SPDX-License-Identifier: Apache-2.0
// The program that serves requests: its limits, and its costs beside the device.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "railwright/core/config/fields.hpp"
#include "railwright/core/units/quantity.hpp"

namespace railwright::models {

/// The defaults are those of the catalogue's `tensorrt-llm`.
struct ServingEngine {
  static constexpr std::string_view kKind = "serving_engines";

  std::string name = "tensorrt-llm";
  std::string description;
  core::Sourced<int> max_batch{2048, "TensorRT-LLM's default of max_batch_size, recalled", true};
  core::Sourced<int> max_tokens{8192, "TensorRT-LLM's default of max_num_tokens, recalled", true};
  core::Sourced<int> max_graph_batch{384, "TensorRT-LLM's performance overview, recalled", true};
  std::vector<int> graph_batches{1, 2, 4, 8, 16, 32, 64, 128, 256, 384};
  core::Sourced<int> kernels_per_layer{12, "no profile used: counted from a layer", true};
  core::Sourced<core::Duration> host_launch{core::Duration::from_base(5e-6), "no profile used",
                                            true};
  core::Sourced<core::Duration> host_iteration{core::Duration::from_base(2e-3), "no profile used",
                                               true};
  core::Sourced<core::Duration> host_request{core::Duration::from_base(10e-6), "no profile used",
                                             true};
  core::Sourced<bool> overlaps_host{true, "TensorRT-LLM's overlap scheduler, recalled", true};
  core::Sourced<bool> preempts{false, "TensorRT-LLM's default GUARANTEED_NO_EVICT, recalled", true};
  core::Sourced<bool> overlaps_exchange{false, "vLLM's and SGLang's default, recalled", true};
  std::optional<core::Sourced<double>> throughput_low;
  std::optional<core::Sourced<double>> throughput_high;

  /// Returns the requests of the graph that an iteration of so many runs as; nothing if it has
  /// none.
  [[nodiscard]] std::optional<int> captured_batch(int requests) const {
    if (requests > max_graph_batch.value) return {};
    if (graph_batches.empty()) return requests;
    int batch = max_graph_batch.value;
    for (const int graph : graph_batches) {
      if (graph >= requests) batch = std::min(batch, graph);
    }
    return batch;
  }

  static constexpr auto fields() {
    using core::between;
    using core::field;
    using core::non_negative;
    using core::optional;
    using E = ServingEngine;
    return core::field_list(
        field("name", &E::name, "Name in the catalogue.", optional),
        field("description", &E::description, "The engine in words.", optional),
        field("max_batch", &E::max_batch, "Most requests that are answered at a time.",
              between(1, 1 << 20), optional),
        field("max_tokens", &E::max_tokens,
              "Most tokens of an iteration: longer prompts pass in pieces.", between(1, 1 << 24),
              optional),
        field("max_graph_batch", &E::max_graph_batch,
              "Largest number of requests whose iteration is captured in a CUDA graph, so that the "
              "host launches no kernel of it; 0: none is.",
              between(0, 1 << 20), optional),
        field(
            "graph_batches", &E::graph_batches,
            "Numbers of requests up to max_graph_batch that have a graph, beside that one itself: "
            "others are padded to the next. None: each number has one.",
            between(1, 1 << 20), optional),
        field("kernels_per_layer", &E::kernels_per_layer,
              "Kernels of a layer that the host launches where no graph does.", between(1, 10'000),
              optional),
        field("host_launch", &E::host_launch, "Time of the host to launch one of them.",
              non_negative, optional),
        field("host_iteration", &E::host_iteration,
              "Time of the host for an iteration: schedule, inputs, answers.", non_negative,
              optional),
        field("host_request", &E::host_request,
              "Time of the host for each request in it: sampling and detokenization.", non_negative,
              optional),
        field("overlaps_host", &E::overlaps_host,
              "Whether the host prepares an iteration while the device computes the one before.",
              optional),
        field("preempts", &E::preempts,
              "Whether a request is admitted as soon as the cache holds its prompt; when answers "
              "need the room, the one admitted last loses its cache and passes again. Else it "
              "waits until all its tokens have room.",
              optional),
        field("overlaps_exchange", &E::overlaps_exchange,
              "Whether two halves of the requests alternate, so that the exchange of one's experts "
              "is "
              "hidden behind the layers of the other (attention_dp).",
              optional),
        field("throughput_low", &E::throughput_low,
              "The low end of the 80 % interval of a throughput, over the predicted one.",
              core::positive),
        field("throughput_high", &E::throughput_high,
              "The high end of the 80 % interval of a throughput, over the predicted one.",
              core::positive));
  }
};

}  // namespace railwright::models
