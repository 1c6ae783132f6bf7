// SPDX-License-Identifier: Apache-2.0
#include "railwright/simulation/scenario/with_settings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "railwright/core/config/describe.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/simulation/scenario/scenario_keys.hpp"

namespace railwright::simulation {

namespace {

constexpr std::size_t kLongestSetting = 48;
constexpr std::size_t kMaxNamed = 3;

/// Cuts `text` after at most `most` bytes, between characters, and adds "..." if it was longer.
std::string shortened(const std::string& text, std::size_t most) {
  if (text.size() <= most) return text;
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end) + "...";
}

/// Returns the last setting of each key, which is the one that counts. Leaves out those of `sweep`:
/// its rows name what they vary.
std::vector<std::string> last_of_each_key(const std::vector<std::string>& settings) {
  const auto key = [](const std::string& setting) { return setting.substr(0, setting.find('=')); };
  std::vector<std::string> kept;
  for (const std::string& setting : settings) {
    const std::string root = setting.substr(0, setting.find_first_of(".="));
    if (root == "sweep") continue;
    std::erase_if(kept, [&](const std::string& other) { return key(other) == key(setting); });
    kept.push_back(setting);
  }
  return kept;
}

void settle_entries(core::Node& node, const core::Description& description) {
  if (!description.catalogue.empty() && node.find("model") != nullptr) {
    core::forget_other_model(node);
  }
  for (core::Entry& entry : node.entries) {
    if (const core::Description* key = description.find(entry.key)) {
      settle_entries(entry.value, *key);
    }
  }
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
  const std::vector<std::string> last = last_of_each_key(settings);
  if (last.empty() || sets_name || name == nullptr || !name->is_scalar()) return;
  std::string text;
  for (std::size_t i = 0; i < std::min(last.size(), kMaxNamed); ++i) {
    text += (i > 0 ? ", " : "") + shortened(last[i], kLongestSetting);
  }
  if (last.size() > kMaxNamed) {
    const std::size_t more = last.size() - kMaxNamed;
    text += fmt::format(" and {} more setting{}", more, more == 1 ? "" : "s");
  }
  name->text += ", with " + text;
  name->quoted = true;  // it may hold what a plain scalar of YAML may not
}

void settle(core::Node& scenario) { settle_entries(scenario, core::describe<Scenario>()); }

}  // namespace railwright::simulation
