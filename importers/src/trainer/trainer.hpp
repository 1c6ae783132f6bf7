// SPDX-License-Identifier: Apache-2.0
// Imports the arguments of the Hugging Face trainer and of what is built on it: TRL, LLaMA-Factory,
// ms-swift and axolotl. [@trainer_arguments]
#pragma once

#include <string>
#include <string_view>

#include "../common/shell_words.hpp"
#include "railwright/importers/import.hpp"

namespace railwright::importers {

bool is_trainer(std::string_view head);
/// `known` may hold the model's config.json and a configuration of accelerate.
Imported import_trainer(std::string_view text, const std::string& file, const core::Node& known);

inline constexpr Importer kTrainer{.name = "trainer",
                                   .recognizes = is_trainer,
                                   .read = import_trainer,
                                   .marks = Marks::kLikely,
                                   .turn = ReadingTurn::kLast,
                                   .choose = with_variables};

}  // namespace railwright::importers
