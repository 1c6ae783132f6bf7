// SPDX-License-Identifier: Apache-2.0
// Imports a command that starts vLLM, SGLang or TensorRT-LLM. [@vllm_arguments]
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "../common/shell_words.hpp"
#include "railwright/importers/import.hpp"

namespace railwright::importers {

bool is_serving_launch(std::string_view head);
/// Puts chosen variables into a script, or into a manifest or its template where it names them.
/// Returns nothing where it names none.
std::optional<std::string> chosen_launch(std::string_view text, const std::string& file,
                                         const ImportChoices& choices);
Imported import_serving_launch(std::string_view text, const std::string& file,
                               const core::Node& known);

inline constexpr Importer kServingLaunch{.name = "serving-launch",
                                         .recognizes = is_serving_launch,
                                         .read = import_serving_launch,
                                         .marks = Marks::kLikely,
                                         .turn = ReadingTurn::kFirst,
                                         .choose = chosen_launch};

}  // namespace railwright::importers
