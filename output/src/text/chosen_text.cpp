// SPDX-License-Identifier: Apache-2.0
#include "railwright/output/text/chosen_text.hpp"

#include <fmt/format.h>

namespace railwright::output {

std::string chosen_text(std::span<const planner::Chosen> chosen) {
  if (chosen.empty()) return {};
  std::string text = "\nchosen for you, since the question leaves it open:\n";
  for (const planner::Chosen& one : chosen) {
    text += fmt::format("  {}={}  # {}\n", one.key, one.value, one.why);
  }
  return text;
}

}  // namespace railwright::output
