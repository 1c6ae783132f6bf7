// SPDX-License-Identifier: Apache-2.0
// The keys of attention_constants.hpp.
#pragma once

#include "railwright/core/config/fields.hpp"
#include "railwright/core/hardware/attention_constants.hpp"

namespace railwright::core {

constexpr auto AttentionConstants::fields() {
  return field_list(
      field("tensor_share_64", &AttentionConstants::tensor_share_64,
            "Share of the peak rate that the products reach on a full grid, heads of 64.",
            positive),
      field("tensor_share_128", &AttentionConstants::tensor_share_128,
            "As tensor_share_64, heads of 128.", positive),
      field("tensor_share_192", &AttentionConstants::tensor_share_192,
            "As tensor_share_64, heads of 192.", positive),
      field("tensor_share_256", &AttentionConstants::tensor_share_256,
            "As tensor_share_64, heads of 256 and wider.", positive),
      field("softmax_time", &AttentionConstants::softmax_time,
            "Time in which one multiprocessor takes the softmax of 128 x 128 scores; 1,024 "
            "cycles if exponentials alone bind.",
            non_negative),
      field("lone_tile_factor", &AttentionConstants::lone_tile_factor,
            "Time of the products of a tile on a nearly idle device, relative to a full grid; "
            "below 1 where a full grid lowers the clock.",
            positive),
      field("tile_start", &AttentionConstants::tile_start,
            "Start and end of a tile of queries that no other tile hides.", non_negative),
      field("imbalance", &AttentionConstants::imbalance,
            "Idle time at the end of a grid, in times of its longest tile.", non_negative),
      field("exposed_memory", &AttentionConstants::exposed_memory,
            "Time to load queries and store outputs that arithmetic does not hide, relative to "
            "streaming them.",
            non_negative),
      field("memory_efficiency", &AttentionConstants::memory_efficiency,
            "Share of the memory bandwidth that its streams reach.", fraction),
      field("l2_reach", &AttentionConstants::l2_reach,
            "Footprint at which half of the accesses still hit the L2 cache.", positive),
      field("l2_bandwidth", &AttentionConstants::l2_bandwidth,
            "Bandwidth from the L2 cache into one multiprocessor.", positive),
      field("query_tile", &AttentionConstants::query_tile, "Queries of a tile.", at_least(1)),
      field("wide_query_tile", &AttentionConstants::wide_query_tile,
            "Queries of a tile, heads wider than 128.", at_least(1)),
      field("key_tile", &AttentionConstants::key_tile, "Keys of a block.", at_least(1)),
      field("min_query_tile", &AttentionConstants::min_query_tile,
            "Queries of the smallest tile, which short sequences take.", at_least(1)),
      field("backward_rate", &AttentionConstants::backward_rate,
            "Arithmetic rate of the backward pass, relative to the forward pass.", positive),
      field("operator_memory", &AttentionConstants::operator_memory,
            "Time of the pass that writes keys and values to a paged cache, relative to "
            "streaming its bytes. Inference only.",
            non_negative),
      field("operator_queries", &AttentionConstants::operator_queries,
            "Share of the queries that this pass rewrites too.", between(0.0, 1.0)),
      field("operator_overhead", &AttentionConstants::operator_overhead,
            "Launches and host work of the inference operator around its kernels.", non_negative));
}

constexpr auto DecodeConstants::fields() {
  return field_list(
      field("memory_efficiency", &DecodeConstants::memory_efficiency,
            "Share of the memory bandwidth that reading the cache reaches.", fraction),
      field("cache_read_share", &DecodeConstants::cache_read_share,
            "Share of the cache's bytes that is read; below 1 only where a measurement's keys "
            "and values shared pages.",
            fraction),
      field("l2_reach", &DecodeConstants::l2_reach,
            "Footprint at which half of the accesses still hit the L2 cache.", positive),
      field("l2_bandwidth", &DecodeConstants::l2_bandwidth,
            "Bandwidth from the L2 cache into one multiprocessor.", positive),
      field("heads_per_tile", &DecodeConstants::heads_per_tile,
            "Query heads that share a tile and its reads of keys.", at_least(1)),
      field("head_step", &DecodeConstants::head_step,
            "Multiple to which the query heads of a tile are padded.", at_least(1)),
      field("tensor_share", &DecodeConstants::tensor_share,
            "Share of the bf16 peak rate that its products reach.", positive),
      field("key_time", &DecodeConstants::key_time,
            "Time that a multiprocessor spends on a key and tile beside products.", non_negative),
      field("tile_start", &DecodeConstants::tile_start, "Start and end of a tile.", non_negative),
      field("tile_bandwidth", &DecodeConstants::tile_bandwidth,
            "Bandwidth of one tile, bound by latency.", positive),
      field("split_waves", &DecodeConstants::split_waves,
            "Tiles a multiprocessor that splitting the keys aims at.", positive),
      field("max_splits", &DecodeConstants::max_splits,
            "Most parts that the keys of a sequence are split into.", at_least(1)),
      field("min_split_keys", &DecodeConstants::min_split_keys, "Fewest keys of a part.",
            at_least(1)),
      field("reduction_time", &DecodeConstants::reduction_time,
            "Time of the pass that joins the parts.", non_negative),
      field("overlap", &DecodeConstants::overlap,
            "Exponent by which reading, latency and arithmetic hide each other: 1 adds them, "
            "large ones take the longest.",
            at_least(1.0)),
      field("token_memory", &DecodeConstants::token_memory,
            "Time to read the query and write its key, value and output, relative to streaming "
            "them.",
            non_negative),
      field("operator_overhead", &DecodeConstants::operator_overhead,
            "Launches and host work of the operator around its kernels.", non_negative));
}

}  // namespace railwright::core
