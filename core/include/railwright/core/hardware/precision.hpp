// SPDX-License-Identifier: Apache-2.0
// Number formats of matrix products.
#pragma once

#include <cstdint>

#include "railwright/core/config/fields.hpp"

namespace railwright::core {

enum class Precision : std::uint8_t { kFp32, kTf32, kFp16, kBf16, kFp8, kFp4, kInt4 };

constexpr auto enum_words(Precision) {
  using enum Precision;
  return words<Precision>({{"fp32", kFp32},
                           {"tf32", kTf32},
                           {"fp16", kFp16},
                           {"bf16", kBf16},
                           {"fp8", kFp8},
                           {"fp4", kFp4},
                           {"int4", kInt4}});
}

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
