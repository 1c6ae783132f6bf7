// SPDX-License-Identifier: Apache-2.0
// An H100 as its sources have it, whatever was fitted since: closed forms of tests are of these.
#pragma once

#include <string>

#include "../../support/scenario.hpp"

namespace railwright::test {

inline Settings published_h100(const Settings& more = {}) {
  const auto set = [](const std::string& key, const std::string& value) {
    return "cluster.node.accelerator." + key + "={value: " + value + ", source: test}";
  };
  return join({set("gemm_efficiency", "0.803"), set("fp8_gemm_efficiency", "0.709"),
               set("memory_efficiency", "0.9"), set("attention_efficiency", "0.35"),
               set("native_attention_efficiency", "0.75"), set("kernel_overhead", "2 us")},
              more);
}

}  // namespace railwright::test
