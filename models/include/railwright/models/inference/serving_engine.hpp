// SPDX-License-Identifier: Apache-2.0
// The program that serves requests: its limits, and its costs beside the device.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "railwright/core/config/fields.hpp"
#include "railwright/core/hardware/generation.hpp"
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
  core::Sourced<bool> mixes_prompts{true, "TensorRT-LLM's in-flight batching, recalled", true};
  core::Sourced<bool> splits_prompts{
      false, "TensorRT-LLM's default of enable_chunked_prefill, recalled", true};
  core::Sourced<int> receive_interval{1, "looks at every iteration, recalled", true};
  core::Sourced<int> attention_kernels{0, "TensorRT-LLM fuses them with attention, recalled", true};
  std::vector<core::Generation> fuses_all_reduce{core::Generation::kAmpere, core::Generation::kAda,
                                                 core::Generation::kHopper,
                                                 core::Generation::kBlackwell};
  core::Sourced<int> prompt_graph_tokens{0, "TensorRT-LLM's graphs hold steps alone", true};
  core::Sourced<core::Duration> token_overhead{core::Duration{}, "no profile used", true};
  core::Sourced<core::Duration> request_overhead{core::Duration{}, "no profile used", true};
  std::optional<core::Sourced<double>> throughput_low;
  std::optional<core::Sourced<double>> throughput_high;
  std::optional<core::Sourced<double>> first_token_low;
  std::optional<core::Sourced<double>> first_token_high;
  std::optional<core::Sourced<double>> output_token_low;
  std::optional<core::Sourced<double>> output_token_high;

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

  /// Whether an all-reduce and the norm behind it are one kernel on such an accelerator.
  [[nodiscard]] bool fuses_on(core::Generation generation) const {
    return std::ranges::find(fuses_all_reduce, generation) != fuses_all_reduce.end();
  }

  static constexpr auto fields();
};

}  // namespace railwright::models
