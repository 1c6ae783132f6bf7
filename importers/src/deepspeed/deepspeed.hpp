// SPDX-License-Identifier: Apache-2.0
// Imports a JSON configuration of DeepSpeed. [@deepspeed_config]
#pragma once

#include <string>
#include <string_view>

#include "railwright/importers/import.hpp"

namespace railwright::importers {

bool is_deepspeed(std::string_view head);
/// `known` may hold the model's width, from which "auto" buckets follow.
Imported import_deepspeed(std::string_view text, const std::string& file, const core::Node& known);

inline constexpr Importer kDeepSpeed{.name = "deepspeed",
                                     .recognizes = is_deepspeed,
                                     .read = import_deepspeed,
                                     .marks = Marks::kLikely,
                                     .turn = ReadingTurn::kLast};

}  // namespace railwright::importers
