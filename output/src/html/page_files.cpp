// SPDX-License-Identifier: Apache-2.0
#include "railwright/output/html/page_files.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace railwright::output {

const PageFile& find_file(std::span<const PageFile> files, std::string_view name) {
  const auto found = std::ranges::find(files, name, &PageFile::name);
  if (found == files.end()) throw std::out_of_range("no page file " + std::string(name));
  return *found;
}

bool has_chart_library() {
  return std::ranges::find(page_files(), "chart.js", &PageFile::name) != page_files().end();
}

}  // namespace railwright::output
