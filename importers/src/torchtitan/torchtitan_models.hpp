// SPDX-License-Identifier: Apache-2.0
// Flavors of torchtitan's models whose shape is that of a model of the catalogue.
#pragma once

#include <array>
#include <string_view>

namespace railwright::importers {

struct TorchtitanFlavor {
  std::string_view name;
  std::string_view flavor;  ///< in lower case
  std::string_view model;   ///< of the catalogue
  int num_layers;
};

/// Lists what torchtitan/models/*/__init__.py has. [@torchtitan_config]
inline constexpr auto kTorchtitanFlavors = std::to_array<TorchtitanFlavor>({
    {"llama3", "8b", "llama-3.1-8b", 32},
    {"llama3", "70b", "llama-3.1-70b", 80},
    {"llama3", "405b", "llama-3.1-405b", 126},
    {"llama2", "7b", "llama-2-7b", 32},
    {"llama2", "13b", "llama-2-13b", 40},
    {"llama2", "70b", "llama-2-70b", 80},
    {"llama4", "17bx16e", "llama-4-scout", 48},
    {"llama4", "17bx128e", "llama-4-maverick", 48},
    {"deepseek_v3", "16b", "deepseek-v2-lite", 27},
    {"deepseek_v3", "236b", "deepseek-v2", 60},
    {"deepseek_v3", "671b", "deepseek-v3", 61},
    {"qwen3", "0.6b", "qwen3-0.6b", 28},
    {"qwen3", "1.7b", "qwen3-1.7b", 28},
    {"qwen3", "4b", "qwen3-4b", 36},
    {"qwen3", "8b", "qwen3-8b", 36},
    {"qwen3", "14b", "qwen3-14b", 40},
    {"qwen3", "32b", "qwen3-32b", 64},
    {"qwen3", "30b-a3b", "qwen3-30b-a3b", 48},
    {"qwen3", "235b-a22b", "qwen3-235b-a22b", 94},
    {"gpt_oss", "20b", "gpt-oss-20b", 24},
    {"gpt_oss", "120b", "gpt-oss-120b", 36},
});

}  // namespace railwright::importers
