// SPDX-License-Identifier: Apache-2.0
// Lists of jobs with a line each under a line of names.
#pragma once

#include <string_view>
#include <vector>

#include "../common/findings.hpp"
#include "../common/trace_part.hpp"

namespace railwright::importers {

/// Whether a line names the columns of a list that is known.
bool names_job_columns(std::string_view line);

/// Reads the list of Helios, Acme or Alibaba. Reports every mistake with its line.
std::vector<JobOfTrace> read_job_table(std::string_view text, Findings& findings);

}  // namespace railwright::importers
