// SPDX-License-Identifier: Apache-2.0
// Departures from a scenario that several commands read.
#pragma once

#include <string>
#include <vector>

#include "railwright/core/config/fields.hpp"
#include "railwright/core/config/tree.hpp"

namespace railwright::simulation {

/// A key and the values it takes.
struct Variation {
  std::string key;
  std::vector<core::Node> values;

  static constexpr auto fields();
};

/// Reads `key=a,b` as in `--vary`; a value with a comma needs brackets or quotes. Throws
/// ConfigError with every problem, each at "--vary key=a,b".
std::vector<Variation> read_variations(const std::vector<std::string>& texts);

/// Settings laid over the scenario, with a name.
struct Variant {
  std::string name;
  std::vector<std::string> set;

  static constexpr auto fields();
};

}  // namespace railwright::simulation
