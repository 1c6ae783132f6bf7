// SPDX-License-Identifier: Apache-2.0
// Imports the published traces of jobs: Philly's log [@philly_traces], the lists of Helios
// [@helios_data], Acme [@acme_trace] and Alibaba [@alibaba_clusterdata].
#pragma once

#include <string>
#include <string_view>

#include "railwright/importers/import.hpp"

namespace railwright::importers {

bool is_job_trace(std::string_view head);
Imported import_job_trace(std::string_view text, const std::string& file, const core::Node& known);

inline constexpr Importer kJobTrace{
    .name = "job-trace", .recognizes = is_job_trace, .read = import_job_trace};

}  // namespace railwright::importers
