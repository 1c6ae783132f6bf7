// SPDX-License-Identifier: Apache-2.0
#include "railwright/simulation/scenario/variant.hpp"

#include <fmt/format.h>

#include <utility>

namespace railwright::simulation {

std::vector<Variation> read_variations(const std::vector<std::string>& texts) {
  std::vector<Variation> variations;
  std::vector<core::Diagnostic> problems;
  for (const std::string& text : texts) {
    const core::Location where{fmt::format("--vary {}", text)};
    const std::size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == text.size()) {
      problems.push_back({where, "", "expected key=a,b,c", {}});
      continue;
    }
    try {
      const core::Node list =
          core::parse_yaml(fmt::format("[{}]", text.substr(equals + 1)), "--vary");
      variations.push_back({text.substr(0, equals), list.items});
    } catch (const core::ConfigError& error) {
      for (core::Diagnostic problem : error.diagnostics()) {
        problem.where = where;
        problems.push_back(std::move(problem));
      }
    }
  }
  if (!problems.empty()) throw core::ConfigError(std::move(problems));
  return variations;
}

}  // namespace railwright::simulation
