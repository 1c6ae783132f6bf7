// SPDX-License-Identifier: Apache-2.0
// Files that a verb writes beside its result: whole or not at all.
#pragma once

#include <functional>
#include <ostream>
#include <string>

#include "write_error.hpp"

namespace railwright::cli {

/// Lets `write` fill a file under a temporary name and then gives it its own. Throws ConfigError
/// naming `option` where that cannot be done, WriteError where the disk fails; nothing half-written
/// stays. Devices and pipes are written as they are, and links stay links.
void write_file(const std::string& option, const std::string& path,
                const std::function<void(std::ostream&)>& write);

/// Has Graphviz draw `dot` into `path`. Throws ConfigError where there is no Graphviz.
void write_svg(const std::string& option, const std::string& path, const std::string& dot);

}  // namespace railwright::cli
