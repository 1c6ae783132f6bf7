// SPDX-License-Identifier: Apache-2.0
#include "hugging_face_mixers.hpp"

#include <algorithm>

#include "hugging_face_shape.hpp"

namespace railwright::models {

namespace {

/// Null for a `model_type` whose layers the plain keys describe.
const LayerReader* reader_of(std::string_view model_type) {
  for (const auto readers :
       {attention_layer_readers(), state_layer_readers(), expert_layer_readers()}) {
    const auto found = std::ranges::find(readers, model_type, &LayerReader::model_type);
    if (found != readers.end()) return &*found;
  }
  return nullptr;
}

}  // namespace

std::span<const std::string_view> mixer_keys(std::string_view model_type) {
  const LayerReader* reader = reader_of(model_type);
  return reader == nullptr ? std::span<const std::string_view>() : reader->keys;
}

void put_mixers(const core::Node& config, std::string_view model_type, core::Node& entry,
                std::vector<core::Diagnostic>& problems) {
  const LayerReader* reader = reader_of(model_type);
  if (reader == nullptr) return;
  HuggingFaceShape shape(config, entry, problems);
  reader->put(shape);
}

}  // namespace railwright::models
