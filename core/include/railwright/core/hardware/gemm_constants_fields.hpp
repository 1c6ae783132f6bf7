// SPDX-License-Identifier: Apache-2.0
// The keys of gemm_constants.hpp.
#pragma once

#include "railwright/core/config/fields.hpp"
#include "railwright/core/hardware/gemm_constants.hpp"

namespace railwright::core {

// NOLINTNEXTLINE(readability-function-size): a row a key
constexpr auto GemmConstants::fields() {
  return field_list(
      field("efficiency", &GemmConstants::efficiency,
            "Share of the peak rate that a product of 8,192 cubed reaches on the measured device. "
            "An accelerator whose own efficiency is another scales arithmetic and loads by it.",
            fraction),
      field("rate_share", &GemmConstants::rate_share,
            "Share of the peak rate of the format at which a multiprocessor multiplies while it "
            "waits for nothing, at the clock that power leaves in long runs.",
            fraction),
      field("load_share", &GemmConstants::load_share,
            "Bytes that a multiprocessor loads for each bf16 operation it could do, as a share of "
            "1/64: what a tile of 128 x 128 needs.",
            positive),
      field("fill_time", &GemmConstants::fill_time, "Start and end of a tile.", non_negative),
      field("launch_time", &GemmConstants::launch_time,
            "From one product to the next, back to back.", non_negative),
      field("wave_share", &GemmConstants::wave_share,
            "Share of a last, partly filled wave that costs time. Multiprocessors that idle leave "
            "power to the others, so it may be far below 1.",
            between(0, 1)),
      field("split_time", &GemmConstants::split_time,
            "Synchronization where work groups share the sum of a tile.", non_negative),
      field("max_splits", &GemmConstants::max_splits, "Work groups that may share one tile.",
            between(1, 256)),
      field("min_tile_rows", &GemmConstants::min_tile_rows, "Rows of the smallest tile.",
            between(1, 256)),
      field("epilogue_share", &GemmConstants::epilogue_share,
            "Bytes of a tile's result written outside the main loop, as a share of 2 a number.",
            non_negative),
      field("draw_share", &GemmConstants::draw_share,
            "Memory bandwidth that one multiprocessor draws, in even shares of the device's.",
            positive),
      field("memory_share", &GemmConstants::memory_share,
            "Share of streaming kernels' memory bandwidth that products reach.", positive),
      field("sharpness", &GemmConstants::sharpness,
            "p of (arithmetic^p + memory^p)^(1/p): 1 adds both up, many hides one behind the "
            "other.",
            between(1, 32)),
      field("cast_time", &GemmConstants::cast_time,
            "Cast of the input to blocks, beside its bytes: launch and synchronization.",
            non_negative, optional),
      field("cast_share", &GemmConstants::cast_share,
            "Share of streaming kernels' memory bandwidth that the cast to blocks reaches.",
            positive, optional),
      field("ragged_time", &GemmConstants::ragged_time,
            "Padding of rows that are no multiple of 4, in formats with blocks.", non_negative,
            optional),
      field("gradient_share", &GemmConstants::gradient_share,
            "Share of the rate in products of a backward pass, whose sums stacks take in more "
            "steps than the device's own (Transformer Engine's split accumulator).",
            fraction, optional),
      field("cache", &GemmConstants::cache,
            "Bytes of a product up to which the measuring loop found operands in the cache again; "
            "0: none. It corrects what was measured, a model's products read memory.",
            non_negative, optional),
      field("cache_speedup", &GemmConstants::cache_speedup,
            "Bandwidth of that cache over the memory's.", at_least(1.0), optional),
      field("factors", &GemmConstants::factors,
            "Factors on the time between launches at 9 counts of rows (1, 64, 256, 512, 1,024, "
            "2,048, 4,096, 8,192, 32,768), in each at 6 counts of columns (256, 1,024, 2,048, "
            "4,096, 8,192, 32,768), in each at the same counts of the inner dimension; none: 1.",
            between(0.25, 4.0), optional));
}

}  // namespace railwright::core
