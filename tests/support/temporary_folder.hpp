// SPDX-License-Identifier: Apache-2.0
// A folder that is removed with its owner.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace railwright::test {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = testing::TempDir() + "railwright-XXXXXX";
    path_ = mkdtemp(pattern.data());
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  /// Writes a file, with the folders on the way to it, and returns its whole name.
  [[nodiscard]] std::string write(const std::string& name, const std::string& text) const {
    const std::filesystem::path file = path_ / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
    return file.string();
  }

  /// `line` without this folder's name.
  [[nodiscard]] std::string shortened(std::string line) const {
    const std::string folder = path_.string() + "/";
    for (std::size_t at = 0; (at = line.find(folder)) != std::string::npos;) {
      line.erase(at, folder.size());
    }
    return line;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace railwright::test
