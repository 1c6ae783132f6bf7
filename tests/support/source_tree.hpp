// SPDX-License-Identifier: Apache-2.0
// What the tests of the verbs share: the catalogue and files of the source tree.
#pragma once

#include <string>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"

namespace railwright::test {

inline const std::string kSource = RAILWRIGHT_SOURCE_DIR;

inline core::Catalogue source_catalogue() {
  return core::Catalogue({kSource + "/models/catalogue"});
}

/// Dell H20003: 4 against 8 NICs.
inline core::Node nics_example() {
  return simulation::load_scenario_tree(kSource + "/examples/xe9680-4-vs-8-nics.yaml", {});
}

inline core::Node documents_suite() {
  return core::load_yaml(kSource + "/validation/data/documents.yaml");
}

}  // namespace railwright::test
