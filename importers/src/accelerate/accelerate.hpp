// SPDX-License-Identifier: Apache-2.0
// Imports a configuration of Hugging Face accelerate. [@accelerate_config]
#pragma once

#include <string>
#include <string_view>

#include "railwright/importers/import.hpp"

namespace railwright::importers {

bool is_accelerate(std::string_view head);
Imported import_accelerate(std::string_view text, const std::string& file, const core::Node& known);

inline constexpr Importer kAccelerate{
    .name = "accelerate", .recognizes = is_accelerate, .read = import_accelerate};

}  // namespace railwright::importers
