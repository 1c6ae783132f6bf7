// SPDX-License-Identifier: Apache-2.0
// Number formats of matrix products.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

#include "railwright/core/config/fields.hpp"

namespace railwright::core {

enum class Precision : std::uint8_t { kFp32, kTf32, kFp16, kBf16, kFp8, kFp4, kInt4 };

template <>
struct EnumNames<Precision> {
  static constexpr std::array<std::pair<std::string_view, Precision>, 7> kNames{
      {{"fp32", Precision::kFp32},
       {"tf32", Precision::kTf32},
       {"fp16", Precision::kFp16},
       {"bf16", Precision::kBf16},
       {"fp8", Precision::kFp8},
       {"fp4", Precision::kFp4},
       {"int4", Precision::kInt4}}};
};

/// Bytes of an operand in memory without its scales; weights of int4 are multiplied in 16 bits.
/// tf32 is a way to multiply fp32 numbers.
constexpr double bytes_of(Precision precision) {
  switch (precision) {
    case Precision::kFp32:
    case Precision::kTf32:
      return 4.0;
    case Precision::kFp16:
    case Precision::kBf16:
      return 2.0;
    case Precision::kFp8:
      return 1.0;
    case Precision::kFp4:
    case Precision::kInt4:
      return 0.5;
  }
  return 0.0;
}

}  // namespace railwright::core
