// SPDX-License-Identifier: Apache-2.0
// Folders that a verb writes, whole or not at all.
#pragma once

#include <functional>
#include <string>

namespace railwright::cli {

/// Throws ConfigError where `path` is there already and is no empty folder, or nothing can be
/// written beside it.
void check_free(const std::string& option, const std::string& path);

/// `write(name, text)` puts a file into the folder.
using WriteIntoFolder = std::function<void(const std::string& name, const std::string& text)>;

/// Calls `fill` to fill a folder that gets its name once all is written: of a half-written one, for
/// whatever reason `fill` throws, nothing stays.
void write_folder(const std::string& option, const std::string& path,
                  const std::function<void(const WriteIntoFolder&)>& fill);

}  // namespace railwright::cli
