// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/unsaid/fill_in_designs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace railwright::planner {

namespace {

bool is_among(const std::vector<Chosen>& all, const Chosen& one) {
  return std::ranges::any_of(
      all, [&](const Chosen& other) { return other.key == one.key && other.value == one.value; });
}

}  // namespace

std::vector<Chosen> fill_in_designs(std::vector<Design>& designs,
                                    const core::Catalogue& catalogue) {
  std::vector<std::vector<Chosen>> chosen;
  for (Design& design : designs) {
    Filled filled = fill_in(std::move(design.tree), catalogue, Asked::kDesign);
    design.tree = std::move(filled.tree);
    chosen.push_back(std::move(filled.chosen));
  }
  const auto is_common = [&](const Chosen& one) {
    return std::ranges::all_of(chosen, [&](const auto& all) { return is_among(all, one); });
  };
  std::vector<Chosen> listed;
  std::ranges::copy_if(chosen.front(), std::back_inserter(listed), is_common);
  for (std::size_t i = 0; i < designs.size(); ++i) {
    for (const Chosen& one : chosen[i]) {
      if (is_common(one)) continue;
      listed.push_back({one.key, one.value, fmt::format("for {}: {}", designs[i].name, one.why)});
    }
  }
  return listed;
}

}  // namespace railwright::planner
