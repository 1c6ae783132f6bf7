// SPDX-License-Identifier: Apache-2.0
// A scenario of one release ago, with the names that its keys have now.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "railwright/core/error.hpp"

namespace railwright::simulation {

/// A key, or a part of a setting `path=value`, that has another name now.
struct RenamedKey {
  core::Location where;
  std::string former;
  std::string name;
};

struct UpgradedText {
  std::string text;
  std::vector<RenamedKey> renamed;  ///< in the order of the text
};

/// `text` of the file `name`, a scenario, a part of one that others include, or an entry of the
/// catalogue: nothing but the names of keys changes, comments and line ends stay. Throws a
/// ConfigError where the text is no YAML, or where a mapping has a key under both of its names.
UpgradedText upgrade(std::string_view text, const std::string& name);

}  // namespace railwright::simulation
