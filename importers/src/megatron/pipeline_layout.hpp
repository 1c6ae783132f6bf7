// SPDX-License-Identifier: Apache-2.0
// The division of layers over model chunks that are not alike, as Megatron-Core's arguments say it.
// [@megatron_core_layout]
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace railwright::importers {

/// Layers of each model chunk in the order of the model, embedding and loss counted where they are
/// alone in a chunk.
struct PipelineLayout {
  std::vector<std::int64_t> layers_per_chunk;
  bool embedding_as_layer = false;
  bool loss_as_layer = false;
};

/// Reads `pipeline_model_parallel_layout`, such as "Ettt|(tt|)*29,tL": chunks between bars, x*n and
/// (...)*n for repeats, E, t, m and L for embedding, layer, multi-token prediction and loss.
/// Returns nothing, and the reason, for a text of another form and for a chunk that has no layer.
std::optional<PipelineLayout> read_pipeline_layout(std::string_view text, std::string& reason);

/// Divides `layers` where the first or the last stage has a number of its own, alike over the
/// `virtual_stages` chunks of a stage. Returns nothing where they do not divide.
std::optional<PipelineLayout> uneven_ends(std::int64_t layers, std::int64_t pp,
                                          std::int64_t virtual_stages,
                                          std::optional<std::int64_t> first,
                                          std::optional<std::int64_t> last);

}  // namespace railwright::importers
