// SPDX-License-Identifier: Apache-2.0
// Mixers of tokens, and the pattern of layers, that a Hugging Face config.json describes in ways of
// its own.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "railwright/core/config/tree.hpp"
#include "railwright/core/error.hpp"

namespace railwright::models {

/// Returns the keys, paths with dots, that put_mixers() reads for this `model_type`.
std::span<const std::string_view> mixer_keys(std::string_view model_type);

/// Adds to `entry`, which has the plain keys, what the layers of this `model_type` are made of.
void put_mixers(const core::Node& config, std::string_view model_type, core::Node& entry,
                std::vector<core::Diagnostic>& problems);

}  // namespace railwright::models
