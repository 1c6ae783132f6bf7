// SPDX-License-Identifier: Apache-2.0
// A model divided over pipeline stages, places and stages that are alike counted together.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "railwright/models/parallelism/parallelism.hpp"

namespace railwright::simulation {

/// What stands in one place of a stage.
struct PlaceKind {
  std::optional<models::LayerKind> layer;
  bool has_embedding = false;
  bool has_head = false;
  bool begins_chunk = false;  ///< and is not the model's first
  bool ends_chunk = false;    ///< and is not the model's last

  bool operator==(const PlaceKind&) const = default;
};

/// Stages with the same places.
struct StageClass {
  struct Places {
    std::size_t kind = 0;
    double count = 0.0;
    bool operator==(const Places&) const = default;
  };
  std::vector<Places> places;  ///< in the order in which a forward pass first meets them
  /// Layers of each kind by chunk; one entry where all chunks have the same.
  std::vector<std::array<double, models::kNumLayerKinds>> layers_of_chunk;
  int first_stage = 0;

  [[nodiscard]] bool is_like(const StageClass& other) const {
    return places == other.places && layers_of_chunk == other.layers_of_chunk;
  }
};

struct Division {
  std::vector<PlaceKind> kinds;
  std::vector<StageClass> classes;
  std::vector<std::uint32_t> class_of_stage;
};

/// `marks_chunks` tells places at the ends of chunks apart from the others.
Division divide(const models::Transformer& model, const models::Layout& layout, bool marks_chunks);

}  // namespace railwright::simulation
