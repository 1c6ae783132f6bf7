// SPDX-License-Identifier: Apache-2.0
// A question in a few words, without a file: each word is a key of a scenario by another name.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/planner/unsaid/unsaid.hpp"

namespace railwright::planner {

/// A word of a question.
struct Word {
  std::string_view name;         ///< "tokens": an option --tokens, an argument `tokens`
  std::string_view value;        ///< placeholder in the help: "N"
  std::string_view key;          ///< of a training job; empty where a service alone has it
  std::string_view service_key;  ///< of a service; empty where a training job alone has it
  std::string_view help;
  std::string_view catalogue = {};  ///< the kind of entries that are its values: "nodes"
};

inline constexpr auto kWords = std::to_array<Word>({
    {"model", "NAME", "workload.model", "inference.model", "The model, by catalogue name",
     "workloads"},
    {"nodes", "N", "cluster.nodes", "cluster.nodes", "How many nodes"},
    {"gpus", "N", "cluster.nodes", "cluster.nodes", "Accelerators, in place of --nodes"},
    {"node", "NAME", "cluster.node", "cluster.node", "The node, by catalogue name", "nodes"},
    {"tokens", "N", "goals.tokens", "", "Tokens to train on: 1.5T"},
    {"deadline", "TIME|DAY", "goals.deadline", "",
     "Longest training time, 6w or 42 day, or the day by which it ends: 2027-06-01"},
    {"budget", "USD", "goals.budget", "", "Cost of ownership at most: 50M; needs --prices"},
    {"power", "WATTS", "goals.power", "", "Power of the building at most: 5MW"},
    {"prices", "FILE", "prices", "prices",
     "Your prices; `railwright prices template` writes a form"},
    {"users", "N", "", "inference.requests_per_s", "Users who each ask once a minute"},
    {"requests-per-s", "N", "", "inference.requests_per_s",
     "Requests a second, in place of --users"},
    {"ttft", "TIME", "", "inference.time_to_first_token", "Longest wait for a first token: 1s"},
    {"tpot", "TIME", "", "inference.time_per_output_token",
     "Longest time for each further token: 40ms"},
});

/// A word with its text, and where to name it in a message: "--tokens 1.5T".
struct Said {
  const Word* word;
  std::string text;
  std::string place;
};

/// Places to put a question, which decide how its words are written.
enum class Door : std::uint8_t {
  kCommand,  ///< --requests-per-s 20
  kPython,   ///< requests_per_s=20
};

/// Returns the word as it is written there: "--requests-per-s" or "requests_per_s".
std::string written(const Word& word, Door door);

/// Makes what is said of a word, with the place that messages name.
Said said(const Word& word, std::string text, Door door);

struct Question {
  std::optional<core::Node> scenario;  ///< of a file or a dict, with its settings
  std::vector<Said> words;
  std::vector<std::string> settings;  ///< over a question without a scenario
};

/// Returns the scenario of a question as far as it is said. Throws ConfigError with every problem;
/// without a scenario a question needs a model, and how many nodes where it is not what is asked.
core::Node stated(Question question, const core::Catalogue& catalogue, Asked asked, Door door);

/// Returns stated() with what it leaves unsaid chosen.
Filled answerable(Question question, const core::Catalogue& catalogue, Asked asked, Door door);

/// Lays the words over a scenario, which may be empty: of a service if it is one, or if a word is a
/// service's. Numbers may end in k, M, B or T, times in w. Throws ConfigError with every problem.
core::Node with_words(core::Node scenario, const std::vector<Said>& words,
                      const core::Catalogue& catalogue);

}  // namespace railwright::planner
