// SPDX-License-Identifier: Apache-2.0
// Keys of a Hugging Face config.json.
#pragma once

#include <string_view>
#include <vector>

namespace railwright::models {

/// Returns the keys of a config.json, paths with dots, that a model of this `model_type` is read
/// from.
std::vector<std::string_view> hugging_face_keys(std::string_view model_type);

}  // namespace railwright::models
