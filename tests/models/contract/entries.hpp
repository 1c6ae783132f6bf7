// SPDX-License-Identifier: Apache-2.0
// Everything of a kind that the catalogue has, and names that GoogleTest takes.
#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/reader.hpp"
#include "railwright/core/config/writer.hpp"
#include "railwright/simulation/scenario/data_path.hpp"

namespace railwright::test {

inline core::Catalogue catalogue() { return core::Catalogue(simulation::catalogue_roots()); }

/// The entry `name`, read as a T.
template <class T>
T entry(const core::Catalogue& catalogue, const std::string& name) {
  T read;
  core::Reader reader(&catalogue);
  reader.read(core::text_node(name), "", read);
  reader.throw_if_any();
  return read;
}

template <class T>
std::vector<T> entries() {
  const core::Catalogue all = catalogue();
  std::vector<T> list;
  for (const std::string& name : all.names(T::kKind)) list.push_back(entry<T>(all, name));
  return list;
}

/// Of letters, digits and underscores.
inline std::string test_name(std::string name) {
  std::ranges::replace_if(name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

}  // namespace railwright::test
