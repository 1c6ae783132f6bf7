// SPDX-License-Identifier: Apache-2.0
// Imports conversations as ShareGPT's data set has them. [@share_gpt]
#pragma once

#include <string>
#include <string_view>

#include "railwright/importers/import.hpp"

namespace railwright::importers {

bool is_share_gpt(std::string_view head);
Imported import_share_gpt(std::string_view text, const std::string& file, const core::Node& known);

inline constexpr Importer kShareGpt{
    .name = "share-gpt", .recognizes = is_share_gpt, .read = import_share_gpt};

}  // namespace railwright::importers
