// SPDX-License-Identifier: Apache-2.0
// Imports the number formats of a checkpoint from the hf_quant_config.json beside it, as NVIDIA's
// Model Optimizer writes it. [@modelopt]
#pragma once

#include <string>
#include <string_view>

#include "railwright/importers/import.hpp"

namespace railwright::importers {

bool is_quantization(std::string_view head);
Imported import_quantization(std::string_view text, const std::string& file,
                             const core::Node& known);

inline constexpr Importer kQuantization{
    .name = "quantization", .recognizes = is_quantization, .read = import_quantization};

}  // namespace railwright::importers
