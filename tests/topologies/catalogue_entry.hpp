// SPDX-License-Identifier: Apache-2.0
// Entries of the catalogue by name.
#pragma once

#include <string>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/reader.hpp"
#include "railwright/core/config/writer.hpp"

namespace railwright::topologies::testing {

inline const core::Catalogue& catalogue() {
  static const core::Catalogue kBuiltIn({std::string(RAILWRIGHT_SOURCE_DIR) + "/models/catalogue"});
  return kBuiltIn;
}

template <class T>
T load(const std::string& name) {
  T entry{};
  core::Reader reader(&catalogue());
  reader.read(core::text_node(name), "", entry);
  reader.throw_if_any();
  return entry;
}

}  // namespace railwright::topologies::testing
