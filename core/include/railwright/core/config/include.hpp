// SPDX-License-Identifier: Apache-2.0
// The files that a document may name, by `include` or otherwise.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "railwright/core/config/tree.hpp"

namespace railwright::core {

/// Holds every path inside a document to one rule: the file must be, after following links, in or
/// below the folder of the requested document, or in an allowed folder. Paths from the command line
/// (line 0) are unrestricted.
class FileFolders {
 public:
  FileFolders(const std::string& document, const std::vector<std::string>& allowed);

  /// Returns a problem if `name` at key `path` leads to a `file` outside the folders. Callers ask
  /// before they open the file, so that a message reveals nothing of it.
  [[nodiscard]] std::optional<Diagnostic> problem(const Node& name, const std::string& path,
                                                  const std::filesystem::path& file) const;
  /// Checks every value that ends in .yaml or .json in a document in `folder`, including values of
  /// settings (`prices=other.yaml`). Skips names, descriptions and sources. Throws ConfigError.
  void check(const Node& document, const std::filesystem::path& folder) const;

 private:
  std::vector<std::filesystem::path> folders_;
};

/// Reads a file as load_yaml() does, and also allows it to name files in `include_folders`.
Node load_yaml_with(const std::vector<std::string>& include_folders, const std::string& path,
                    const YamlLimits& limits = {});

}  // namespace railwright::core
