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

  static constexpr auto fields() {
    return core::field_list(
        core::field("key", &Variation::key, "Dotted path of the key that varies."),
        core::field("values", &Variation::values, "Its values, in the order they are shown."));
  }
};

/// Reads `key=a,b` as in `--vary`; a value with a comma needs brackets or quotes. Throws
/// ConfigError with every problem, each at "--vary key=a,b".
std::vector<Variation> read_variations(const std::vector<std::string>& texts);

/// Settings laid over the scenario, with a name.
struct Variant {
  std::string name;
  std::vector<std::string> set;

  static constexpr auto fields() {
    return core::field_list(core::field("name", &Variant::name, "The variant in a few words."),
                            core::field("set", &Variant::set, "Settings `path=value`."));
  }
};

}  // namespace railwright::simulation
