// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "railwright/core/config/fields.hpp"

namespace railwright::core {

/// An accelerator's architecture, by which libraries tune their kernels and collectives.
enum class Generation : std::uint8_t {
  kVolta,
  kTuring,
  kAmpere,
  kAda,
  kHopper,
  kBlackwell,
  kRubin,
  kCdna2,
  kCdna3,
  kCdna4,
  kCdna5,
};

constexpr auto enum_words(Generation) {
  using enum Generation;
  return words<Generation>({{"volta", kVolta},
                            {"turing", kTuring},
                            {"ampere", kAmpere},
                            {"ada", kAda},
                            {"hopper", kHopper},
                            {"blackwell", kBlackwell},
                            {"rubin", kRubin},
                            {"cdna2", kCdna2},
                            {"cdna3", kCdna3},
                            {"cdna4", kCdna4},
                            {"cdna5", kCdna5}});
}

}  // namespace railwright::core
