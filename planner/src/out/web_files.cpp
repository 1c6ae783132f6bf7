// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/out/web_files.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace railwright::planner {

const WebFile& find_web_file(std::string_view name) {
  const std::span<const WebFile> files = web_files();
  const auto found = std::ranges::find(files, name, &WebFile::name);
  if (found == files.end()) throw std::out_of_range("no web file " + std::string(name));
  return *found;
}

bool has_chart_library() {
  return std::ranges::find(web_files(), "chart.js", &WebFile::name) != web_files().end();
}

}  // namespace railwright::planner
