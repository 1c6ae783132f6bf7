// SPDX-License-Identifier: Apache-2.0
// Imports the arguments of the Hugging Face trainer and of what is built on it: TRL, LLaMA-Factory,
// ms-swift and axolotl. [@trainer_arguments]
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "../common/shell_words.hpp"
#include "railwright/importers/import.hpp"

namespace railwright::importers {

bool is_trainer(std::string_view head);
/// `known` may hold the model's config.json and a configuration of accelerate.
Imported import_trainer(std::string_view text, const std::string& file, const core::Node& known);

/// Returns a script or YAML with chosen variables filled in; nothing where neither names them.
std::optional<std::string> chosen_trainer(std::string_view text, const std::string& file,
                                          const ImportChoices& choices);

inline constexpr Importer kTrainer{.name = "trainer",
                                   .recognizes = is_trainer,
                                   .read = import_trainer,
                                   .marks = Marks::kLikely,
                                   .turn = ReadingTurn::kLast,
                                   .choose = chosen_trainer};

}  // namespace railwright::importers
