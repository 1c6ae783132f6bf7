// SPDX-License-Identifier: Apache-2.0
// The files of the reports (output/pages), embedded when railwright is built.
#pragma once

#include <span>
#include <string_view>

namespace railwright::output {

struct PageFile {
  std::string_view name;
  std::string_view text;
  std::string_view sha256;  ///< base64, the form of a Content-Security-Policy
};

std::span<const PageFile> page_files();

/// Throws std::out_of_range for a name that is not in `files`.
const PageFile& find_file(std::span<const PageFile> files, std::string_view name);
/// Finds a file among those of the reports.
inline const PageFile& find_page_file(std::string_view name) {
  return find_file(page_files(), name);
}
inline std::string_view page_file(std::string_view name) { return find_page_file(name).text; }

/// Whether railwright was built with the chart library, `chart.js`.
bool has_chart_library();
/// Hint for a build without the chart library.
inline constexpr std::string_view kChartLibraryHint =
    "install Debian's libjs-chart.js, or pass -DRAILWRIGHT_CHART_JS=/path/to/chart.min.js to "
    "CMake, "
    "and build again";

}  // namespace railwright::output
