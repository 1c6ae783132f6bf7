// SPDX-License-Identifier: Apache-2.0
#include "stage_partition.hpp"

#include <algorithm>

namespace railwright::simulation {

namespace {

std::size_t number_of(const PlaceKind& kind, std::vector<PlaceKind>& kinds) {
  const auto found = std::ranges::find(kinds, kind);
  if (found == kinds.end()) {
    kinds.push_back(kind);
    return kinds.size() - 1;
  }
  return static_cast<std::size_t>(found - kinds.begin());
}

StageClass contents_of(const models::Transformer& model, const models::Layout& layout, int stage,
                       bool marks_chunks, std::vector<PlaceKind>& kinds) {
  const int last_chunk = layout.virtual_stages - 1;
  StageClass contents{.places = {}, .layers_of_chunk = {}, .first_stage = stage};
  contents.layers_of_chunk.resize(static_cast<std::size_t>(layout.virtual_stages));
  for (int place = 0; place < layout.layers_per_stage(); ++place) {
    const int chunk = place / layout.layers_per_chunk;
    const bool is_first = place % layout.layers_per_chunk == 0;
    const bool is_last = (place + 1) % layout.layers_per_chunk == 0;
    PlaceKind kind;
    if (const auto layer = layout.layer_at(stage, place)) {
      kind.layer = models::layer_kind(model, *layer);
      ++contents.layers_of_chunk[static_cast<std::size_t>(chunk)]
                                [static_cast<std::size_t>(*kind.layer)];
    }
    kind.has_embedding = stage == 0 && place == 0;
    kind.has_head = stage + 1 == layout.pp && is_last && chunk == last_chunk;
    if (marks_chunks) {
      kind.begins_chunk = is_first && !kind.has_embedding;
      kind.ends_chunk = is_last && !kind.has_head;
    }
    const std::size_t number = number_of(kind, kinds);
    const auto known = std::ranges::find(contents.places, number, &StageClass::Places::kind);
    if (known == contents.places.end()) {
      contents.places.push_back({.kind = number, .count = 1.0});
    } else {
      ++known->count;
    }
  }
  auto& chunks = contents.layers_of_chunk;
  if (std::ranges::all_of(chunks, [&](const auto& chunk) { return chunk == chunks.front(); })) {
    chunks.resize(1);
  }
  return contents;
}

}  // namespace

StagePartition divide(const models::Transformer& model, const models::Layout& layout,
                      bool marks_chunks) {
  StagePartition division;
  for (int stage = 0; stage < layout.pp; ++stage) {
    const StageClass contents = contents_of(model, layout, stage, marks_chunks, division.kinds);
    const auto known = std::ranges::find_if(
        division.classes, [&](const StageClass& other) { return contents.is_like(other); });
    division.class_of_stage.push_back(static_cast<std::uint32_t>(known - division.classes.begin()));
    if (known == division.classes.end()) division.classes.push_back(contents);
  }
  return division;
}

}  // namespace railwright::simulation
