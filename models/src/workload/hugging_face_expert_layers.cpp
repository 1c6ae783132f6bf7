// SPDX-License-Identifier: Apache-2.0
// Experts that a config.json describes by lists, or from one layer on.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "hugging_face_shape.hpp"

namespace railwright::models {

namespace {

using core::Node;
using Letter = HuggingFaceShape::Letter;

/// Experts from one layer on; the first of a list where modalities have their own.
void put_ernie_moe(HuggingFaceShape& shape) {
  const auto first = [&](const char* key, std::int64_t otherwise) {
    return shape.given(key).value_or(shape.whole(std::string(key) + ".0", otherwise));
  };
  const std::int64_t width = first("moe_intermediate_size", 0);
  shape.put_expert("count", first("moe_num_experts", 0));
  shape.put_expert("top_k", first("moe_k", 2));
  shape.put_expert("ffn_size", width);
  shape.put_expert("shared_ffn_size", shape.whole("moe_num_shared_experts") * width);
  const std::int64_t every = std::max<std::int64_t>(shape.whole("moe_layer_interval", 1), 1);
  shape.put_expert("dense_layers", first("moe_layer_start_index", 0));
  if (every > 1) shape.put_expert("every", every);
}

/// Experts whose numbers may be lists, one for each layer.
void put_hunyuan_moe(HuggingFaceShape& shape) {
  const auto same = [&](const char* key, std::int64_t otherwise) {
    const Node* node = shape.find(key);
    if (node == nullptr || node->items.empty()) return shape.whole(key, otherwise);
    for (const Node& item : node->items) {
      if (item.text != node->items.front().text) shape.problem(key, "layers differ");
    }
    return shape.whole(std::string(key) + ".0", otherwise);
  };
  const std::int64_t width = same("moe_intermediate_size", shape.whole("intermediate_size"));
  shape.put_expert("count", same("num_experts", 1));
  shape.put_expert("top_k", same("moe_topk", 1));
  shape.put_expert("ffn_size", width);
  shape.put_expert("shared_ffn_size", same("num_shared_expert", 0) * width);
}

constexpr std::string_view kErnieKeys[] = {"moe_intermediate_size", "moe_k",
                                           "moe_num_experts",       "moe_num_shared_experts",
                                           "moe_layer_interval",    "moe_layer_start_index"};
constexpr std::string_view kHunyuanKeys[] = {"moe_intermediate_size", "moe_topk", "num_experts",
                                             "num_shared_expert"};

constexpr LayerReader kExpertReaders[] = {
    {"ernie4_5_moe", put_ernie_moe, kErnieKeys},
    {"hunyuan_v1_moe", put_hunyuan_moe, kHunyuanKeys},
};

}  // namespace

std::span<const LayerReader> expert_layer_readers() { return kExpertReaders; }

}  // namespace railwright::models
