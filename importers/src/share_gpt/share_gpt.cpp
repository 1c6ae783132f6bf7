// SPDX-License-Identifier: Apache-2.0
#include "share_gpt.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "../common/findings.hpp"
#include "../common/foreign_json.hpp"
#include "../common/looks_like.hpp"

namespace railwright::importers {

namespace {

using Json = nlohmann::json;

/// Mean and deviation of lengths.
struct Lengths {
  double sum = 0.0;
  double squares = 0.0;
  double count = 0.0;

  void add(double length) {
    sum += length;
    squares += length * length;
    count += 1.0;
  }
  [[nodiscard]] double mean() const { return sum / count; }
  [[nodiscard]] double spread() const {
    const double variance = squares / count - mean() * mean();
    return std::sqrt(std::max(0.0, variance)) / mean();
  }
};

/// Letters of a text, not its bytes.
double letters_of(const std::string& text) {
  double count = 0.0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xC0U) != 0x80U ? 1.0 : 0.0;
  return count;
}

/// Returns the text of a turn; nothing where it has none.
std::optional<std::string> turn_of(const Json& conversation, std::size_t place) {
  return json_text(conversation, fmt::format("conversations.{}.value", place));
}

void add_lengths(const char* name, const Lengths& lengths, Findings& findings) {
  findings.outside(
      fmt::format("inference.{}_tokens", name),
      fmt::format("texts have {:.0f} letters in the mean: how many tokens that is, the "
                  "model's tokenizer says",
                  lengths.mean()));
  findings.assume(fmt::format("inference.load.{}_spread", name),
                  std::min(10.0, std::round(lengths.spread() * 1e4) / 1e4),
                  "of letters, as that of tokens");
}

}  // namespace

bool is_share_gpt(std::string_view head) {
  return contains(head, "\"conversations\"") && contains(head, "\"from\"") &&
         contains(head, "\"value\"");
}

Imported import_share_gpt(std::string_view text, const std::string& file,
                          const core::Node& /*known*/) {
  Findings findings(file);
  const Json data = parse_large_json(text, file);
  Lengths prompts;
  Lengths answers;
  if (data.is_array()) {
    for (const Json& conversation : data) {
      const auto prompt = turn_of(conversation, 0);
      const auto answer = turn_of(conversation, 1);
      if (!prompt || !answer || prompt->empty() || answer->empty()) continue;
      prompts.add(letters_of(*prompt));
      answers.add(letters_of(*answer));
    }
  }
  if (prompts.count == 0.0) {
    findings.problem_in_file("no conversation of a prompt and an answer");
    findings.throw_if_any();
  }
  findings.know("inference.load.requests", std::llround(prompts.count),
                "conversations, of which the first two turns are taken as benchmarks do");
  add_lengths("prompt", prompts, findings);
  add_lengths("output", answers, findings);
  findings.unknown("inference.load.arrivals", "when requests come is not told");
  findings.unknown("inference.model", "conversations tell nothing of the model that answers");
  return findings.take();
}

}  // namespace railwright::importers
