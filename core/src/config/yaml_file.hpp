// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "railwright/core/config/tree.hpp"

namespace railwright::core {

/// Reads a document of another program, such as config.json, as load_yaml() does, but takes paths
/// in it as plain text.
Node load_foreign(const std::string& path);

}  // namespace railwright::core
