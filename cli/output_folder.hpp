// SPDX-License-Identifier: Apache-2.0
// Folders that a command writes, whole or not at all.
#pragma once

#include <functional>
#include <string>

namespace railwright::cli {

/// Throws ConfigError if `path` exists and is not an empty folder, or if nothing can be written
/// beside it.
void check_free(const std::string& option, const std::string& path);

/// `write(name, text)` writes a file into the folder.
using WriteIntoFolder = std::function<void(const std::string& name, const std::string& text)>;

/// Calls `fill` to fill a folder that gets its name once it is complete. If `fill` throws, removes
/// the partial folder.
void write_folder(const std::string& option, const std::string& path,
                  const std::function<void(const WriteIntoFolder&)>& fill);

}  // namespace railwright::cli
