// SPDX-License-Identifier: Apache-2.0
// Imports config.json of a transformer.
#pragma once

#include <string>
#include <string_view>

#include "railwright/importers/import.hpp"

namespace railwright::importers {

bool is_hugging_face(std::string_view head);
/// `known` may hold a service, whose model it then is.
Imported import_hugging_face(std::string_view text, const std::string& file,
                             const core::Node& known);

inline constexpr Importer kHuggingFace{.name = "hugging-face",
                                       .recognizes = is_hugging_face,
                                       .read = import_hugging_face,
                                       .marks = Marks::kLikely};

}  // namespace railwright::importers
