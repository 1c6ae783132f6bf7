// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "drawing_layout.hpp"
#include "railwright/core/units/text.hpp"

namespace railwright::output {

std::string rate_text(core::Tier tier, core::Bandwidth cable) {
  const bool in_bits = tier == core::Tier::kInjection || tier == core::Tier::kFabric ||
                       tier == core::Tier::kFrontEnd || tier == core::Tier::kStorage;
  if (!in_bits || !std::isfinite(cable.base())) return core::to_text(cable);
  return fmt::format("{:.3g} Gb/s", cable.base() * 8e-9);
}

std::string cables_text(std::int64_t num_cables, core::Tier tier, core::Bandwidth cable) {
  return fmt::format("{} \u00d7 {}", grouped(num_cables), rate_text(tier, cable));
}

std::string stem(std::string_view label) {
  const std::size_t last = label.find_last_not_of("0123456789");
  if (last == std::string_view::npos || last + 1 == label.size()) return std::string(label);
  return std::string(label.substr(0, last));  // without the space too
}

double text_width(const std::string& text, double font_size) {
  std::size_t longest = 0;
  std::size_t length = 0;
  for (const char c : text) {
    if (c == '\n') length = 0;
    if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80U && c != '\n') ++length;
    longest = std::max(longest, length);
  }
  return 0.58 * font_size * static_cast<double>(longest);
}

}  // namespace railwright::output
