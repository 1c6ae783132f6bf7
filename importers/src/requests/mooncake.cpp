// SPDX-License-Identifier: Apache-2.0
#include "mooncake.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_set>

#include "../common/foreign_json.hpp"
#include "../common/looks_like.hpp"
#include "railwright/core/config/text_file.hpp"

namespace railwright::importers {

namespace {

using Json = nlohmann::json;

constexpr double kMostTokens = 1e8;

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
    if (num_blocks_ > 0) {
      findings_.unknown(
          "inference.prefix_hit_rate",
          fmt::format("{:.3f} with an endless cache: {} of {} blocks of prompts came before",
                      static_cast<double>(num_seen_) / static_cast<double>(num_blocks_), num_seen_,
                      num_blocks_));
    }
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
    count_blocks(request);
    if (*prompt > 0.0 && *output > 0.0) {
      return RequestOfTrace{*time * 1e-3, static_cast<std::int64_t>(*prompt),
                            static_cast<std::int64_t>(*output)};
    }
    ++num_without_;
    return std::nullopt;
  }

  /// A block's number stands for it and all before it.
  void count_blocks(const Json& request) {
    const Json* blocks = json_at(request, "hash_ids");
    if (blocks == nullptr || !blocks->is_array()) return;
    for (const Json& block : *blocks) {
      if (!block.is_number_integer()) continue;
      ++num_blocks_;
      if (!seen_.insert(block.get<std::int64_t>()).second) ++num_seen_;
    }
  }

  Findings& findings_;
  std::unordered_set<std::int64_t> seen_;
  std::int64_t num_blocks_ = 0;
  std::int64_t num_seen_ = 0;
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
