// SPDX-License-Identifier: Apache-2.0
#include "railwright/simulation/scenario/with_settings.hpp"

namespace railwright::simulation {

core::Node with_settings(core::Node tree, const std::vector<std::string>& settings) {
  for (const std::string& setting : settings) core::set_path(tree, setting);
  return tree;
}

}  // namespace railwright::simulation
