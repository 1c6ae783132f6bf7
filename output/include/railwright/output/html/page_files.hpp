// SPDX-License-Identifier: Apache-2.0
// The files of the reports (output/pages) as they were when railwright was built.
#pragma once

#include <span>
#include <string_view>

namespace railwright::output {

struct PageFile {
  std::string_view name;
  std::string_view text;
  std::string_view sha256;  ///< in base64, as a Content-Security-Policy writes it
};

std::span<const PageFile> page_files();

/// Throws std::out_of_range for a name that is none of `files`.
const PageFile& find_file(std::span<const PageFile> files, std::string_view name);
/// Of the reports' own files.
inline const PageFile& find_page_file(std::string_view name) {
  return find_file(page_files(), name);
}
inline std::string_view page_file(std::string_view name) { return find_page_file(name).text; }

/// Whether the chart library, `chart.js`, was there when railwright was built.
bool has_chart_library();
/// What to say where it was not.
inline constexpr std::string_view kChartLibraryHint =
    "install Debian's libjs-chart.js, or pass -DRAILWRIGHT_CHART_JS=/path/to/chart.min.js to "
    "CMake, "
    "and build again";

}  // namespace railwright::output
