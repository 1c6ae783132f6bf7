// SPDX-License-Identifier: Apache-2.0
// An H100 as its sources have it, whatever was measured since, whose kernels lose nothing but that:
// closed forms of tests are of these.
#pragma once

#include <string>

#include "../../support/scenario.hpp"

namespace railwright::test {

/// Products take their arithmetic at the device's efficiency or what they move, attention its
/// blocks of 128 queries and 128 keys. Waves count in full, and no tile's sum is shared.
inline Settings ideal_kernels() {
  const std::string gemm =
      "{efficiency: 1, rate_share: 1, load_share: 1e9, fill_time: 0 us, wave_share: 1, max_splits: "
      "1, epilogue_share: 0, draw_share: 1e9, memory_share: 1, sharpness: 32, factors: []}";
  const std::string attention =
      "{flash_2: null, flash_2_efficiency: null, training_efficiency: 1, training: "
      "{tensor_share_64: 1, tensor_share_128: 1, tensor_share_192: 1, tensor_share_256: 1, "
      "softmax_time: 0 us, lone_tile_factor: 1, "
      "tile_start: 0 us, imbalance: 0, exposed_memory: 0, l2_reach: 1e9 TB, l2_bandwidth: 1e9 "
      "TB/s, "
      "query_tile: 128, wide_query_tile: 128, key_tile: 128, backward_rate: 0.8}}";
  return {"cluster.node.accelerator.kernels={model: h100-sxm-kernels, gemm: {bf16: " + gemm +
          ", fp8: " + gemm + "}, attention: " + attention + "}"};
}

inline Settings published_h100(const Settings& more = {}) {
  const auto set = [](const std::string& key, const std::string& value) {
    return "cluster.node.accelerator." + key + "={value: " + value + ", source: test}";
  };
  const Settings efficiencies{
      set("gemm_efficiency", "0.803"),     set("fp8_gemm_efficiency", "0.709"),
      set("memory_efficiency", "0.9"),     "cluster.node.accelerator.elementwise_efficiency=null",
      set("attention_efficiency", "0.35"), set("native_attention_efficiency", "0.75"),
      set("kernel_overhead", "2 us")};
  return join(join(efficiencies, ideal_kernels()), more);
}

}  // namespace railwright::test
