// SPDX-License-Identifier: Apache-2.0
#include "mooncake.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../common/foreign_json.hpp"
#include "../common/looks_like.hpp"
#include "prefix_reuse.hpp"
#include "railwright/core/config/text_file.hpp"

namespace railwright::importers {

namespace {

using Json = nlohmann::json;

constexpr double kMostTokens = 1e8;
/// Tokens of a block in Mooncake's traces. [@mooncake_trace]
constexpr std::int64_t kBlockTokens = 512;
/// Sizes that stand for all, each with as much of what comes again.
constexpr int kReusePoints = 12;

/// A prompt with the numbers of its blocks.
struct BlocksOfPrompt {
  double time = 0.0;
  std::int64_t tokens = 0;
  std::vector<std::int64_t> blocks;
};

/// Returns the tokens of a block: as Mooncake's have them, or the fewest that all prompts allow.
std::int64_t block_tokens(const std::vector<BlocksOfPrompt>& prompts) {
  std::int64_t fewest = 1;
  bool is_usual = true;
  for (const BlocksOfPrompt& one : prompts) {
    const auto count = static_cast<std::int64_t>(one.blocks.size());
    fewest = std::max(fewest, (one.tokens + count - 1) / count);
    is_usual =
        is_usual && one.tokens <= count * kBlockTokens && one.tokens > (count - 1) * kBlockTokens;
  }
  return is_usual ? kBlockTokens : fewest;
}

/// Reads a trace line by line.
class MooncakeTrace {
 public:
  explicit MooncakeTrace(Findings& findings) : findings_(findings) {}

  std::vector<RequestOfTrace> read(std::string_view text) {
    std::vector<RequestOfTrace> requests;
    int number = 0;
    for (const std::string_view line : core::lines_of(text)) {
      ++number;
      if (line.find_first_not_of(" \t") == std::string_view::npos) continue;
      if (const auto request = request_of(line, number)) requests.push_back(*request);
      if (findings_.is_full()) break;
    }
    if (num_without_ > 0) {
      findings_.not_expressed(fmt::format("{} requests without an answer", num_without_));
    }
    add_reuse();
    return requests;
  }

 private:
  std::optional<double> value_of(const Json& request, const char* key, double most, bool is_whole,
                                 int line) {
    const Json* node = json_at(request, key);
    if (node != nullptr && node->is_number()) {
      const auto value = node->get<double>();
      if (value >= 0.0 && value <= most && (!is_whole || value == std::floor(value))) return value;
    }
    findings_.problem_at_line(line, fmt::format("{}: no number from 0 to {:.0f}", key, most));
    return std::nullopt;
  }

  std::optional<RequestOfTrace> request_of(std::string_view line, int number) {
    Json request;
    try {
      request = parse_large_json(line, findings_.file(), number);
    } catch (const core::ConfigError& error) {
      for (const core::Diagnostic& one : error.diagnostics()) {
        findings_.problem_at_line(number, one.message);
      }
      return std::nullopt;
    }
    const auto time = value_of(request, "timestamp", 1e15, false, number);
    const auto prompt = value_of(request, "input_length", kMostTokens, true, number);
    const auto output = value_of(request, "output_length", kMostTokens, true, number);
    if (!time || !prompt || !output) return std::nullopt;
    add_blocks(request, *time, *prompt);
    if (*prompt > 0.0 && *output > 0.0) {
      return RequestOfTrace{*time * 1e-3, static_cast<std::int64_t>(*prompt),
                            static_cast<std::int64_t>(*output)};
    }
    ++num_without_;
    return std::nullopt;
  }

  /// A block's number stands for it and all before it.
  void add_blocks(const Json& request, double time, double prompt) {
    const Json* blocks = json_at(request, "hash_ids");
    if (blocks == nullptr || !blocks->is_array() || blocks->empty()) return;
    BlocksOfPrompt one{.time = time, .tokens = static_cast<std::int64_t>(prompt)};
    for (const Json& block : *blocks) {
      if (!block.is_number_integer()) return;
      one.blocks.push_back(block.get<std::int64_t>());
    }
    prompts_.push_back(std::move(one));
  }

  /// Adds what prompts find of earlier ones by the size of a cache.
  void add_reuse() {
    if (prompts_.empty()) return;
    std::ranges::stable_sort(prompts_, {}, &BlocksOfPrompt::time);
    PrefixReuse reuse(block_tokens(prompts_));
    for (const BlocksOfPrompt& one : prompts_) reuse.add(one.blocks, one.tokens);
    const ReuseCurve curve = reuse.curve(kReusePoints);
    if (curve.sizes.empty()) return;
    const std::string origin = fmt::format("blocks of {} prompts", prompts_.size());
    findings_.know("inference.prefix_cache.sizes", curve.sizes, origin);
    findings_.know("inference.prefix_cache.hit_rates", curve.hit_rates, origin);
    const double duration = (prompts_.back().time - prompts_.front().time) * 1e-3;
    if (duration > 0.0) {
      const double rate = static_cast<double>(prompts_.size() - 1) / duration;
      findings_.know("inference.prefix_cache.requests_per_s", std::round(rate * 1e4) / 1e4, origin);
    }
  }

  Findings& findings_;
  std::vector<BlocksOfPrompt> prompts_;
  std::int64_t num_without_ = 0;
};

}  // namespace

bool is_mooncake(std::string_view text) {
  const std::string_view line = text.substr(0, text.find_first_of("\r\n"));
  return line.starts_with('{') && contains(line, "\"input_length\"") &&
         contains(line, "\"output_length\"") && contains(line, "\"timestamp\"");
}

std::vector<RequestOfTrace> read_mooncake(std::string_view text, Findings& findings) {
  return MooncakeTrace(findings).read(text);
}

}  // namespace railwright::importers
