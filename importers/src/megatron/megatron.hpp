// SPDX-License-Identifier: Apache-2.0
// Imports arguments of Megatron-LM, or a script with them. [@megatron_arguments]
#pragma once

#include <string>
#include <string_view>

#include "../common/shell_words.hpp"
#include "railwright/importers/import.hpp"

namespace railwright::importers {

bool is_megatron(std::string_view head);
Imported import_megatron(std::string_view text, const std::string& file, const core::Node& known);

inline constexpr Importer kMegatron{.name = "megatron",
                                    .recognizes = is_megatron,
                                    .read = import_megatron,
                                    .marks = Marks::kCommon,
                                    .choose = with_variables};

}  // namespace railwright::importers
