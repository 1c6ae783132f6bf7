// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

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
  kCdna2,
  kCdna3,
  kCdna4,
};

template <>
struct EnumNames<Generation> {
  static constexpr std::array<std::pair<std::string_view, Generation>, 9> kNames{
      {{"volta", Generation::kVolta},
       {"turing", Generation::kTuring},
       {"ampere", Generation::kAmpere},
       {"ada", Generation::kAda},
       {"hopper", Generation::kHopper},
       {"blackwell", Generation::kBlackwell},
       {"cdna2", Generation::kCdna2},
       {"cdna3", Generation::kCdna3},
       {"cdna4", Generation::kCdna4}}};
};

}  // namespace railwright::core
