// SPDX-License-Identifier: Apache-2.0
// Constants of fused attention kernels: one set describes one kernel on one device in one
// precision. Shares are of data-sheet peaks, so a set also serves other devices of its generation.
#pragma once

#include <string_view>

#include "railwright/core/config/fields.hpp"
#include "railwright/core/units/quantity.hpp"

namespace railwright::core {

/// A kernel that attends with many queries a sequence (training, prefill). Fitted to measured
/// kernels [@aiconfigurator]; priors stand beside the fields.
struct AttentionConstants {
  static constexpr std::string_view kKind = "attention_constants";

  double tensor_share_64 = 0.61;
  double tensor_share_128 = 0.61;
  double tensor_share_192 = 0.61;
  double tensor_share_256 = 0.61;
  Duration softmax_time;
  double lone_tile_factor = 1.0;
  Duration tile_start;
  double imbalance = 0.3;
  double exposed_memory = 1.0;
  double memory_efficiency = 0.9;
  DataSize l2_reach;
  Bandwidth l2_bandwidth;
  int query_tile = 128;
  int wide_query_tile = 128;
  int key_tile = 128;
  int min_query_tile = 16;
  double backward_rate = 0.8;
  double operator_memory = 1.0;
  double operator_queries = 1.0;
  Duration operator_overhead;

  static constexpr auto fields();
};

/// A kernel with one query per sequence (decode) over a cache of keys and values.
struct DecodeConstants {
  static constexpr std::string_view kKind = "decode_constants";

  double memory_efficiency = 0.88;
  double cache_read_share = 1.0;
  DataSize l2_reach;
  Bandwidth l2_bandwidth;
  int heads_per_tile = 64;
  int head_step = 16;
  double tensor_share = 0.3;
  Duration key_time;
  Duration tile_start;
  Bandwidth tile_bandwidth;
  double split_waves = 1.0;
  int max_splits = 16;
  int min_split_keys = 256;
  Duration reduction_time;
  double overlap = 2.5;
  double token_memory = 2.0;
  Duration operator_overhead;

  static constexpr auto fields();
};

}  // namespace railwright::core
