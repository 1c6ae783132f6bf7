// SPDX-License-Identifier: Apache-2.0
#include "pipeline_layout.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "railwright/core/config/text_file.hpp"

namespace railwright::importers {

namespace {

/// Characters of a layout without repeats: more than any pipeline has.
constexpr std::size_t kMaxLength = 100'000;

/// Reads "*n" at `at` and steps behind it: 1 without one, 0 where the number is missing or absurd.
std::size_t repeats(std::string_view text, std::size_t& at) {
  if (at >= text.size() || text[at] != '*') return 1;
  const std::size_t end = std::min(text.find_first_not_of("0123456789", at + 1), text.size());
  const std::string digits(text.substr(at + 1, end - at - 1));
  at = end;
  return digits.empty() || digits.size() > 5 ? 0 : std::stoul(digits);
}

/// Writes out `(...)*n` and `x*n`; nothing where the text is not well formed or too long.
std::optional<std::string> written_out(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == ',') {
      ++at;
      continue;
    }
    std::string unit(1, text[at]);
    std::size_t behind = at + 1;
    if (text[at] == '(') {
      const std::size_t close = text.find(')', at);
      if (close == std::string_view::npos) return std::nullopt;
      const std::string_view inner = text.substr(at + 1, close - at - 1);
      const auto written =
          inner.find('(') == std::string_view::npos ? written_out(inner) : std::nullopt;
      if (!written) return std::nullopt;
      unit = *written;
      behind = close + 1;
    }
    const std::size_t count = repeats(text, behind);
    if (count == 0 || out.size() + count * unit.size() > kMaxLength) return std::nullopt;
    for (std::size_t i = 0; i < count; ++i) out += unit;
    at = behind;
  }
  return out;
}

}  // namespace

std::optional<PipelineLayout> read_pipeline_layout(std::string_view text, std::string& reason) {
  const auto letters = written_out(text);
  if (!letters || letters->find_first_not_of("EtmL|") != std::string::npos) {
    reason = "not of the form Ettt|(tt|)*29,tL";
    return std::nullopt;
  }
  PipelineLayout layout;
  const auto chunks = core::cells_of(*letters, '|');
  for (std::size_t number = 0; number < chunks.size(); ++number) {
    const std::string_view chunk = chunks[number];
    std::int64_t places = std::ranges::count(chunk, 't');
    const bool is_last = number + 1 == chunks.size();
    if (places == 0 && chunk == "E") {
      layout.embedding_as_layer = true;
      places = 1;
    } else if (places == 0 && is_last && chunk.ends_with('L')) {
      layout.loss_as_layer = true;
      places = 1;
    }
    if (places == 0 && !chunk.empty()) {
      reason = fmt::format("chunk {} has no layer, embedding or loss", number + 1);
      return std::nullopt;
    }
    layout.layers_per_chunk.push_back(places);
  }
  return layout;
}

std::optional<PipelineLayout> uneven_ends(std::int64_t layers, std::int64_t pp,
                                          std::int64_t virtual_stages,
                                          std::optional<std::int64_t> first,
                                          std::optional<std::int64_t> last) {
  const std::int64_t alike = pp - (first ? 1 : 0) - (last ? 1 : 0);
  const std::int64_t left = layers - first.value_or(0) - last.value_or(0);
  if (alike < 0 || left < 0 || (alike == 0 ? left != 0 : left % alike != 0)) return std::nullopt;
  const std::int64_t middle = alike == 0 ? 0 : left / alike;
  PipelineLayout layout;
  for (std::int64_t chunk = 0; chunk < virtual_stages; ++chunk) {
    for (std::int64_t stage = 0; stage < pp; ++stage) {
      std::int64_t of_stage = middle;
      if (stage == 0 && first) of_stage = *first;
      if (stage == pp - 1 && last) of_stage = *last;
      if (of_stage == 0 || of_stage % virtual_stages != 0) return std::nullopt;
      layout.layers_per_chunk.push_back(of_stage / virtual_stages);
    }
  }
  return layout;
}

}  // namespace railwright::importers
