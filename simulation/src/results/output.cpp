// SPDX-License-Identifier: Apache-2.0
#include "railwright/simulation/results/output.hpp"

#include <algorithm>

namespace railwright::simulation {

double Output::number() const {
  return std::visit([](auto v) { return static_cast<double>(v); }, value);
}

std::string Output::json_pointer() const {
  std::string pointer = "/" + path;
  std::ranges::replace(pointer, '.', '/');
  return pointer;
}

}  // namespace railwright::simulation
