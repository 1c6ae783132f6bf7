// SPDX-License-Identifier: Apache-2.0
// Tables of numbers that a scenario holds as text: traces of jobs and of requests.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "railwright/core/error.hpp"

namespace railwright::core {

/// A column that a table may have.
struct NumberColumn {
  std::string_view name;
  double least = 0.0;
  double most = 0.0;
  bool is_whole = false;
  bool is_required = true;
  std::string_view not_below{};  ///< name of a column whose number is at most this one's
};

/// Returns the rows of comma-separated values under a line of names, with a value for each of
/// `columns` in their order; NaN where a column that is not required has none. Columns of other
/// names are passed over. `row` names what a line holds, as in "job". Adds every problem at `where`
/// and `path`, with its line of the text.
std::vector<std::vector<double>> read_number_table(std::string_view text,
                                                   std::span<const NumberColumn> columns,
                                                   std::string_view row, const Location& where,
                                                   std::string_view path,
                                                   std::vector<Diagnostic>& problems);

}  // namespace railwright::core
