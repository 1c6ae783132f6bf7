// SPDX-License-Identifier: Apache-2.0
// Imports reinforcement learning: scripts of verl and OpenRLHF, and YAML of NeMo RL. [@verl_config]
// [@openrlhf_arguments] [@nemo_rl_config]
#pragma once

#include <string>
#include <string_view>

#include "../common/shell_words.hpp"
#include "railwright/importers/import.hpp"

namespace railwright::importers {

bool is_post_training(std::string_view head);
/// `known` may hold the model's config.json, and of NeMo RL the file that `defaults` names.
Imported import_post_training(std::string_view text, const std::string& file,
                              const core::Node& known);

inline constexpr Importer kPostTraining{.name = "post-training",
                                        .recognizes = is_post_training,
                                        .read = import_post_training,
                                        .choose = with_variables};

}  // namespace railwright::importers
