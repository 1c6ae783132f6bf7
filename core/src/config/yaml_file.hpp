// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "railwright/core/config/tree.hpp"

namespace railwright::core {

/// load_yaml of a document of another program, such as config.json: paths in it are words.
Node load_foreign(const std::string& path);

}  // namespace railwright::core
