// SPDX-License-Identifier: Apache-2.0
// Imports a command that starts vLLM, SGLang or TensorRT-LLM. [@vllm_arguments]
#pragma once

#include <string>
#include <string_view>

#include "../common/shell_words.hpp"
#include "railwright/importers/import.hpp"

namespace railwright::importers {

bool is_serving_launch(std::string_view head);
Imported import_serving_launch(std::string_view text, const std::string& file,
                               const core::Node& known);

inline constexpr Importer kServingLaunch{.name = "serving-launch",
                                         .recognizes = is_serving_launch,
                                         .read = import_serving_launch,
                                         .marks = Marks::kLikely,
                                         .turn = ReadingTurn::kFirst,
                                         .choose = with_variables};

}  // namespace railwright::importers
