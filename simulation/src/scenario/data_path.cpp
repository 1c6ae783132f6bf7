// SPDX-License-Identifier: Apache-2.0
#include "railwright/simulation/scenario/data_path.hpp"

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <system_error>

namespace railwright::simulation {

namespace {

namespace fs = std::filesystem;

/// Returns share/railwright beside the running program, or "" if there is none.
fs::path installed_share() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) return {};
  return program.parent_path().parent_path() / "share" / "railwright";
}

void add_if_there(std::vector<std::string>& roots, const fs::path& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) roots.push_back(path.string());
}

}  // namespace

std::vector<std::string> catalogue_roots(const std::vector<std::string>& given) {
  std::vector<std::string> roots = given;
  if (const char* path = std::getenv("RAILWRIGHT_CATALOGUE_PATH")) {
    std::istringstream parts(path);
    for (std::string part; std::getline(parts, part, ':');) {
      if (!part.empty()) roots.push_back(part);
    }
  }
  add_if_there(roots, installed_share() / "catalogue");
  add_if_there(roots, RAILWRIGHT_SOURCE_CATALOGUE);
  return roots;
}

std::string suite_path(const std::string& name) {
  for (const fs::path& folder :
       {installed_share() / "validation", fs::path(RAILWRIGHT_SOURCE_VALIDATION)}) {
    const fs::path file = folder / (name + ".yaml");
    std::error_code error;
    if (fs::is_regular_file(file, error)) return file.string();
  }
  return {};
}

}  // namespace railwright::simulation
