// SPDX-License-Identifier: Apache-2.0
#include "quantization.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "../common/findings.hpp"
#include "../common/foreign_json.hpp"
#include "../common/looks_like.hpp"
#include "railwright/core/hardware/precision.hpp"

namespace railwright::importers {

namespace {

using Json = nlohmann::json;

/// An algorithm of the file, and the format of what it leaves.
struct Algorithm {
  std::string_view word;
  core::Precision format;
};
constexpr auto kAlgorithms = std::to_array<Algorithm>({{"FP8", core::Precision::kFp8},
                                                       {"FP8_PB_WO", core::Precision::kFp8},
                                                       {"NVFP4", core::Precision::kFp4},
                                                       {"W4A16_AWQ", core::Precision::kInt4},
                                                       {"INT4_AWQ", core::Precision::kInt4}});

std::optional<core::Precision> format_of(std::string_view word) {
  const auto* const found = std::ranges::find(kAlgorithms, word, &Algorithm::word);
  if (found == kAlgorithms.end()) return std::nullopt;
  return found->format;
}

/// Modules of a layer that keep their 16 bits.
enum class Kept { kNothing, kParts, kAttention };

Kept kept_of_layers(const Json& quantization) {
  const Json* modules = json_at(quantization, "exclude_modules");
  if (modules == nullptr || !modules->is_array()) return Kept::kNothing;
  Kept kept = Kept::kNothing;
  for (const Json& module : *modules) {
    if (!module.is_string()) continue;
    const auto& name = module.get_ref<const std::string&>();
    // Linear attention is in some layers only.
    const bool is_whole = name.ends_with("attn*") || name.ends_with("attn.*");
    if (is_whole && !contains(name, "linear_attn")) return Kept::kAttention;
    if (contains(name, "attn") || contains(name, "mixer")) kept = Kept::kParts;
  }
  return kept;
}

/// Returns the one algorithm of the experts; nothing where there are none or several.
std::optional<std::string> algorithm_of_experts(const Json& quantization) {
  const Json* layers = json_at(quantization, "quantized_layers");
  if (layers == nullptr || !layers->is_object()) return std::nullopt;
  std::set<std::string> words;
  for (const auto& [name, how] : layers->items()) {
    if (contains(name, "experts") && !contains(name, "shared_expert")) {
      words.insert(json_text(how, "quant_algo").value_or(""));
    }
  }
  if (words.size() != 1) return std::nullopt;
  return *words.begin();
}

void add_weights(const Json& quantization, const std::string& word, Findings& findings) {
  const bool is_mixed = word == "MIXED_PRECISION";
  const std::string of_weights = is_mixed ? algorithm_of_experts(quantization).value_or("") : word;
  const auto format = format_of(of_weights);
  if (!format) {
    findings.outside("inference.weights",
                     is_mixed ? "layers differ in their formats"
                              : fmt::format("'{}' is none that railwright has", shown(word)));
    return;
  }
  findings.know("inference.weights", *format,
                is_mixed ? "quant_algo of the experts" : "quant_algo");
  if (of_weights == "FP8_PB_WO") {
    findings.know("inference.block_scales", true, "FP8_PB_WO: a scale for each block");
  }
  const Kept kept = kept_of_layers(quantization);
  if (kept == Kept::kAttention && !is_mixed) {
    findings.assume("inference.dense_weights", core::Precision::kBf16,
                    "exclude_modules: attention keeps its 16 bits");
  } else if (is_mixed || kept == Kept::kParts) {
    findings.unknown("inference.dense_weights",
                     "a part of the layers' matrices has another format");
  } else {
    findings.know("inference.dense_weights", *format, "no matrix of attention is excluded");
  }
}

void add_cache(const Json& quantization, Findings& findings) {
  const auto word = json_text(quantization, "kv_cache_quant_algo");
  const auto format = word ? format_of(*word) : std::nullopt;
  if (format) {
    findings.know("inference.kv_cache", *format, "kv_cache_quant_algo");
  } else {
    findings.unknown("inference.kv_cache",
                     word ? fmt::format("'{}' is none that railwright has", shown(*word))
                          : std::string("the engine's own choice"));
  }
}

}  // namespace

bool is_quantization(std::string_view head) {
  return is_json_object(head) && contains(head, "\"quantization\"") &&
         contains(head, "\"quant_algo\"") && !contains(head, "\"model_type\"");
}

Imported import_quantization(std::string_view text, const std::string& file,
                             const core::Node& /*known*/) {
  Findings findings(file);
  const Json document = parse_large_json(text, file);
  const Json* quantization = json_at(document, "quantization");
  const auto word = quantization == nullptr ? std::nullopt : json_text(*quantization, "quant_algo");
  if (quantization == nullptr || !word) {
    findings.problem_in_file("no quantization.quant_algo", "hf_quant_config.json has it");
    return findings.take();
  }
  add_weights(*quantization, *word, findings);
  add_cache(*quantization, findings);
  findings.unknown("inference.model", "its config.json tells it");
  return findings.take();
}

}  // namespace railwright::importers
