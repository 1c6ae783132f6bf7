// SPDX-License-Identifier: Apache-2.0
// Constants of one device's kernels: a file of the catalogue that accelerators link to.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "railwright/core/config/fields.hpp"
#include "railwright/core/hardware/gemm_constants.hpp"

namespace railwright::core {

/// Matrix products, by format.
struct GemmByFormat {
  GemmConstants bf16;
  std::optional<GemmConstants> fp8;
  std::optional<GemmConstants> fp8_block;
  std::optional<GemmConstants> nvfp4;

  /// Constants of a format; those of the nearest wider one where it was not measured.
  [[nodiscard]] const GemmConstants& of(ProductFormat format) const {
    switch (format) {
      case ProductFormat::kFp4:
        if (nvfp4) return *nvfp4;
        [[fallthrough]];
      case ProductFormat::kFp8Block:
        if (fp8_block) return *fp8_block;
        [[fallthrough]];
      case ProductFormat::kFp8:
        if (fp8) return *fp8;
        [[fallthrough]];
      case ProductFormat::kWide:
        break;
    }
    return bf16;
  }

  static constexpr auto fields() {
    return std::tuple{field("bf16", &GemmByFormat::bf16, "bf16, fp16 and wider."),
                      field("fp8", &GemmByFormat::fp8, "fp8 with one scale a tensor."),
                      field("fp8_block", &GemmByFormat::fp8_block,
                            "fp8 with a scale a block, MXFP8 on Blackwell."),
                      field("nvfp4", &GemmByFormat::nvfp4, "nvfp4.")};
  }
};

/// Measured on one device, used for it and, marked as an estimate, for others of its generation.
struct KernelConstants {
  static constexpr std::string_view kKind = "kernels";

  std::string name;
  std::string description;
  std::string source;
  GemmByFormat gemm;

  static constexpr auto fields() {
    return std::tuple{
        field("name", &KernelConstants::name, "Name in the catalogue."),
        field("description", &KernelConstants::description, "The measured device in words."),
        field("source", &KernelConstants::source, "Where the measured times stand."),
        field("gemm", &KernelConstants::gemm, "Matrix products.")};
  }
};

}  // namespace railwright::core
