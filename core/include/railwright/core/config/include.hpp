// SPDX-License-Identifier: Apache-2.0
// Which files a document may name: those it includes, and all others.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "railwright/core/config/tree.hpp"

namespace railwright::core {

/// The one rule for every path that stands inside a document: the file lies in the folder of the
/// document that was asked for or below, links followed, or in a folder that is allowed. What
/// stands on the command line (line 0) is free.
class FileFolders {
 public:
  FileFolders(const std::string& document, const std::vector<std::string>& allowed);

  /// What is wrong with `name` at key `path`, which stands for `file`; before anything is known of
  /// the file.
  [[nodiscard]] std::optional<Diagnostic> problem(const Node& name, const std::string& path,
                                                  const std::filesystem::path& file) const;
  /// Checks every value of a document in `folder` that ends in .yaml or .json, those of settings
  /// (`prices=other.yaml`) too; names, descriptions and sources are words. Throws ConfigError.
  void check(const Node& document, const std::filesystem::path& folder) const;

 private:
  std::vector<std::filesystem::path> folders_;
};

/// load_yaml of tree.hpp, whose documents name files by FileFolders: here in `include_folders` too.
Node load_yaml_with(const std::vector<std::string>& include_folders, const std::string& path,
                    const YamlLimits& limits = {});

}  // namespace railwright::core
