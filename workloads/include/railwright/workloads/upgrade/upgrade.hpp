// SPDX-License-Identifier: Apache-2.0
// Gives a scenario of an earlier version the present names of its keys.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "railwright/core/error.hpp"

namespace railwright::simulation {

/// A key, or a part of a setting `path=value`, whose name has changed.
struct RenamedKey {
  core::Location where;
  std::string former;
  std::string name;
};

struct UpgradedText {
  std::string text;
  std::vector<RenamedKey> renamed;  ///< in the order of the text
};

/// Upgrades `text` of the file `name`: a scenario, a part of one that others include, or an entry
/// of the catalogue. Only the names of keys change; comments and line ends stay. Throws a
/// ConfigError if the text is not YAML, or if a mapping has a key under both of its names.
UpgradedText upgrade(std::string_view text, const std::string& name);

}  // namespace railwright::simulation
