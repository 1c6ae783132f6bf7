// SPDX-License-Identifier: Apache-2.0
// What is said of a device was found for that device, or it is marked as an estimate: no entry laid
// over another one passes on what was found for another product.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entries.hpp"

namespace railwright::models {
namespace {

constexpr auto kGenerations = std::to_array<std::pair<std::string_view, std::string_view>>(
    {{"V100", "volta"},      {"A100", "ampere"},      {"A800", "ampere"},
     {"H100", "hopper"},     {"H200", "hopper"},      {"H800", "hopper"},
     {"H20", "hopper"},      {"GH200", "hopper"},     {"B200", "blackwell"},
     {"GB200", "blackwell"}, {"B300", "blackwell 3"}, {"GB300", "blackwell 3"},
     {"L4", "ada"},          {"L40", "ada"},          {"L40S", "ada"},
     {"MI250X", "cdna 2"},   {"MI300X", "cdna 3"},    {"MI325X", "cdna 3"},
     {"MI350X", "cdna 4"},   {"MI355X", "cdna 4"}});

std::string_view generation_of(std::string_view product) {
  const auto* const found =
      std::ranges::find(kGenerations, product, &decltype(kGenerations)::value_type::first);
  return found == kGenerations.end() ? std::string_view() : found->second;
}

/// Splits at everything but letters and digits.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      words.back() += c;
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  return words;
}

std::string first_word_in_capitals(std::string_view name) {
  std::string word = words_of(name).front();
  std::ranges::transform(word, word.begin(), [](unsigned char c) { return std::toupper(c); });
  return word;
}

/// Returns the name without what makes no other product: an accelerator's memory, the accelerators
/// of a server, the part of a rack that a job takes.
std::string product_of(std::string_view kind, const std::string& name) {
  const std::size_t dash = name.rfind('-');
  if (kind == "accelerators") return name.ends_with("gb") ? name.substr(0, dash) : name;
  if (name.ends_with("-64")) return name.substr(0, dash);
  constexpr auto kNotServers =
      std::to_array<std::string_view>({"dgx", "hgx", "aws", "gb200", "gb300"});
  const std::string server = name.substr(0, name.find('-'));
  return std::ranges::find(kNotServers, server) == kNotServers.end() ? server : name;
}

struct Value {
  const core::Node* node = nullptr;
  bool is_own = true;
};

class Entries {
 public:
  explicit Entries(std::string_view kind) : kind_(kind) {
    for (const std::string& name : catalogue_.names(kind)) {
      entries_.emplace(name, catalogue_.load(kind, name));
    }
  }

  [[nodiscard]] const std::map<std::string, core::Node>& all() const { return entries_; }
  [[nodiscard]] std::string base_of(const std::string& name) const {
    const core::Node* base = entries_.at(name).find("model");
    return base == nullptr ? std::string() : base->text;
  }
  /// Whether the entry is laid over that of another product.
  [[nodiscard]] bool is_over_another(const std::string& name) const {
    const std::string base = base_of(name);
    return !base.empty() && !product_of(kind_, name).starts_with(product_of(kind_, base));
  }
  /// Returns the values that are said to be known, own ones and inherited ones.
  [[nodiscard]] std::map<std::string, Value> known_values(const std::string& name) const {
    std::map<std::string, Value> values;
    for (std::string at = name; !at.empty(); at = base_of(at)) {
      for (const core::Entry& entry : entries_.at(at).entries) {
        values.emplace(entry.key, Value{.node = &entry.value, .is_own = at == name});
      }
    }
    std::erase_if(values, [](const auto& one) {
      const core::Node* estimate = one.second.node->find("estimate");
      return one.second.node->find("source") == nullptr ||
             (estimate != nullptr && estimate->text == "true");
    });
    return values;
  }
  /// Returns the accelerator's name, as written by the entry or by one further below.
  [[nodiscard]] std::string accelerator_of(const std::string& name) const {
    if (kind_ == "accelerators") return name;
    for (std::string at = name; !at.empty(); at = base_of(at)) {
      const core::Node* accelerator = entries_.at(at).find("accelerator");
      if (accelerator != nullptr) return accelerator->text.empty() ? "?" : accelerator->text;
    }
    return "?";
  }

 private:
  std::string kind_;
  core::Catalogue catalogue_ = test::catalogue();
  std::map<std::string, core::Node> entries_;
};

class OwnSources : public testing::TestWithParam<std::string_view> {};

TEST_P(OwnSources, NothingKnownIsOfAnotherProduct) {
  const Entries entries(GetParam());
  for (const auto& [name, node] : entries.all()) {
    if (!entries.is_over_another(name)) continue;
    for (const auto& [key, value] : entries.known_values(name)) {
      EXPECT_TRUE(value.is_own) << name << " says to know " << key << " by what is known of "
                                << entries.base_of(name) << ": say it of itself, or as an estimate";
    }
  }
}

TEST_P(OwnSources, NoneNamesAnotherGeneration) {
  const Entries entries(GetParam());
  for (const auto& [name, node] : entries.all()) {
    const std::string_view own =
        generation_of(first_word_in_capitals(entries.accelerator_of(name)));
    for (const auto& [key, value] : entries.known_values(name)) {
      const std::string& source = value.node->find("source")->text;
      for (const std::string& word : words_of(source)) {
        const std::string_view named = generation_of(word);
        EXPECT_TRUE(named.empty() || named == own)
            << name << " says to know " << key << " by " << word << ": " << source;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, OwnSources, testing::Values("accelerators", "nodes"),
                         [](const auto& one) { return std::string(one.param); });

}  // namespace
}  // namespace railwright::models
