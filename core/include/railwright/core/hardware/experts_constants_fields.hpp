// SPDX-License-Identifier: Apache-2.0
// The keys of experts_constants.hpp.
#pragma once

#include "railwright/core/config/fields.hpp"
#include "railwright/core/hardware/experts_constants.hpp"

namespace railwright::core {

constexpr auto ExpertsConstants::fields() {
  return field_list(
      field("launch", &ExpertsConstants::launch,
            "Time of a layer without work: its kernels sort, permute, multiply twice, activate "
            "and combine.",
            non_negative),
      field("rate_share", &ExpertsConstants::rate_share,
            "Share of the peak rate that tiles of 256 rows and an endless inner dimension reach.",
            fraction),
      field("memory_share", &ExpertsConstants::memory_share,
            "Share of the memory bandwidth at which products read weights and rows.", fraction),
      field("stream_share", &ExpertsConstants::stream_share,
            "Share of the memory bandwidth that permutation, activation, casts and combination "
            "of rows reach.",
            fraction),
      field("token_stream_share", &ExpertsConstants::token_stream_share,
            "As stream_share, of kernels over the tokens before and behind the experts.", fraction),
      field("tail_tiles", &ExpertsConstants::tail_tiles,
            "Tiles for which the last multiprocessor works on alone.", between(0.0, 1.0)),
      field("fill_inner", &ExpertsConstants::fill_inner,
            "Elements of the inner dimension that take as long as the fill and drain of a tile.",
            non_negative),
      field("lost_rows", &ExpertsConstants::lost_rows,
            "Rows of a tile at which half of the arithmetic rate is lost to operand reads.",
            non_negative),
      field("overlap_exponent", &ExpertsConstants::overlap_exponent,
            "Norm of arithmetic and memory time: 1 adds them, a large one hides the shorter.",
            between(1.0, 16.0)),
      field("cache", &ExpertsConstants::cache, "Capacity of the last cache before memory.",
            positive),
      field("cache_speedup", &ExpertsConstants::cache_speedup,
            "Bandwidth of that cache over the memory's, as these kernels use both.",
            at_least(1.0)));
}

}  // namespace railwright::core
