// SPDX-License-Identifier: Apache-2.0
// Files that a command writes in addition to its result, whole or not at all.
#pragma once

#include <functional>
#include <ostream>
#include <string>

#include "write_error.hpp"

namespace railwright::cli {

/// Lets `write` fill a file under a temporary name, then renames it. Throws ConfigError that names
/// `option` if the file cannot be opened or renamed, WriteError if the disk fails; removes a
/// partial file. Writes devices and pipes in place; links stay links.
void write_file(const std::string& option, const std::string& path,
                const std::function<void(std::ostream&)>& write);

/// Has Graphviz draw `dot` into `path`. Throws ConfigError if Graphviz is missing or fails.
void write_svg(const std::string& option, const std::string& path, const std::string& dot);

}  // namespace railwright::cli
