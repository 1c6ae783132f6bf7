// SPDX-License-Identifier: Apache-2.0
// Division of a model over pipeline stages. Identical places and identical stages are counted
// together.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "railwright/models/parallelism/parallelism.hpp"

namespace railwright::simulation {

/// Contents of one place of a stage.
struct PlaceKind {
  std::optional<models::LayerKind> layer;
  bool has_embedding = false;
  bool has_head = false;
  bool begins_chunk = false;  ///< except at the model's first place
  bool ends_chunk = false;    ///< except at the model's last place

  bool operator==(const PlaceKind&) const = default;
};

/// Stages with the same places.
struct StageClass {
  struct Places {
    std::size_t kind = 0;
    double count = 0.0;
    bool operator==(const Places&) const = default;
  };
  std::vector<Places> places;  ///< in the order in which a forward pass first meets each kind
  /// Layers of each kind by chunk; a single entry if all chunks are identical.
  std::vector<std::array<double, models::kNumLayerKinds>> layers_of_chunk;
  int first_stage = 0;

  [[nodiscard]] bool is_like(const StageClass& other) const {
    return places == other.places && layers_of_chunk == other.layers_of_chunk;
  }
};

struct StagePartition {
  std::vector<PlaceKind> kinds;
  std::vector<StageClass> classes;
  std::vector<std::uint32_t> class_of_stage;
};

/// Divides `model`. With `marks_chunks`, places at the ends of chunks are kinds of their own.
StagePartition divide(const models::Transformer& model, const models::Layout& layout,
                      bool marks_chunks);

}  // namespace railwright::simulation
