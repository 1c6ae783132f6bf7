// SPDX-License-Identifier: Apache-2.0
// Scenarios of commands that answer a question without a file, and fill in what is left unsaid.
#pragma once

#include <string_view>
#include <vector>

#include "common.hpp"
#include "railwright/planner/unsaid/question.hpp"

namespace railwright::cli {

/// Returns the words of a question whose keys begin so as options: --model, --nodes and so on.
std::vector<OptionSpec> word_options(std::string_view keys = {});

/// Returns the words that a command line gives.
std::vector<planner::Said> words_of(const Options& options);

/// Returns file_options() with a file that may be left out, the words of a question and --save.
std::vector<OptionSpec> question_options(std::string_view keys = {});

/// Returns the scenario of the file, the words and --set, with what they leave unsaid chosen;
/// `streams` keeps what was. Writes --save. Throws ConfigError without a file and a model.
core::Node load_question(const Options& options, const core::Catalogue& catalogue,
                         planner::Asked asked, Streams& streams);

}  // namespace railwright::cli
