// SPDX-License-Identifier: Apache-2.0
#include "railwright/simulation/scenario/with_settings.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace railwright::simulation {

namespace {

constexpr std::size_t kLongestSetting = 48;
constexpr std::size_t kMaxNamed = 3;

/// At most so many bytes, cut between characters.
std::string shortened(const std::string& text, std::size_t most) {
  if (text.size() <= most) return text;
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end) + "...";
}

}  // namespace

core::Node with_settings(core::Node tree, const std::vector<std::string>& settings) {
  for (const std::string& setting : settings) core::set_path(tree, setting);
  return tree;
}

void name_settings(core::Node& tree, const std::vector<std::string>& settings) {
  core::Node* name = tree.is_mapping() ? tree.find("name") : nullptr;
  const bool sets_name =
      std::ranges::any_of(settings, [](const std::string& s) { return s.starts_with("name="); });
  if (settings.empty() || sets_name || name == nullptr || !name->is_scalar()) return;
  std::string text;
  for (std::size_t i = 0; i < std::min(settings.size(), kMaxNamed); ++i) {
    text += (i > 0 ? ", " : "") + shortened(settings[i], kLongestSetting);
  }
  if (settings.size() > kMaxNamed) {
    text += fmt::format(" and {} more settings", settings.size() - kMaxNamed);
  }
  name->text += ", with " + text;
}

}  // namespace railwright::simulation
