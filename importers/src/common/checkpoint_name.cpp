// SPDX-License-Identifier: Apache-2.0
#include "checkpoint_name.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace railwright::importers {

namespace {

using core::Precision;

/// Words that tell how a model was tuned or packed.
constexpr auto kTuning = std::to_array<std::string_view>(
    {"meta", "instruct", "chat", "hf", "it", "base", "dynamic", "thinking", "block"});

struct Format {
  std::string_view word;
  Precision weights;
};
constexpr auto kFormats = std::to_array<Format>({{"fp8", Precision::kFp8},
                                                 {"fp4", Precision::kFp4},
                                                 {"nvfp4", Precision::kFp4},
                                                 {"mxfp4", Precision::kFp4},
                                                 {"awq", Precision::kInt4},
                                                 {"gptq", Precision::kInt4},
                                                 {"int4", Precision::kInt4},
                                                 {"w4a16", Precision::kInt4},
                                                 {"bf16", Precision::kBf16}});

/// "2507", "0528" and "v0.3" are releases.
bool is_release(std::string_view word) {
  const bool is_date = word.size() == 4 && std::ranges::all_of(word, [](unsigned char c) {
                         return std::isdigit(c) != 0;
                       });
  return is_date || word.starts_with("v0.");
}

}  // namespace

CheckpointName checkpoint_name(std::string_view published) {
  while (published.ends_with('/')) published.remove_suffix(1);
  std::string last(published.substr(published.rfind('/') + 1));
  std::ranges::transform(last, last.begin(), [](unsigned char c) {
    return static_cast<char>(c == '_' ? '-' : std::tolower(c));
  });
  CheckpointName name;
  for (std::string_view rest = last; !rest.empty();) {
    const std::size_t end = std::min(rest.find('-'), rest.size());
    const std::string_view word = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const auto format = std::ranges::find(kFormats, word, &Format::word);
    if (format != kFormats.end()) {
      name.weights = format->weights;
    } else if (!word.empty() && std::ranges::count(kTuning, word) == 0 && !is_release(word)) {
      name.model += (name.model.empty() ? "" : "-") + std::string(word);
    }
  }
  return name;
}

}  // namespace railwright::importers
